import { pathsByLanguage } from '../addresses/paths-by-language.ts';
import { numberedPath, normPath, familyNormPath } from '../addresses/paths.ts';
import { cacheByObject } from '../cache.ts';
import { trackedQuery } from '../site/tracked-queries.ts';
import { splitByWeight } from '../site/family-pages.ts';
import { GROUP_SOURCES, type Family, type ProductGroup, type Norm } from '../site/product-groups.ts';
import type { Site } from '../site/load-site.ts';
import { numberPages } from '../site/navigation.ts';
import { groupByNorm } from './norm-groups.ts';
import { toBcp47 } from '#contracts/product/index.ts';
import type { NormEntry } from '#catalogue/entries/entries.ts';
import { baseLanguage, pickLocalized } from '#contracts/localized.ts';

const FAMILY_ROWS_PER_PAGE = 96;

type FamilyProducts = Pick<ProductGroup, 'family' | 'products'>;

/** True if the norm's page omits values. */
export function hasOmittedValues({ values, rows }: { values: number; rows: number }): boolean {
  return values > rows;
}

/** Counts the pages of a family under a norm. @param id ID of the family. */
function countPages(norm: Norm | undefined, id: string): number {
  const normOfFamily = norm?.families.find(({ family }) => family?.id === id);
  return normOfFamily && hasOmittedValues(normOfFamily) ? Math.ceil(normOfFamily.values / FAMILY_ROWS_PER_PAGE) : 0;
}

/** Lists the pages of a family under all norms. Reads no products. */
export function familyNormPages(
  site: Pick<Site, 'norms'>,
  language: string,
  family: Family,
): { slug: string; number: number }[] {
  return site
    .norms(language)
    .flatMap((norm) => numberPages(countPages(norm, family.id)).map(({ number }) => ({ slug: norm.slug, number })));
}

function findNorm(site: Pick<Site, 'norms'>, language: string, slug: string): Norm | undefined {
  return site.norms(language).find((norm) => norm.slug === slug);
}

/** Returns a page of the values that a family declares under a norm. Undefined if it doesn't exist. */
export const familyNormPage = trackedQuery(
  'familyNormPage',
  GROUP_SOURCES,
  (
    site: Pick<Site, 'norms'> & { productGroups: (language: string) => readonly FamilyProducts[] },
    { language, id, slug, number }: { language: string; id: string; slug: string; number: number },
  ) => {
    const productGroup = site.productGroups(language).find(({ family }) => family?.id === id);
    const total = countPages(findNorm(site, language, slug), id);
    if (!productGroup?.family || number > total) return undefined;
    // The name comes from the family's own products.
    const declared = declaredNorms(productGroup.products).get(slug);
    if (!declared) return undefined;
    const rows = declared.groups.flatMap((group) => group.rows.map((row) => ({ group, row })));
    const onPage = Map.groupBy(
      rows.slice((number - 1) * FAMILY_ROWS_PER_PAGE, number * FAMILY_ROWS_PER_PAGE),
      ({ group }) => group,
    );
    const groups = [...onPage].map(([group, found]) => ({ ...group, rows: found.map(({ row }) => row) }));
    return {
      family: productGroup.family,
      norm: { slug, name: declared.name },
      groups,
      count: declared.count,
      number,
      total,
    };
  },
);

export const familyNormPaths = trackedQuery(
  'familyNormPaths',
  GROUP_SOURCES,
  (
    site: Pick<Site, 'norms' | 'languages'>,
    { id, slug, number }: { id: string; slug: string; number: number },
  ): Record<string, string> => {
    const exists = (language: string): boolean => number <= countPages(findNorm(site, language, slug), id);
    return pathsByLanguage(site, exists, (code) => numberedPath(familyNormPath(code, id, slug), number));
  },
);

const declaredNorms = cacheByObject((products: ProductGroup['products']) => groupByNorm(products));

const ROWS_PER_PAGE = 240;

/** Returns the pages of all norms, with a limited number of families. */
export function normPages(site: Pick<Site, 'norms'>, language: string) {
  return site.norms(language).flatMap(pagesOf);
}

/** Returns a page of a norm. Undefined if it doesn't exist. */
export const normPage = trackedQuery(
  'normPage',
  GROUP_SOURCES,
  (site: Pick<Site, 'norms'>, { language, slug, number }: { language: string; slug: string; number: number }) => {
    const norm = findNorm(site, language, slug);
    return norm && pagesOf(norm)[number - 1];
  },
);

export const normPagePaths = trackedQuery(
  'normPagePaths',
  GROUP_SOURCES,
  (site: Pick<Site, 'norms' | 'languages'>, slug: string, number: number) =>
    pathsByLanguage(
      site,
      (language) => normPage(site, { language, slug, number }),
      (code) => numberedPath(normPath(code, slug), number),
    ),
);

const pagesOf = cacheByObject((norm: Norm) => {
  const cut = splitByWeight(norm.families, ({ rows }) => rows, ROWS_PER_PAGE);
  return cut.map((families, i) => ({ norm, families, number: i + 1, total: cut.length }));
});

export interface NormText extends Readonly<NormEntry['texts'][string]> {
  kind: NormEntry['kind'];
  /** BCP 47 tag of the text if it differs from the page's language. */
  lang: string | undefined;
}

/** Returns the editorial text of a norm, in the language of the page if available. Undefined if there is none. */
export function normText(
  site: Pick<Site, 'normEntry' | 'mainLanguage'>,
  norm: string,
  language: string,
): NormText | undefined {
  const entry = site.normEntry(norm);
  const text = entry && pickLocalized(entry.texts, language, site.mainLanguage);
  if (!text) return undefined;
  const isTranslated = entry.texts[language] === text || entry.texts[baseLanguage(language)] === text;
  return { ...text, kind: entry.kind, lang: isTranslated ? undefined : toBcp47(site.mainLanguage) };
}
