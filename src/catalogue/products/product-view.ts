import type { ProductListEntry, ProductEntry } from '#catalogue/entries/entries.ts';
import { DIMENSION_FIELDS, type TEXT_FIELDS } from '#contracts/product/index.ts';
import { familyPath, homePath, productPath, productsPath } from '../addresses/paths.ts';
import { trackedQuery } from '../site/tracked-queries.ts';
import type { Crumb } from '../seo/linked-data.ts';
import type { Site } from '../site/load-site.ts';
import { GROUP_SOURCES, type Family } from '../site/product-groups.ts';
import { familySdValues, productSdValue, type SdValue } from '../quantities/sd-scale.ts';
import { toMeasure } from '../quantities/measure.ts';
import { keyValues, type Highlight } from './key-values.ts';
import type { OverlayData } from './listed-product.ts';

export type ListedProduct = ProductListEntry;

/** Texts of the first section of a product page, and of the section about its application. */
export const USE_TEXTS = ['application', 'advantages'] as const satisfies readonly (typeof TEXT_FIELDS)[number][];
export const PROCESSING_TEXTS = [
  'substrate',
  'limiting_factors',
] as const satisfies readonly (typeof TEXT_FIELDS)[number][];

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
  /** Declared values at the top of the page: the highlights of the family, then further ones. */
  figures: readonly T['attributes'][number][];
  /** Present if others of the family declare one, too. */
  sd: { value: SdValue; others: SdValue[] } | undefined;
}

const FIGURES = 4;
/** Maximum length of values that no highlight names. */
const MAX_FIGURE_CHARACTERS = 24;
/** Number of highlights that determine the figures. Further ones change with every product of a family. */
const MAX_HIGHLIGHTS = 12;

/** Returns the family of a product, with the data that the pages of its products show. */
const listedFamily = trackedQuery(
  'listedFamily',
  GROUP_SOURCES,
  (site: Pick<Site, 'productGroups' | 'normInGroup'>, language: string, id: string | undefined) => {
    const productGroup = site.productGroups(language).find(({ family }) => family && family.id === id);
    if (!productGroup) return undefined;
    const known = listedFamilies.get(productGroup);
    if (known) return known;
    const listed = {
      family: productGroup.family,
      hasFolded: productGroup.facets.some((facet) => facet.id === 'folded'),
      highlights: productGroup.highlights.slice(0, MAX_HIGHLIGHTS),
      sdValues: familySdValues((norm) => site.normInGroup(language, norm, id)),
    };
    listedFamilies.set(productGroup, listed);
    return listed;
  },
);

interface ListedFamily {
  family: Family | undefined;
  hasFolded: boolean;
  highlights: readonly Highlight[];
  sdValues: [gtin: string, SdValue][];
}

const listedFamilies = new WeakMap<object, ListedFamily>();

export function productView<T extends ProductListEntry>(
  site: Pick<
    Site,
    'productGroups' | 'normInGroup' | 'successor' | 'neighbours' | 'variants' | 'accessories' | 'additions'
  >,
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
    figures: keyFigures(product, listed?.highlights),
    sd: compareSd(product, listed?.sdValues),
  };
}

function keyFigures<T extends ProductListEntry>(
  product: T,
  highlights: readonly Highlight[] = [],
): ProductView<T>['figures'] {
  const { attributes, attributeKeys } = product;
  const own = attributeKeys.filter((_, i) => (attributes[i]?.value.length ?? 0) <= MAX_FIGURE_CHARACTERS);
  return keyValues(product, [...highlights, ...own.map((key) => [key])], FIGURES);
}

/** Returns the sd value of a product and the different ones of its family. Undefined if no other product has one. */
function compareSd(product: ProductListEntry, family: ListedFamily['sdValues'] = []): ProductView['sd'] {
  const value = productSdValue(product);
  const others = family.filter(([gtin]) => gtin !== product.gtin).map(([, other]) => other);
  if (!value || others.length === 0) return undefined;
  const different = new Map(others.map((other) => [other.text, other]));
  different.delete(value.text);
  return { value, others: [...different.values()] };
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

/** Returns the packaging units from small to large, without duplicates. */
export function listPackages(product: PackagedProduct) {
  const { packaging_unit, packaging_unit_quantity, bundle_unit, bundle_unit_quantity } = product;
  const sameUnit = packaging_unit === bundle_unit && packaging_unit_quantity?.value === bundle_unit_quantity?.value;
  const packages = [
    { field: 'packaging_unit' as const, unit: packaging_unit, quantity: packaging_unit_quantity },
    { field: 'bundle_unit' as const, unit: sameUnit ? '' : bundle_unit, quantity: bundle_unit_quantity },
  ];
  return packages.filter(({ unit }) => unit !== '');
}

/**
 * Returns the packaging units of several trade units, with the number of these as decimal text.
 * @param unitOf Returns the name of a unit.
 */
export function countedPackages<Unit>(
  product: PackagedProduct,
  unitOf: (word: string) => Unit,
): { unit: Unit; quantity: string }[] {
  return listPackages(product).flatMap(({ unit, quantity }) =>
    quantity && quantity.value > 1 ? { unit: unitOf(unit), quantity: quantity.text } : [],
  );
}

/** Returns the dimensions of a product, and its trade and packaging units from small to large. */
export function productDimensions(product: ProductEntry) {
  const packages = listPackages(product).map(({ quantity, ...unit }) => ({ ...unit, quantity: quantity?.text }));
  const tradeUnit = { field: 'trade_unit' as const, unit: product.trade_unit, quantity: undefined };
  return {
    dimensions: DIMENSION_FIELDS.flatMap((field) => {
      const decimal = product[field];
      return decimal ? [{ field, measure: toMeasure(field, decimal) }] : [];
    }),
    packaging: product.trade_unit === '' ? packages : [tradeUnit, ...packages],
  };
}
