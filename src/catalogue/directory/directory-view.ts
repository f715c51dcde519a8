import { pathsByLanguage } from '../addresses/paths-by-language.ts';
import type { DirectoryPage } from '../port/directory.ts';
import { question } from '../port/reads.ts';
import type { Site } from '../site/site.ts';
import { numberedPath } from '../addresses/numbered-path.ts';
import { directoryPath } from '../addresses/paths.ts';

type Place = Pick<DirectoryPage, 'list' | 'section' | 'number'>;

/** What a page of a table of all products says of the others. */
export interface DirectoryView {
  /** How many pages there are in its section. */
  total: number;
  /** Letters of the A-Z list. */
  sections: string[];
  /** Pages of its section to jump to, by what their rows begin and end with. */
  ranges: { number: number; first: string; last: string }[];
}

/** More of them would fill the page; the others are a step away. */
const MAX_RANGES = 40;

export const directoryView = question('directoryView', ['lists'], findView);

function findView(
  site: Pick<Site, 'directoryPages'>,
  language: string,
  { list, section }: Pick<Place, 'list' | 'section'>,
): DirectoryView {
  const pages = sectionsOf(site.directoryPages(language)).get(`${list}/${section}`) ?? [];
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

/** Letters that names begin with. */
export const directorySections = question('directorySections', ['lists'], findSections);

function findSections(site: Pick<Site, 'directoryPages'>, language: string): string[] {
  return [...sectionsOf(site.directoryPages(language)).values()].flatMap(([page]) =>
    page?.list === 'names' ? [page.section] : [],
  );
}

/** Language -> path of the same page, as far as there is one. */
export const directoryPaths = question(
  'directoryPaths',
  ['lists', 'languages'],
  (site: Pick<Site, 'directoryPages' | 'languages'>, { list, section, number }: Place) =>
    pathsByLanguage(
      site,
      (code) => (sectionsOf(site.directoryPages(code)).get(`${list}/${section}`) ?? []).length >= number,
      (code) => numberedPath(directoryPath(code, list, section), number),
    ),
);

const grouped = new WeakMap<readonly DirectoryPage[], Map<string, DirectoryPage[]>>();

/** Pages by list and section: a large catalogue has thousands of them. */
function sectionsOf(pages: readonly DirectoryPage[]): Map<string, DirectoryPage[]> {
  const known = grouped.get(pages) ?? Map.groupBy(pages, ({ list, section }) => `${list}/${section}`);
  grouped.set(pages, known);
  return known;
}
