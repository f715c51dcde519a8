import type { Options } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import type { Language } from '#contracts/product/index.ts';

/**
 * Returns the languages to request, in the interface's order: all of them, or those in the options.
 * @throws SortimentError LANGUAGE_UNKNOWN if the interface doesn't list a language of the options.
 */
export function chooseLanguages(listed: readonly Language[], chosen: Options['languages']): Language[] {
  if (chosen === 'all') return [...listed];
  const codes = listed.map(({ code }) => code);
  const unknown = chosen.filter((code) => !codes.includes(code));
  if (unknown.length === 0) return listed.filter(({ code }) => chosen.includes(code));
  throw new SortimentError(
    'LANGUAGE_UNKNOWN',
    `Unknown language in the options: ${unknown.join(', ')}. The product interface lists ${codes.join(', ')}.`,
    { hint: 'Correct `languages` in src/sortiment.config.ts.' },
  );
}
