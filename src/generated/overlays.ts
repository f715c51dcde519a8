import type { CollectionEntries } from '#catalogue/port/render-context.ts';
import { additionsOf, type Additions } from '#catalogue/products/additions.ts';
import { variantGroups } from '#catalogue/products/variants.ts';
import type { OverlayEntry } from '#model/overlay-entry.ts';

/** What is written to products in `content/products`. */
export interface WrittenOverlays {
  /** As the page of a product has it: see `additionsOf`. */
  additions: (language: string, gtin: string) => Additions;
  /** Whether the page of a product in a language is kept from search engines, and so from feeds and the search. */
  isHidden: (language: string, gtin: string) => boolean;
  /** GTINs that may be hidden in some language. */
  hideable: () => string[];
  /** GTINs of all formats of a product, its own included; empty where it has one. */
  variants: (gtin: string) => readonly string[];
}

/** By their ids: `<language>/<gtin>`, or `<gtin>` for all languages. */
export type OverlayEntries = ReadonlyMap<string, OverlayEntry>;

/** Those that Astro has read when it made a bundle. */
export function collectedOverlays(collections: ReadonlyMap<string, CollectionEntries>): OverlayEntries {
  const entries = collections.get('overlays') ?? [];
  return new Map(entries.map(({ id, data }) => [id, data as OverlayEntry]));
}

/** @param read Called when something is first asked for. */
export function writtenOverlays(read: () => OverlayEntries): WrittenOverlays {
  let overlays: OverlayEntries | undefined;
  let groups: ReturnType<typeof variantGroups> | undefined;
  const all = () => (overlays ??= read());
  const additions: WrittenOverlays['additions'] = (language, gtin) =>
    additionsOf(language, gtin, (id) => all().get(id));
  return {
    additions,
    isHidden: (language, gtin) => additions(language, gtin).seo?.noindex === true,
    hideable: () => [
      ...new Set([...all()].flatMap(([id, { seo }]) => (seo?.noindex ? (id.split('/').at(-1) ?? []) : []))),
    ],
    variants: (gtin) => (groups ??= variantGroups([...all()].map(([id, data]) => ({ id, data })))).get(gtin) ?? [],
  };
}
