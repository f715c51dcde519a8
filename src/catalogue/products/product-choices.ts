import type { ProductEntry } from '#model/entries.ts';
import { languageChoices, type LanguageChoice } from '../languages/language-choices.ts';
import { productPath, productsPath } from '../addresses/paths.ts';

/**
 * Where each language leads from a product. An archived text and one that is still maintained are no alternates of
 * each other: a search engine must not take the one for the other.
 */
export function productChoices(
  languages: readonly { code: string; name: string }[],
  { pageLanguage, slugs, translations, archivedTranslations, archived }: ProductEntry,
): LanguageChoice[] {
  const paths = Object.fromEntries(Object.entries(slugs).map(([code, slug]) => [code, productPath(code, slug)]));
  const alternates = archived ? archivedTranslations : translations;
  const real = [...translations, ...archivedTranslations];
  return languageChoices(languages, pageLanguage, paths, productsPath, real, alternates);
}
