import { productSlug } from '#catalogue/addresses/slugs.ts';
import { productEntry, type ProductEntry } from '#model/entries.ts';
import type { Snapshot, StoredProduct } from '#snapshot/index.ts';

/** What a neighbour's page shows of a product. */
export interface Neighbour {
  gtin: string;
  name: string;
  slug: string;
  item: string;
}

export interface NeighbouredProduct {
  product: ProductEntry;
  related: Neighbour[];
  /** Whether some of its family are folded. */
  showsFolded: boolean;
}

const MAX_RELATED = 4;

/**
 * The products of a generated catalogue, which are all translated, offered and without files.
 * @throws Error when one isn't.
 */
export function* readProducts(snapshot: Snapshot): Generator<NeighbouredProduct> {
  const productGroups = new Map<string, Neighbour[]>();
  const folded = new Set<string>();
  const slugs = new Map<string, Record<string, string>>();
  const places = new Map<Neighbour[], Map<string, number>>();
  for (const { gtin, language, family = '', record } of snapshot.products()) {
    const slug = productSlug(record.name, gtin);
    const productGroup = productGroups.get(keyOf(language, family)) ?? [];
    const place = places.get(productGroup) ?? new Map<string, number>();
    productGroups.set(keyOf(language, family), productGroup);
    places.set(productGroup, place.set(gtin, productGroup.length));
    productGroup.push({ gtin, name: record.name, slug, item: record.item_number ?? '' });
    if (record.folded) folded.add(keyOf(language, family));
    slugs.set(gtin, { ...slugs.get(gtin), [language]: slug });
  }
  for (const stored of snapshot.products()) {
    const productGroup = productGroups.get(keyOf(stored.language, stored.family ?? '')) ?? [];
    const own = places.get(productGroup)?.get(stored.gtin) ?? 0;
    const behind = productGroup.slice(own + 1, own + 1 + MAX_RELATED);
    const before = productGroup.slice(0, Math.min(own, MAX_RELATED - behind.length));
    yield {
      product: toEntry(stored, slugs.get(stored.gtin) ?? {}),
      related: [...behind, ...before],
      showsFolded: folded.has(keyOf(stored.language, stored.family ?? '')),
    };
  }
}

function keyOf(language: string, family: string): string {
  return `${language}/${family}`;
}

function toEntry(
  { gtin, language, record, family, position, changedAt }: StoredProduct,
  slugs: Record<string, string>,
): ProductEntry {
  const { image, banner, datasheet, safety_datasheet, declaration_of_performance } = record;
  if (record.language !== language || image || banner || datasheet || safety_datasheet || declaration_of_performance) {
    throw new Error(`${gtin} in ${language} has what the templates of the peers don't show.`);
  }
  return productEntry.parse({
    ...record,
    storedAs: language,
    pageLanguage: language,
    fallback: false,
    translations: Object.keys(slugs),
    slug: slugs[language],
    slugs,
    family,
    position,
    documents: [],
    changed: changedAt,
  });
}
