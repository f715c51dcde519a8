import type { Language } from '#contracts/product/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { findLanguages } from './find-languages.ts';
import { readLanguage } from './read-language.ts';
import { refuseLanguage } from './refuse-language.ts';

/**
 * The language that a list or an index is asked for; undefined if it is asked for none. An unknown one follows
 * the knob `unknownLanguage`.
 *
 * @throws ProductRefusal 400 or 404, by that knob.
 */
export async function chooseLanguage(
  context: OriginContext,
  query: URLSearchParams,
): Promise<{ chosen: string | undefined; languages: Language[] }> {
  const languages = await findLanguages(context);
  const wanted = readLanguage(query);
  if (wanted === undefined || languages.some(({ code }) => code === wanted)) return { chosen: wanted, languages };
  const refusal = refuseLanguage(context, query);
  if (refusal) throw refusal;
  return { chosen: languages[0]?.code, languages };
}
