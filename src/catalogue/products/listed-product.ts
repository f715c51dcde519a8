import type { ProductEntry } from '#model/entries.ts';
import { productPath, productsPath } from '../addresses/paths.ts';
import { languageChoices, type LanguageChoice } from '../languages/label-languages.ts';

/**
 * Fields of a product that the search looks into, besides its numbers and the name of its family. What isn't named
 * here (a price, an availability) changes without the search index being rebuilt.
 */
export const SEARCHED_FIELDS = [
  'name',
  'item_number',
  'language',
  'intro',
  'application_short',
  'application',
  'advantages',
  'substrate',
  'attributes',
  'materials',
] as const;

/**
 * Where each language leads from a product. An archived text and one that is still maintained are no alternates of
 * each other: a search engine must not take the one for the other.
 * @param isHidden Whether the page in a language is kept from search engines.
 */
export function productChoices(
  languages: readonly { code: string; name: string }[],
  { pageLanguage, slugs, translations, archivedTranslations, archived }: ProductEntry,
  isHidden: (language: string) => boolean = () => false,
): LanguageChoice[] {
  const paths = Object.fromEntries(Object.entries(slugs).map(([code, slug]) => [code, productPath(code, slug)]));
  const alternates = (archived ? archivedTranslations : translations).filter((code) => !isHidden(code));
  const real = [...translations, ...archivedTranslations];
  return languageChoices(languages, pageLanguage, paths, productsPath, real, alternates);
}
