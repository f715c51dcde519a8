import type { OverlayEntry } from '#model/entries.ts';

/** What is written to a product besides its text. */
export type Additions = Pick<OverlayEntry, 'successor' | 'accessories' | 'content' | 'coverage' | 'hazard' | 'seo'>;

type FindOverlay = (id: string) => OverlayEntry | undefined;

/** What is written in the language goes before what is written for all languages, field by field. */
export function additionsOf(language: string, gtin: string, overlay: FindOverlay): Additions {
  const [all, own] = [overlay(gtin), overlay(`${language}/${gtin}`)];
  if (!all && !own) return {};
  const seo = all?.seo || own?.seo ? { seo: { ...all?.seo, ...own?.seo } } : {};
  return { ...all, ...own, ...seo };
}
