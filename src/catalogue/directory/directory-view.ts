import { pathsByLanguage } from '../addresses/paths-by-language.ts';
import type { DirectoryPage } from '../port/product-index.ts';
import { trackedQuery } from '../port/tracked-queries.ts';
import type { Site } from '../site/site.ts';
import { numberedPath } from '../addresses/numbered-path.ts';
import { directoryPath } from '../addresses/paths.ts';

type PageKey = Pick<DirectoryPage, 'list' | 'section' | 'number'>;

/** Navigation of a page in a table of all products. */
export interface DirectoryView {
  /** Number of pages in the section. */
  total: number;
  sections: string[];
  /** Pages of the section to jump to, with the first and last row of each range. */
  ranges: { number: number; first: string; last: string }[];
}

/** Maximum number of ranges on a page. */
const MAX_RANGES = 40;

export const directoryView = trackedQuery('directoryView', ['lists'], findView);

function findView(
  site: Pick<Site, 'directoryPages'>,
  language: string,
  { list, section }: Pick<PageKey, 'list' | 'section'>,
): DirectoryView {
  const pages = groupPages(site.directoryPages(language)).get(`${list}/${section}`) ?? [];
  const step = Math.ceil(pages.length / MAX_RANGES);
  const ranges = pages.flatMap(({ number, first, last }, i) =>
    i % step === 0 ? [{ number, first, last: pages[Math.min(i + step, pages.length) - 1]?.last ?? last }] : [],
  );
  return {
    total: pages.length,
    sections: list === 'names' ? findSections(site, language) : [],
    ranges: pages.length > 1 ? ranges : [],
  };
}

/** Lists the sections of the A-Z list. */
export const directorySections = trackedQuery('directorySections', ['lists'], findSections);

function findSections(site: Pick<Site, 'directoryPages'>, language: string): string[] {
  return [...groupPages(site.directoryPages(language)).values()].flatMap(([page]) =>
    page?.list === 'names' ? [page.section] : [],
  );
}

/** Returns the paths of the page's translations, by language. */
export const directoryPaths = trackedQuery(
  'directoryPaths',
  ['lists', 'languages'],
  (site: Pick<Site, 'directoryPages' | 'languages'>, { list, section, number }: PageKey) =>
    pathsByLanguage(
      site,
      (code) => (groupPages(site.directoryPages(code)).get(`${list}/${section}`) ?? []).length >= number,
      (code) => numberedPath(directoryPath(code, list, section), number),
    ),
);

const grouped = new WeakMap<readonly DirectoryPage[], Map<string, DirectoryPage[]>>();

/** Groups pages by list and section once per list, because a large catalogue has thousands of pages. */
function groupPages(pages: readonly DirectoryPage[]): Map<string, DirectoryPage[]> {
  const groups = grouped.get(pages) ?? Map.groupBy(pages, ({ list, section }) => `${list}/${section}`);
  grouped.set(pages, groups);
  return groups;
}
