import type { UnitWord } from '#contracts/unit-word.ts';

/** How the language of the page writes numbers. */
export interface CountFormats {
  count: (value: number) => string;
  /** A decimal text with its unit. */
  measure: (text: string, unit: string) => string;
  list: (parts: readonly string[]) => string;
}

/** `2 rolls`; `2 × Gebinde` where nobody has written down the plural; the number alone where there is no word. */
export function countUnits(
  count: number,
  { word, forms, lang }: UnitWord,
  formats: Pick<CountFormats, 'count'>,
): string {
  const number = formats.count(count);
  if (word === '') return number;
  const form = forms?.[new Intl.PluralRules(lang).select(count)] ?? forms?.['other'];
  return form === undefined ? `${number} × ${word}` : `${number} ${form}`;
}
