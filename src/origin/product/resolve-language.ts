import type { Language } from '#contracts/product/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { ProductError } from './authenticate-caller.ts';
import { findLanguages } from './find-product.ts';

/**
 * Returns the requested language of a list or an index; undefined if none. An unknown language follows the option
 * `unknownLanguage`.
 *
 * @throws ProductRefusal 400 or 404, depending on that option.
 */
export async function resolveLanguage(
  context: OriginContext,
  query: URLSearchParams,
): Promise<{ chosen: string | undefined; languages: Language[] }> {
  const languages = await findLanguages(context);
  const requested = parseLanguage(query);
  if (requested === undefined || languages.some(({ code }) => code === requested))
    return { chosen: requested, languages };
  const error = createLanguageError(context, query);
  if (error) throw error;
  return { chosen: languages[0]?.code, languages };
}

/**
 * Reads the requested language in the form of the language list: `DE_de` becomes `de-de`. An empty value counts as
 * none. The last of several values wins. Doesn't check that the language exists.
 */
export function parseLanguage(query: URLSearchParams): string | undefined {
  const text = query.getAll('language').at(-1)?.trim();
  return text ? text.toLowerCase().replaceAll('_', '-') : undefined;
}

/**
 * Handles an unknown language by the option `unknownLanguage`: returns an error, or undefined if the main language is
 * used instead.
 *
 * @param query Contains the language as sent, which the error repeats.
 */
export function createLanguageError(context: OriginContext, query: URLSearchParams): ProductError | undefined {
  const input = query.getAll('language').at(-1) ?? '';
  switch (context.product.unknownLanguage) {
    case 'error':
      return new ProductError('invalidChoice', { parameter: 'language', values: { input } });
    case 'not-found':
      return new ProductError('noSuchProduct');
    case 'fallback':
      return undefined;
  }
}
