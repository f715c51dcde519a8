import { foldText } from '../languages/fold-text.ts';
import type { DirectoryRow } from '../read-model/product-index.ts';
import { productSlug } from '../addresses/slugs.ts';
import type { NumbersFile } from '../addresses/site-paths.ts';

/** Normalises a number for comparison by removing separators, case and marks: `HW-10110` equals `hw 10110`. */
export function foldNumber(text: string): string {
  return foldText(text).replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Converts rows to columns. @param language Language of the page. */
export function packNumbers(rows: readonly DirectoryRow[], language: string): NumbersFile {
  const sparse = (getValue: (row: DirectoryRow) => string | undefined) =>
    Object.fromEntries(rows.map(getValue).flatMap((value, i) => (value === undefined ? [] : [[i, value]])));
  return {
    gtins: rows.map(({ gtin }) => gtin),
    items: rows.map(({ item_number }) => item_number),
    names: rows.map(({ name }) => name),
    slugs: sparse(({ slug, name, gtin }) => (slug === productSlug(name, gtin) ? undefined : slug)),
    languages: sparse((row) => (row.language === language ? undefined : row.language)),
  };
}

export function unpackNumbers(
  { gtins, items, names, slugs, languages }: NumbersFile,
  language: string,
): DirectoryRow[] {
  return gtins.map((gtin, i) => {
    const name = names[i] ?? '';
    return {
      gtin,
      name,
      language: languages[i] ?? language,
      item_number: items[i] ?? '',
      slug: slugs[i] ?? productSlug(name, gtin),
    };
  });
}
