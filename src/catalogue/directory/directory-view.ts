import { pathsByLanguage } from '../addresses/paths-by-language.ts';
import type { DirectoryPage } from '../read-model/product-index.ts';
import { cacheByObject } from '../cache.ts';
import { trackedQuery } from '../site/tracked-queries.ts';
import type { Site } from '../site/load-site.ts';
import { numberedPath, directoryPath } from '../addresses/paths.ts';
import { foldText } from '../languages/fold-text.ts';

/** Sections of names that start with a digit, and with neither a letter nor a digit. */
const DIGITS_SECTION = '0-9';
const OTHER_SECTION = 'other';

/**
 * Returns the section of a name in an A-Z list, as a URL segment: `d`. A non-Latin letter is represented by its code
 * point: `u0436`.
 */
export function directorySection(name: string): string {
  const [first = ''] = foldText(name);
  if (/[a-z]/.test(first)) return first;
  if (/\p{Nd}/u.test(first)) return DIGITS_SECTION;
  if (/\p{Letter}/u.test(first)) return `u${(first.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  return OTHER_SECTION;
}

/** Returns the display form of a section. It is undefined for `other`, which has a translated label. */
export function sectionLetter(section: string): string | undefined {
  if (section === OTHER_SECTION) return undefined;
  const code = /^u([0-9a-f]{4,})$/.exec(section)?.[1];
  return (code === undefined ? section : String.fromCodePoint(Number.parseInt(code, 16))).toUpperCase();
}

type PageKey = Pick<DirectoryPage, 'list' | 'section' | 'number'>;

/** Maximum number of ranges of pages to jump to. */
const MAX_RANGES = 40;

/** Returns the navigation of a page in a table of all products. */
export const directoryView = trackedQuery(
  'directoryView',
  ['lists'],
  (site: Pick<Site, 'directoryPages'>, language: string, { list, section }: Pick<PageKey, 'list' | 'section'>) => {
    const pages = groupPages(site.directoryPages(language)).get(`${list}/${section}`) ?? [];
    const step = Math.ceil(pages.length / MAX_RANGES);
    const ranges = pages.flatMap(({ number, first, last }, i) =>
      i % step === 0 ? [{ number, first, last: pages[Math.min(i + step, pages.length) - 1]?.last ?? last }] : [],
    );
    return {
      total: pages.length,
      sections: list === 'names' ? directorySections(site, language) : [],
      ranges: pages.length > 1 ? ranges : [],
    };
  },
);

export const directorySections = trackedQuery(
  'directorySections',
  ['lists'],
  (site: Pick<Site, 'directoryPages'>, language: string): string[] =>
    [...groupPages(site.directoryPages(language)).values()].flatMap(([page]) =>
      page?.list === 'names' ? [page.section] : [],
    ),
);

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

/** Groups pages by list and section once per list, because a large catalogue has thousands of pages. */
const groupPages = cacheByObject((pages: readonly DirectoryPage[]) =>
  Map.groupBy(pages, ({ list, section }) => `${list}/${section}`),
);
