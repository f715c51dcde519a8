import type { ListedEntry, ProductEntry } from '#model/entries.ts';
import type { Additions } from './additions.ts';
import type { Site } from '../site/load-site.ts';
import type { Family } from '../site/product-groups.ts';

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

const MAX_RELATED = 4;

export function productView<T extends ListedEntry>(
  site: Pick<Site, 'productGroups' | 'successor' | 'neighbours' | 'variants' | 'accessories' | 'additions'>,
  product: T,
): ProductView<T> {
  const productGroup = site
    .productGroups(product.pageLanguage)
    .find(({ family }) => family && family.id === product.family);
  return {
    product,
    family: productGroup?.family,
    showsFolded: product.folded === true || (productGroup?.facets.some(({ id }) => id === 'folded') ?? false),
    related: productGroup ? site.neighbours(product, MAX_RELATED) : [],
    successor: site.successor(product),
    variants: site.variants(product),
    accessories: site.accessories(product),
    additions: site.additions(product.pageLanguage, product.gtin),
  };
}
