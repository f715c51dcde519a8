import type { CollectionEntries } from '#catalogue/site/render-context.ts';
import { mergeOverlays, type OverlayData, variantGroups } from '#catalogue/products/listed-product.ts';
import type { OverlayEntry } from '#catalogue/entries/overlay-entry.ts';

/** Overlays of products in `content/products`. */
export type ProductOverlays = ReturnType<typeof createProductOverlays>;

/** Overlays by ID: `<language>/<gtin>`, or `<gtin>` for all languages. */
export type OverlayEntries = ReadonlyMap<string, OverlayEntry>;

/** Returns the overlays that Astro read for the bundle. */
export function overlaysFromCollections(collections: ReadonlyMap<string, CollectionEntries>): OverlayEntries {
  const entries = collections.get('overlays') ?? [];
  return new Map(entries.map(({ id, data }) => [id, data as OverlayEntry]));
}

/** @param read Called on first access. */
export function createProductOverlays(read: () => OverlayEntries) {
  let overlays: OverlayEntries | undefined;
  let groups: ReturnType<typeof variantGroups> | undefined;
  const all = () => (overlays ??= read());
  const additions = (language: string, gtin: string): OverlayData =>
    mergeOverlays(language, gtin, (id) => all().get(id));
  return {
    /** Returns the data that a product page uses. */
    additions,
    /** Returns true if a product page is hidden from search engines, and so from feeds and the search. */
    isHidden: (language: string, gtin: string) => additions(language, gtin).seo?.noindex === true,
    /** Returns the GTINs that may be hidden in at least one language. */
    hideable: () => [
      ...new Set([...all()].flatMap(([id, { seo }]) => (seo?.noindex ? (id.split('/').at(-1) ?? []) : []))),
    ],
    /** Returns the GTINs of all formats of a product, including its own. Empty if it is the only one. */
    variants: (gtin: string): readonly string[] =>
      (groups ??= variantGroups([...all()].map(([id, data]) => ({ id, data })))).get(gtin) ?? [],
  };
}
