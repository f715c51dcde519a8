import type { DirectoryPage } from '../port/directory.ts';
import { noteAnswer, noteRead, question, type Source } from '../port/reads.ts';
import { LISTED } from './product-groups.ts';
import type { Site } from './site.ts';

/** What pages ask a site for that may be another in the next build, and what it is made of. All else is of the project. */
const ASKED = {
  count: ['lists'],
  product: ['lists'],
  named: ['lists'],
  neighbours: ['lists'],
  variants: ['lists'],
  accessories: ['lists'],
  successor: ['lists'],
  productGroups: LISTED,
  documents: ['lists'],
  discontinued: ['lists'],
  norms: LISTED,
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
} as const satisfies { [Name in keyof Site]?: readonly Source[] };

const SHOWN = {
  languages: ['languages'],
  mainLanguage: ['languages'],
  snapshot: ['snapshot'],
  stale: ['snapshot'],
} as const satisfies { [Name in keyof Site]?: readonly Source[] };

for (const [name, sources] of Object.entries(ASKED))
  question(name, sources, (site: Record<string, (...args: unknown[]) => unknown>, ...args: unknown[]) =>
    site[name]?.(...args),
  );
for (const [name, sources] of Object.entries(SHOWN))
  question(name, sources, (site: Record<string, unknown>) => site[name]);

type Rows = Pick<DirectoryPage, 'list' | 'section' | 'number'>;

/** What names the rows of a page of the directory: they need not be read to know whether they are the same. */
const nameRows = (site: Pick<Site, 'directoryPages'>, language: string, { list, section, number }: Rows) =>
  site.directoryPages(language).find((page) => page.list === list && page.section === section && page.number === number)
    ?.digest;

/** The same of what a family declares under a norm. */
const nameDeclared = (site: Pick<Site, 'norms'>, language: string, norm: string, family: string | undefined) =>
  site
    .norms(language)
    .find(({ slug }) => slug === norm)
    ?.families.find((of) => of.family?.id === family)?.digest;

question('head', ['heads'], (site: Pick<Site, 'head'>, path: string) => site.head(path));
question('directoryRows', ['lists'], nameRows);
question('normInGroup', LISTED, (site: Pick<Site, 'norms'>, language: string, norm: string, family: string | null) =>
  nameDeclared(site, language, norm, family ?? undefined),
);

/** `/de-de/journal/` of `/de-de/journal/roofs/`. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);
}

/** The same site, of which is noted what each page reads. */
export function recordSite(site: Site): Site {
  const asked = namesOf(ASKED).map((name) => {
    const ask = site[name] as (...args: unknown[]) => unknown;
    return [name, (...args: unknown[]) => noteAnswer(name, args, () => ask(...args))];
  });
  const recorded: Site = {
    ...site,
    ...Object.fromEntries(asked),
    directoryRows: (language, { list, section, number }) => {
      const page = { list, section, number };
      noteRead('directoryRows', [language, page], () => nameRows(site, language, page));
      return site.directoryRows(language, page);
    },
    normInGroup: (language, norm, family) => {
      noteRead('normInGroup', [language, norm, family], () => nameDeclared(site, language, norm, family));
      return site.normInGroup(language, norm, family);
    },
    head: (path) => {
      const head = site.head(path);
      if (head) noteRead('head', [path], () => head);
      // Most pages have none. What they read is the same for all in a folder.
      else recorded.headPaths(folderOf(path));
      return head;
    },
    details: (listed) => {
      recorded.productDigest(listed.pageLanguage, listed.gtin);
      return site.details(listed);
    },
  };
  for (const name of namesOf(SHOWN))
    Object.defineProperty(recorded, name, { enumerable: true, get: () => noteAnswer(name, [], () => site[name]) });
  return recorded;
}

function namesOf<Names extends object>(names: Names): (keyof Names)[] {
  return Object.keys(names) as (keyof Names)[];
}
