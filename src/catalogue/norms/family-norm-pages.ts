import { pathsByLanguage } from '../addresses/paths-by-language.ts';
import { numberedPath } from '../addresses/numbered-path.ts';
import { familyNormPath } from '../addresses/paths.ts';
import { question } from '../port/reads.ts';
import type { Site } from '../site/site.ts';
import { LISTED, type Family, type ProductGroup } from '../site/product-groups.ts';
import { pageList } from '../site/standing-pages.ts';
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

/** All pages of one family. */
export function familyNormPages(
  site: Pick<Site, 'norms'>,
  language: string,
  productGroup: FamilyProducts,
): FamilyNormPage[] {
  const { family } = productGroup;
  if (!family) return [];
  return site.norms(language).flatMap((norm) => {
    const own = norm.families.find((known) => known.family?.id === family.id);
    const declared = own && hasMore(own) ? declaredOn(productGroup).get(norm.slug) : undefined;
    return declared ? cut(family, norm, declared) : [];
  });
}

/** Undefined when there is no such page. */
export const familyNormPage = question('familyNormPage', LISTED, findPage);

function findPage(
  site: Pick<Site, 'norms'> & { productGroups: (language: string) => readonly FamilyProducts[] },
  { language, id, slug, number }: { language: string; id: string; slug: string; number: number },
): FamilyNormPage | undefined {
  const productGroup = site.productGroups(language).find(({ family }) => family?.id === id);
  const pages = productGroup ? familyNormPages(site, language, productGroup) : [];
  return pages.find((page) => page.norm.slug === slug && page.number === number);
}

/** Language -> path of the same page, as far as there is one. */
export const familyNormPaths = question(
  'familyNormPaths',
  LISTED,
  (
    site: Pick<Site, 'norms' | 'languages'>,
    { id, slug, number }: { id: string; slug: string; number: number },
  ): Record<string, string> => {
    const isThere = (language: string): boolean => {
      const norm = site.norms(language).find((one) => one.slug === slug);
      const own = norm?.families.find(({ family }) => family?.id === id);
      return own !== undefined && hasMore(own) && number <= Math.ceil(own.values / ROWS_PER_PAGE);
    };
    return pathsByLanguage(site, isThere, (code) => numberedPath(familyNormPath(code, id, slug), number));
  },
);

const known = new WeakMap<ProductGroup['products'], Map<string, NormInGroup>>();

function declaredOn({ products }: FamilyProducts): Map<string, NormInGroup> {
  const declared = known.get(products) ?? normGroups(products);
  known.set(products, declared);
  return declared;
}

function cut(family: Family, { slug, name }: Norm, { count, groups }: NormInGroup): FamilyNormPage[] {
  const rows = groups.flatMap((group) => group.rows.map((row) => ({ group, row })));
  return pageList(rows, ROWS_PER_PAGE).map(({ items, number, total }) => {
    const onPage = Map.groupBy(items, ({ group }) => group);
    const shown = [...onPage].map(([group, found]) => ({ ...group, rows: found.map(({ row }) => row) }));
    return { family, norm: { slug, name }, groups: shown, count, number, total };
  });
}
