import type { ListedNorm } from '../read-model/product-index.ts';
import type { Family, ProductGroup } from '../site/product-groups.ts';

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
