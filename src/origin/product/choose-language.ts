import type { Language } from '#contracts/product/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { ProductRefusal } from './authenticate-caller.ts';
import { findLanguages } from './find-product.ts';

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

/**
 * The language a query asks for, in the form of the language list: `DE_de` -> `de-de`. Empty is the same as
 * none; of several the last counts. Whether there is such a language is for others to say.
 */
export function readLanguage(query: URLSearchParams): string | undefined {
  const text = query.getAll('language').at(-1)?.trim();
  return text ? text.toLowerCase().replaceAll('_', '-') : undefined;
}

/**
 * What a language that isn't there gets, by the knob `unknownLanguage`: a refusal, or undefined if the main
 * language is to stand in for it.
 *
 * @param query The refusal repeats the language as it was sent.
 */
export function refuseLanguage(context: OriginContext, query: URLSearchParams): ProductRefusal | undefined {
  const input = query.getAll('language').at(-1) ?? '';
  switch (context.product.unknownLanguage) {
    case 'error':
      return new ProductRefusal('invalidChoice', { parameter: 'language', values: { input } });
    case 'not-found':
      return new ProductRefusal('noSuchProduct');
    case 'fallback':
      return undefined;
  }
}
