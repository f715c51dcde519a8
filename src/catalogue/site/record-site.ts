import type { DirectoryPage } from '../read-model/product-index.ts';
import { recordQuery, recordRead, trackedQuery, type QuerySource } from './tracked-queries.ts';
import { GROUP_SOURCES } from './product-groups.ts';
import type { Site } from './site.ts';

/** Tracked methods of a site with their sources. Other members don't change between builds. */
const TRACKED_METHODS = {
  count: ['lists'],
  product: ['lists'],
  named: ['lists'],
  neighbours: ['lists'],
  variants: ['lists'],
  accessories: ['lists'],
  successor: ['lists'],
  productGroups: GROUP_SOURCES,
  documents: ['lists'],
  discontinued: ['lists'],
  norms: GROUP_SOURCES,
  directoryPages: ['lists'],
  posts: ['posts'],
  hasPosts: ['posts'],
  pages: ['pages'],
  page: ['pages'],
  podcast: ['podcasts'],
  hasPodcast: ['podcasts'],
  episodes: ['episodes'],
  headPaths: ['heads'],
  productDigest: ['lists', 'products'],
} as const satisfies { [Name in keyof Site]?: readonly QuerySource[] };

const TRACKED_FIELDS = {
  languages: ['languages'],
  mainLanguage: ['languages'],
  snapshot: ['snapshot'],
  stale: ['snapshot'],
} as const satisfies { [Name in keyof Site]?: readonly QuerySource[] };

for (const [name, sources] of Object.entries(TRACKED_METHODS))
  trackedQuery(name, sources, (site: Record<string, (...args: unknown[]) => unknown>, ...args: unknown[]) =>
    site[name]?.(...args),
  );
for (const [name, sources] of Object.entries(TRACKED_FIELDS))
  trackedQuery(name, sources, (site: Record<string, unknown>) => site[name]);

type PageKey = Pick<DirectoryPage, 'list' | 'section' | 'number'>;

/** Returns the digest of a directory page's rows, which saves reading them. */
const digestRows = (site: Pick<Site, 'directoryPages'>, language: string, { list, section, number }: PageKey) =>
  site.directoryPages(language).find((page) => page.list === list && page.section === section && page.number === number)
    ?.digest;

/** Returns the digest of the values that a family declares under a norm. */
const digestDeclaredValues = (site: Pick<Site, 'norms'>, language: string, norm: string, family: string | undefined) =>
  site
    .norms(language)
    .find(({ slug }) => slug === norm)
    ?.families.find((entry) => entry.family?.id === family)?.digest;

trackedQuery('head', ['heads'], (site: Pick<Site, 'head'>, path: string) => site.head(path));
trackedQuery('directoryRows', ['lists'], digestRows);
trackedQuery(
  'normInGroup',
  GROUP_SOURCES,
  (site: Pick<Site, 'norms'>, language: string, norm: string, family: string | null) =>
    digestDeclaredValues(site, language, norm, family ?? undefined),
);

/** Returns the parent folder of a path: `/de-de/journal/` for `/de-de/journal/roofs/`. */
export function parentFolder(path: string): string {
  return path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);
}

/** Returns a site that records reads. */
export function createRecordingSite(site: Site): Site {
  const trackedMethods = keysOf(TRACKED_METHODS).map((name) => {
    const method = site[name] as (...args: unknown[]) => unknown;
    return [name, (...args: unknown[]) => recordQuery(name, args, () => method(...args))];
  });
  const recorded: Site = {
    ...site,
    ...Object.fromEntries(trackedMethods),
    directoryRows: (language, { list, section, number }) => {
      const page = { list, section, number };
      recordRead('directoryRows', [language, page], () => digestRows(site, language, page));
      return site.directoryRows(language, page);
    },
    normInGroup: (language, norm, family) => {
      recordRead('normInGroup', [language, norm, family], () => digestDeclaredValues(site, language, norm, family));
      return site.normInGroup(language, norm, family);
    },
    head: (path) => {
      const head = site.head(path);
      if (head) recordRead('head', [path], () => head);
      // Most pages have no imported head. They share one read per folder.
      else recorded.headPaths(parentFolder(path));
      return head;
    },
    details: (listed) => {
      recorded.productDigest(listed.pageLanguage, listed.gtin);
      return site.details(listed);
    },
  };
  for (const name of keysOf(TRACKED_FIELDS))
    Object.defineProperty(recorded, name, { enumerable: true, get: () => recordQuery(name, [], () => site[name]) });
  return recorded;
}

function keysOf<Names extends object>(names: Names): (keyof Names)[] {
  return Object.keys(names) as (keyof Names)[];
}
