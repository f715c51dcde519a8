import { pathsByLanguage } from '../addresses/paths-by-language.ts';
import { numberedPath } from '../addresses/numbered-path.ts';
import { familyNormPath } from '../addresses/paths.ts';
import { question } from '../port/reads.ts';
import type { Site } from '../site/site.ts';
import { LISTED, type Family, type ProductGroup } from '../site/product-groups.ts';
import type { Norm } from './collect-norms.ts';
import { normGroups, type NormGroup, type NormInGroup } from './norm-groups.ts';

/** A page of what a family declares under a norm, where that is more than the page of the norm shows. */
export interface FamilyNormPage {
  family: Family;
  norm: Pick<Norm, 'slug' | 'name'>;
  /** As far as they stand on this page. */
  groups: NormGroup[];
  /** Products of the family that declare something under the norm. */
  count: number;
  /** From 1. */
  number: number;
  total: number;
}

const ROWS_PER_PAGE = 96;

type FamilyProducts = Pick<ProductGroup, 'family' | 'products'>;

/** Whether the page of the norm leaves something out. */
export function hasMore({ values, rows }: { values: number; rows: number }): boolean {
  return values > rows;
}

/** How many pages a family has under a norm. @param id The family's. */
function countPages(norm: Norm | undefined, id: string): number {
  const own = norm?.families.find(({ family }) => family?.id === id);
  return own && hasMore(own) ? Math.ceil(own.values / ROWS_PER_PAGE) : 0;
}

/** All pages of one family, by the slugs of their norms. No product is read for it. */
export function familyNormPages(
  site: Pick<Site, 'norms'>,
  language: string,
  family: Family,
): { slug: string; number: number }[] {
  return site.norms(language).flatMap((norm) => {
    const total = countPages(norm, family.id);
    return Array.from({ length: total }, (_, i) => ({ slug: norm.slug, number: i + 1 }));
  });
}

function findNorm(site: Pick<Site, 'norms'>, language: string, slug: string): Norm | undefined {
  return site.norms(language).find((norm) => norm.slug === slug);
}

/** Undefined when there is no such page. */
export const familyNormPage = question('familyNormPage', LISTED, findPage);

function findPage(
  site: Pick<Site, 'norms'> & { productGroups: (language: string) => readonly FamilyProducts[] },
  { language, id, slug, number }: { language: string; id: string; slug: string; number: number },
): FamilyNormPage | undefined {
  const productGroup = site.productGroups(language).find(({ family }) => family?.id === id);
  const total = countPages(findNorm(site, language, slug), id);
  if (!productGroup?.family || number > total) return undefined;
  // By the name that the family's own products give it.
  const declared = declaredOn(productGroup).get(slug);
  if (!declared) return undefined;
  const rows = declared.groups.flatMap((group) => group.rows.map((row) => ({ group, row })));
  const onPage = Map.groupBy(rows.slice((number - 1) * ROWS_PER_PAGE, number * ROWS_PER_PAGE), ({ group }) => group);
  const groups = [...onPage].map(([group, found]) => ({ ...group, rows: found.map(({ row }) => row) }));
  return {
    family: productGroup.family,
    norm: { slug, name: declared.name },
    groups,
    count: declared.count,
    number,
    total,
  };
}

/** Language -> path of the same page, as far as there is one. */
export const familyNormPaths = question(
  'familyNormPaths',
  LISTED,
  (
    site: Pick<Site, 'norms' | 'languages'>,
    { id, slug, number }: { id: string; slug: string; number: number },
  ): Record<string, string> => {
    const isThere = (language: string): boolean => number <= countPages(findNorm(site, language, slug), id);
    return pathsByLanguage(site, isThere, (code) => numberedPath(familyNormPath(code, id, slug), number));
  },
);

const known = new WeakMap<ProductGroup['products'], Map<string, NormInGroup>>();

function declaredOn({ products }: FamilyProducts): Map<string, NormInGroup> {
  const declared = known.get(products) ?? normGroups(products);
  known.set(products, declared);
  return declared;
}
