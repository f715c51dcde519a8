import type { Language } from '#contracts/product/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { ProductRefusal } from './authenticate-caller.ts';
import { findLanguages } from './find-product.ts';

/**
 * Returns the requested language of a list or an index; undefined if none. An unknown language follows the option
 * `unknownLanguage`.
 *
 * @throws ProductRefusal 400 or 404, depending on that option.
 */
export async function chooseLanguage(
  context: OriginContext,
  query: URLSearchParams,
): Promise<{ chosen: string | undefined; languages: Language[] }> {
  const languages = await findLanguages(context);
  const requested = readLanguage(query);
  if (requested === undefined || languages.some(({ code }) => code === requested))
    return { chosen: requested, languages };
  const error = refuseLanguage(context, query);
  if (error) throw error;
  return { chosen: languages[0]?.code, languages };
}

/**
 * Reads the requested language in the form of the language list: `DE_de` becomes `de-de`. An empty value counts as
 * none. The last of several values wins. Doesn't check that the language exists.
 */
export function readLanguage(query: URLSearchParams): string | undefined {
  const text = query.getAll('language').at(-1)?.trim();
  return text ? text.toLowerCase().replaceAll('_', '-') : undefined;
}

/**
 * Handles an unknown language by the option `unknownLanguage`: returns an error, or undefined if the main language is
 * used instead.
 *
 * @param query Contains the language as sent, which the error repeats.
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
