import type { ListedEntry, ProductEntry } from '#model/entries.ts';
import { familyPath, homePath, productPath, productsPath } from '../addresses/paths.ts';
import { question } from '../port/reads.ts';
import type { Crumb } from '../json-ld/site-json-ld.ts';
import type { Site } from '../site/site.ts';
import { LISTED, type Family } from '../site/product-groups.ts';
import type { Additions } from './additions.ts';

const places = new WeakMap<readonly object[], Map<string, number>>();

/** What lists show of a product. */
export type ListedProduct = ListedEntry;

/** A product and what its page shows around it. */
export interface ProductView<T extends ListedEntry = ProductEntry> {
  product: T;
  family: Family | undefined;
  /** Whether it says something that this product is folded or not: some of its family are. */
  showsFolded: boolean;
  related: readonly ListedEntry[];
  /** The product to take instead. */
  successor: ListedEntry | undefined;
  /** Formats of the same product, itself among them; none when there is no other. */
  variants: readonly ListedEntry[];
  accessories: readonly ListedEntry[];
  /** What is written to it. */
  additions: Additions;
}

/** The family that a product is listed in, and whether some products of it are folded. */
const listedFamily = question(
  'listedFamily',
  LISTED,
  (site: Pick<Site, 'productGroups'>, language: string, id: string | undefined) => {
    const productGroup = site.productGroups(language).find(({ family }) => family && family.id === id);
    return (
      productGroup && {
        family: productGroup.family,
        hasFolded: productGroup.facets.some((facet) => facet.id === 'folded'),
      }
    );
  },
);

export function productView<T extends ListedEntry>(
  site: Pick<Site, 'productGroups' | 'successor' | 'neighbours' | 'variants' | 'accessories' | 'additions'>,
  product: T,
): ProductView<T> {
  const { pageLanguage: language, gtin } = product;
  const listed = listedFamily(site, language, product.family);
  return {
    product,
    family: listed?.family,
    showsFolded: product.folded === true || (listed?.hasFolded ?? false),
    related: listed ? site.neighbours(language, gtin) : [],
    successor: site.successor(language, gtin),
    variants: site.variants(language, gtin),
    accessories: site.accessories(language, gtin),
    additions: site.additions(language, gtin),
  };
}

export function productCrumbs(
  { product, family }: Pick<ProductView, 'product' | 'family'>,
  names: { home: string; products: string },
): Crumb[] {
  const language = product.pageLanguage;
  return [
    { name: names.home, path: homePath(language) },
    { name: names.products, path: productsPath(language) },
    ...(family ? [{ name: family.name, path: familyPath(language, family.id) }] : []),
    { name: product.name, path: productPath(language, product.slug) },
  ];
}

/**
 * Neighbours in the family, beginning behind the product and going round, so that every product of a family is
 * somewhere's neighbour.
 */
export function relatedProducts<T extends { gtin: string }>(family: readonly T[], gtin: string, limit: number): T[] {
  const own = placesIn(family).get(gtin) ?? -1;
  const behind = family.slice(own + 1, own + 1 + limit);
  return [...behind, ...family.slice(0, Math.max(0, Math.min(own, limit - behind.length)))];
}

/** Looked up once for a family: each of its products asks. */
function placesIn(family: readonly { gtin: string }[]): Map<string, number> {
  const known = places.get(family) ?? new Map(family.map(({ gtin }, place) => [gtin, place]));
  places.set(family, known);
  return known;
}

/**
 * What heads the values of a product: they are declared only where each of them has a norm and there is a declaration
 * of performance, which holds no others.
 */
export function valueHeading({
  attributes,
  declaration_of_performance,
}: Pick<ProductEntry, 'attributes' | 'declaration_of_performance'>): 'attribute.declared' | 'attribute.value' {
  const isDeclared = Boolean(declaration_of_performance) && attributes.every(({ norm }) => norm !== '');
  return isDeclared ? 'attribute.declared' : 'attribute.value';
}
