import type { ProductEntry } from '#catalogue/entries/entries.ts';
import type { OverlayEntry } from '#catalogue/entries/overlay-entry.ts';
import { productPath, productsPath } from '../addresses/paths.ts';
import { languageChoices, type LanguageChoice } from '../languages/label-languages.ts';

/**
 * Fields of a product that the search indexes, besides its numbers and the name of its family. Changes of other fields,
 * such as a price, don't rebuild the search index.
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
 * Returns the language choices of a product page. Archived and current pages aren't alternates of each other, so that
 * search engines don't confuse them.
 * @param isHidden Returns true if the page in a language has `noindex`.
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

/** Data that overlays add to a product, besides text. */
export type OverlayData = Pick<OverlayEntry, 'successor' | 'accessories' | 'content' | 'coverage' | 'hazard' | 'seo'>;

type FindOverlay = (id: string) => OverlayEntry | undefined;

/**
 * Merges the overlays of a product. Values for the language take precedence over those for all languages, field by
 * field.
 */
export function mergeOverlays(language: string, gtin: string, overlay: FindOverlay): OverlayData {
  const [all, localized] = [overlay(gtin), overlay(`${language}/${gtin}`)];
  if (!all && !localized) return {};
  const seo = all?.seo || localized?.seo ? { seo: { ...all?.seo, ...localized?.seo } } : {};
  return { ...all, ...localized, ...seo };
}
