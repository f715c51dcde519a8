import type { Options } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import type { Language } from '#contracts/product/index.ts';

/**
 * The languages to request: all that the interface lists, or those in the options, in the interface's order.
 * @throws SortimentError LANGUAGE_UNKNOWN when the options name one that the interface doesn't list.
 */
export function chooseLanguages(listed: readonly Language[], chosen: Options['languages']): Language[] {
  if (chosen === 'all') return [...listed];
  const codes = listed.map(({ code }) => code);
  const unknown = chosen.filter((code) => !codes.includes(code));
  if (unknown.length === 0) return listed.filter(({ code }) => chosen.includes(code));
  throw new SortimentError(
    'LANGUAGE_UNKNOWN',
    `The options name the language ${unknown.join(', ')}; the product interface lists ${codes.join(', ')}.`,
    { hint: 'Correct `languages` in src/sortiment.config.ts.' },
  );
}
