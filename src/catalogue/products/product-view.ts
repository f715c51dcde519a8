import type { ProductListEntry, ProductEntry } from '#catalogue/entries/entries.ts';
import { familyPath, homePath, productPath, productsPath } from '../addresses/paths.ts';
import { trackedQuery } from '../site/tracked-queries.ts';
import type { Crumb } from '../json-ld/site-json-ld.ts';
import type { Site } from '../site/load-site.ts';
import { GROUP_SOURCES, type Family } from '../site/product-groups.ts';
import type { OverlayData } from './listed-product.ts';

export type ListedProduct = ProductListEntry;

/** A product with the related data that its page shows. */
export interface ProductView<T extends ProductListEntry = ProductEntry> {
  product: T;
  family: Family | undefined;
  /** True if the page states whether the product is folded, because some of its family are. */
  showsFolded: boolean;
  related: readonly ProductListEntry[];
  successor: ProductListEntry | undefined;
  /** Formats of the product, including itself. Empty if it is the only one. */
  variants: readonly ProductListEntry[];
  accessories: readonly ProductListEntry[];
  additions: OverlayData;
}

/** Returns the family of a product, and whether some products in it are folded. */
const listedFamily = trackedQuery(
  'listedFamily',
  GROUP_SOURCES,
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

export function productView<T extends ProductListEntry>(
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
 * Returns the key of the heading above a product's values. "Declared" requires a declaration of performance and a norm
 * for each value.
 */
export function valueHeading({
  attributes,
  declaration_of_performance,
}: Pick<ProductEntry, 'attributes' | 'declaration_of_performance'>): 'attribute.declared' | 'attribute.value' {
  const isDeclared = Boolean(declaration_of_performance) && attributes.every(({ norm }) => norm !== '');
  return isDeclared ? 'attribute.declared' : 'attribute.value';
}

export type PackagedProduct = Pick<
  ProductListEntry,
  'trade_unit' | 'packaging_unit' | 'packaging_unit_quantity' | 'bundle_unit' | 'bundle_unit_quantity'
>;

interface Package {
  field: 'packaging_unit' | 'bundle_unit';
  /** Name of the unit in the language of the record. */
  unit: string;
  /** Number of trade units, as decimal text. */
  quantity: string;
}

/** Returns the packaging units of a product from small to large, without duplicates. */
export function listPackages(product: PackagedProduct): Package[] {
  const { packaging_unit, packaging_unit_quantity, bundle_unit, bundle_unit_quantity } = product;
  const sameUnit = packaging_unit === bundle_unit && packaging_unit_quantity?.value === bundle_unit_quantity?.value;
  const packages = [
    { field: 'packaging_unit' as const, unit: packaging_unit, quantity: packaging_unit_quantity },
    { field: 'bundle_unit' as const, unit: sameUnit ? '' : bundle_unit, quantity: bundle_unit_quantity },
  ];
  return packages.flatMap(({ field, unit, quantity }) =>
    unit !== '' && quantity && quantity.value > 1 ? [{ field, unit, quantity: quantity.text }] : [],
  );
}
