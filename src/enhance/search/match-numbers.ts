import { foldNumber } from '#catalogue/register/fold-number.ts';
import type { RegisterRow } from '#catalogue/register/register-row.ts';
import type { NumberQuery } from './number-query.ts';

export interface NumberMatches {
  /** Products that have this very number: item numbers need not be unique. */
  exact: RegisterRow[];
  /** Those that have it somewhere in a number. */
  partial: RegisterRow[];
}

export function matchNumbers(
  rows: readonly RegisterRow[],
  { folded, gtin13, digits }: NumberQuery,
  limit: number,
): NumberMatches {
  const exact: RegisterRow[] = [];
  const partial: RegisterRow[] = [];
  for (const row of rows) {
    const item = foldNumber(row.item_number);
    if (row.gtin === gtin13 || item === folded) exact.push(row);
    else if (partial.length < limit && (item.includes(folded) || (digits !== undefined && row.gtin.includes(digits))))
      partial.push(row);
  }
  return { exact, partial };
}
