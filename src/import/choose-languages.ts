import { SortimentError } from '#contracts/index.ts';
import type { Language } from '#contracts/product/index.ts';

/**
 * The languages of an interface that were asked for, in its order.
 *
 * @param wanted codes, or languages for all their codes: `de` for `de-de` and `de-at`; all of them without
 * @throws SortimentError IMPORT_LANGUAGE_UNKNOWN
 */
export function chooseLanguages(listed: readonly Language[], wanted: readonly string[] | undefined): Language[] {
  if (wanted === undefined || wanted.length === 0) return [...listed];
  const unknown = wanted.filter((word) => !listed.some(({ code }) => fits(code, word)));
  if (unknown.length === 0) return listed.filter(({ code }) => wanted.some((word) => fits(code, word)));
  const known = listed.map(({ code }) => code).join(', ');
  throw new SortimentError('IMPORT_LANGUAGE_UNKNOWN', `That interface has no ${unknown.join(', ')}. It has ${known}.`, {
    hint: 'Give --languages some of these, or leave it out for all.',
  });
}

function fits(code: string, word: string): boolean {
  const wanted = word.toLowerCase();
  return code === wanted || code.startsWith(`${wanted}-`);
}
