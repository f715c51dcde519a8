import { pathsByLanguage } from '../addresses/paths-by-language.ts';
import { numberedPath, normPath } from '../addresses/paths.ts';
import { trackedQuery } from '../port/tracked-queries.ts';
import { splitByWeight } from '../site/family-pages.ts';
import { GROUP_SOURCES } from '../site/product-groups.ts';
import type { Site } from '../site/site.ts';
import type { Norm, FamilyNorm } from './collect-norms.ts';

/** Page of a norm, with a limited number of families. */
export interface NormPage {
  norm: Norm;
  families: FamilyNorm[];
  /** One-based. */
  number: number;
  total: number;
}

const ROWS_PER_PAGE = 240;

/** Lists the pages of all norms in a language. */
export function normPages(site: Pick<Site, 'norms'>, language: string): NormPage[] {
  return site.norms(language).flatMap(pagesOf);
}

/** Returns a page of a norm. Undefined if it doesn't exist. */
export const normPage = trackedQuery('normPage', GROUP_SOURCES, findPage);

function findPage(
  site: Pick<Site, 'norms'>,
  { language, slug, number }: { language: string; slug: string; number: number },
): NormPage | undefined {
  const norm = site.norms(language).find((candidate) => candidate.slug === slug);
  return norm && pagesOf(norm)[number - 1];
}

/** Returns the paths of the page's translations, by language. */
export const normPagePaths = trackedQuery(
  'normPagePaths',
  GROUP_SOURCES,
  (site: Pick<Site, 'norms' | 'languages'>, slug: string, number: number) =>
    pathsByLanguage(
      site,
      (language) => findPage(site, { language, slug, number }),
      (code) => numberedPath(normPath(code, slug), number),
    ),
);

const pagesByNorm = new WeakMap<Norm, NormPage[]>();

function pagesOf(norm: Norm): NormPage[] {
  const pages = pagesByNorm.get(norm) ?? cutIntoPages(norm);
  pagesByNorm.set(norm, pages);
  return pages;
}

function cutIntoPages(norm: Norm): NormPage[] {
  const cut = splitByWeight(norm.families, ({ rows }) => rows, ROWS_PER_PAGE);
  return cut.map((families, i) => ({ norm, families, number: i + 1, total: cut.length }));
}
