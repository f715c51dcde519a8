import { foldNumber } from '#catalogue/directory/fold-number.ts';
import type { DirectoryRow } from '#catalogue/directory/directory-row.ts';
import type { NumberQuery } from './number-query.ts';

export interface NumberMatches {
  /** Products that have this very number: item numbers need not be unique. */
  exact: DirectoryRow[];
  /** Those that have it somewhere in a number. */
  partial: DirectoryRow[];
}

export function matchNumbers(
  rows: readonly DirectoryRow[],
  { folded, gtin13, digits }: NumberQuery,
  limit: number,
): NumberMatches {
  const exact: DirectoryRow[] = [];
  const partial: DirectoryRow[] = [];
  for (const row of rows) {
    const item = foldNumber(row.item_number);
    if (row.gtin === gtin13 || item === folded) exact.push(row);
    else if (partial.length < limit && (item.includes(folded) || (digits !== undefined && row.gtin.includes(digits))))
      partial.push(row);
  }
  return { exact, partial };
}
