import type { ProductListEntry } from '#catalogue/entries/entries.ts';
import type { ProductIndex, ListedGroup, ListedNorm } from '../read-model/product-index.ts';
import { recordQuery, trackedQuery, type QuerySource } from './tracked-queries.ts';

/** Sources of product groups, including names and positions of families. */
export const GROUP_SOURCES: readonly QuerySource[] = ['lists', 'families', 'languages'];

/** Maximum number of rows per family in the list of all products. The family's own pages have the rest. */
export const MAX_GROUP_ROWS = 12;

export interface Family {
  id: string;
  name: string;
  description?: string | undefined;
}

/**
 * A family with its products. The last group has no family and contains the remaining products. Products are read
 * lazily.
 */
export interface ProductGroup extends Omit<ListedGroup, 'productGroup' | 'documentsDigest'> {
  family: Family | undefined;
  readonly products: readonly ProductListEntry[];
  head(limit: number): readonly ProductListEntry[];
  /** Product that represents the group: the first available one, else the first. */
  readonly first: ProductListEntry | undefined;
}

export interface FamilyGroup {
  family: Family;
  productGroup: ProductGroup;
}

/** Returns the product groups of a language in the order of the families. Empty groups are omitted. */
export function createProductGroups(
  productIndex: Pick<ProductIndex, 'productGroups' | 'productGroup' | 'head' | 'product'>,
  language: string,
  families: readonly Family[],
): ProductGroup[] {
  const listed = new Map(productIndex.productGroups(language).map((row) => [row.productGroup, row]));
  return [...families, undefined].flatMap((family): ProductGroup | [] => {
    const row = listed.get(family?.id ?? '');
    if (!row) return [];
    const { productGroup, documentsDigest: _, ...fields } = row;
    return recordGroup(language, {
      ...fields,
      family,
      get products() {
        return productIndex.productGroup(language, productGroup);
      },
      head: (limit) => productIndex.head(language, productGroup, limit),
      get first() {
        return productIndex.product(language, fields.firstGtin);
      },
    });
  });
}

const FIELDS = [
  'count',
  'highlights',
  'columns',
  'version',
  'image',
  'firstGtin',
  'isMeasured',
  'zips',
  'facets',
  'shared',
  'products',
  'first',
] as const satisfies readonly (keyof ProductGroup)[];

interface Groups {
  productGroups(language: string): readonly ProductGroup[];
}

const groupIn = (site: Groups, language: string, id: string) =>
  site.productGroups(language).find(({ family }) => (family?.id ?? '') === id);

trackedQuery(
  'productGroup',
  GROUP_SOURCES,
  (site: Groups, language: string, id: string, field: (typeof FIELDS)[number]) => groupIn(site, language, id)?.[field],
);
trackedQuery('productGroupHead', GROUP_SOURCES, (site: Groups, language: string, id: string, limit: number) =>
  groupIn(site, language, id)?.head(limit),
);

/** Returns a product group that records reads. In the result of a query it is represented by its family. */
function recordGroup(language: string, productGroup: ProductGroup): ProductGroup {
  const { family, head } = productGroup;
  const id = family?.id ?? '';
  const recorded = {
    family,
    head: (limit: number) => recordQuery('productGroupHead', [language, id, limit], () => head(limit)),
  };
  const properties = FIELDS.map((field) => [
    field,
    { enumerable: true, get: () => recordQuery('productGroup', [language, id, field], () => productGroup[field]) },
  ]);
  const toJSON = { value: () => [language, family] };
  return Object.defineProperties(recorded, { ...Object.fromEntries(properties), toJSON }) as ProductGroup;
}

/** A norm with the families that declare values under it. */
export interface Norm {
  /** `en-1928`. */
  slug: string;
  /** `EN 1928`. */
  name: string;
  /** Number of products. */
  count: number;
  /** In the order of the families. The last has no family and represents the remaining products. */
  families: FamilyNorm[];
}

export interface FamilyNorm extends Pick<ListedNorm, 'count' | 'values' | 'rows' | 'digest'> {
  family: Family | undefined;
}

const byName = new Intl.Collator('en', { numeric: true });

/** Collects the norms, sorted by name with natural numbers: `EN 1109` precedes `EN 12310-1`. */
export function collectNorms(
  listed: readonly ListedNorm[],
  productGroups: readonly Pick<ProductGroup, 'family'>[],
): Norm[] {
  const byNorm = Map.groupBy(listed, ({ norm }) => norm);
  const norms = [...byNorm].map(([slug, found]) => {
    const byGroup = new Map(found.map((norm) => [norm.productGroup, norm]));
    const families = productGroups.flatMap(({ family }) => {
      const norm = byGroup.get(family?.id ?? '');
      return norm ? [{ family, count: norm.count, values: norm.values, rows: norm.rows, digest: norm.digest }] : [];
    });
    const count = families.reduce((sum, family) => sum + family.count, 0);
    return { slug, name: found[0]?.name ?? slug, count, families };
  });
  return norms.filter(({ count }) => count > 0).toSorted((a, b) => byName.compare(a.name, b.name));
}
