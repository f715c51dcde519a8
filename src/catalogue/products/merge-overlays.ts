import type { OverlayEntry } from '#model/entries.ts';

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
