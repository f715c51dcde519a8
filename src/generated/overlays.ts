import { additionsOf, type Additions } from '#catalogue/products/additions.ts';
import { variantGroups } from '#catalogue/products/variants.ts';
import { readOverlays } from '#projection/read-overlays.ts';

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

/** Read when something is first asked for. */
export function writtenOverlays(root: string): WrittenOverlays {
  let overlays: ReturnType<typeof readOverlays> | undefined;
  let groups: ReturnType<typeof variantGroups> | undefined;
  const all = () => (overlays ??= readOverlays(root));
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
