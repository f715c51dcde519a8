import type { CollectionEntries } from '#catalogue/site/render-context.ts';
import { mergeOverlays, type OverlayData, variantGroups } from '#catalogue/products/listed-product.ts';
import type { OverlayEntry } from '#catalogue/entries/overlay-entry.ts';

/** Overlays of products in `content/products`. */
export interface ProductOverlays {
  /** Returns the data that a product page uses (see `additionsOf`). */
  additions: (language: string, gtin: string) => OverlayData;
  /** Returns true if a product page is hidden from search engines, and so from feeds and the search. */
  isHidden: (language: string, gtin: string) => boolean;
  /** Returns the GTINs that may be hidden in at least one language. */
  hideable: () => string[];
  /** Returns the GTINs of all formats of a product, including its own. Empty if it is the only one. */
  variants: (gtin: string) => readonly string[];
}

/** Overlays by ID: `<language>/<gtin>`, or `<gtin>` for all languages. */
export type OverlayEntries = ReadonlyMap<string, OverlayEntry>;

/** Returns the overlays that Astro read for the bundle. */
export function overlaysFromCollections(collections: ReadonlyMap<string, CollectionEntries>): OverlayEntries {
  const entries = collections.get('overlays') ?? [];
  return new Map(entries.map(({ id, data }) => [id, data as OverlayEntry]));
}

/** @param read Called on first access. */
export function createProductOverlays(read: () => OverlayEntries): ProductOverlays {
  let overlays: OverlayEntries | undefined;
  let groups: ReturnType<typeof variantGroups> | undefined;
  const all = () => (overlays ??= read());
  const additions: ProductOverlays['additions'] = (language, gtin) =>
    mergeOverlays(language, gtin, (id) => all().get(id));
  return {
    additions,
    isHidden: (language, gtin) => additions(language, gtin).seo?.noindex === true,
    hideable: () => [
      ...new Set([...all()].flatMap(([id, { seo }]) => (seo?.noindex ? (id.split('/').at(-1) ?? []) : []))),
    ],
    variants: (gtin) => (groups ??= variantGroups([...all()].map(([id, data]) => ({ id, data })))).get(gtin) ?? [],
  };
}
