import type { PostEntry } from '#model/entries.ts';
import { numberedPath } from '../addresses/numbered-path.ts';
import { pathsByLanguage } from '../addresses/paths-by-language.ts';
import { archivePath, journalPath } from '../addresses/paths.ts';
import { question } from '../port/reads.ts';
import type { Site } from '../site/site.ts';
import { pageList, type PageOfList } from '../site/standing-pages.ts';
import { journalArchives, type JournalArchive } from './journal-archives.ts';

const shared = new WeakMap<JournalArchive, Map<string, SharedPosts>>();

const POSTS_PER_PAGE = 24;
const NEWEST_POSTS = 3;

/** The pages of the journal in a language; none when it has no posts. */
export function journalPages(site: Pick<Site, 'posts'>, language: string): PageOfList<PostEntry>[] {
  const posts = site.posts(language);
  return posts.length === 0 ? [] : pageList(posts, POSTS_PER_PAGE);
}

/** One of them: its page is rendered again when something on it has changed. */
export const journalPage = question(
  'journalPage',
  ['posts'],
  (site: Pick<Site, 'posts'>, language: string, number: number) => journalPages(site, language)[number - 1],
);

/** Language -> path of the same page of the journal, as far as there is one. */
export const journalPagePaths = question('journalPagePaths', ['posts', 'languages'], (site: Writings, number: number) =>
  pathsByLanguage(
    site,
    (code) => journalPages(site, code).length >= number,
    (code) => numberedPath(journalPath(code), number),
  ),
);

/** Those that the home page shows. */
export const newestPosts = question('newestPosts', ['posts'], (site: Pick<Site, 'posts'>, language: string) =>
  site.posts(language).slice(0, NEWEST_POSTS),
);

export interface ArchivePage extends PageOfList<PostEntry> {
  archive: JournalArchive;
}

/** The pages of all archives of the journal in a language. */
export function archivePages(site: Pick<Site, 'posts'>, language: string): ArchivePage[] {
  return journalArchives(site, language).flatMap((archive) =>
    pageList(archive.posts, POSTS_PER_PAGE).map((page) => ({ archive, ...page })),
  );
}

/** One of them, with how many posts its archive has, and with the paths of the same page in other languages. */
export const archivePage = question(
  'archivePage',
  ['posts', 'languages'],
  (site: Writings, language: string, place: Pick<JournalArchive, 'kind' | 'id'>, number: number) => {
    const archive = journalArchives(site, language).find(({ kind, id }) => kind === place.kind && id === place.id);
    const page = archive && pageList(archive.posts, POSTS_PER_PAGE)[number - 1];
    if (!page) return undefined;
    const paths = archivePagePaths(site, language, { archive, number });
    return { ...page, name: archive.name, count: archive.posts.length, paths };
  },
);

/** Language -> path of the same page of the archive, as far as there is one. */
function archivePagePaths(
  site: Pick<Site, 'posts' | 'languages'>,
  language: string,
  { archive, number }: Pick<ArchivePage, 'archive' | 'number'>,
): Record<string, string> {
  const counterparts = Object.entries(archiveCounterparts(site, language, archive));
  const long = counterparts.filter(([, { posts }]) => posts.length > (number - 1) * POSTS_PER_PAGE);
  return Object.fromEntries(
    long.map(([code, { kind, id }]) => [code, numberedPath(archivePath(code, kind, id), number)]),
  );
}

type Writings = Pick<Site, 'posts' | 'languages'>;

/**
 * The same archive in each language that has it, itself included. Authors and months are the same where their id is.
 * Terms of two languages belong together when they have one slug, or when they hold the translations of each other's
 * posts, and no other term of their kind does.
 */
export function archiveCounterparts(
  site: Writings,
  language: string,
  archive: JournalArchive,
): Readonly<Record<string, JournalArchive>> {
  const others = site.languages.flatMap(({ code }) => {
    const counterpart = code === language ? archive : counterpartOf(site, { language, archive, other: code });
    return counterpart ? [[code, counterpart] as const] : [];
  });
  return Object.fromEntries(others);
}

function counterpartOf(
  site: Writings,
  { language, archive, other }: { language: string; archive: JournalArchive; other: string },
): JournalArchive | undefined {
  const { kind, id } = archive;
  const here = ofKind(site, language, kind);
  const there = ofKind(site, other, kind);
  if (there.has(id) || kind === 'month' || kind === 'author') return there.get(id);
  const shared = sharedPosts(archive, other).translations;
  if (shared === '') return undefined;
  const rivals = [...here.values()].filter(
    (rival) => !there.has(rival.id) && sharedPosts(rival, other).translations === shared,
  );
  const candidates = [...there.values()].filter(
    (candidate) => !here.has(candidate.id) && sharedPosts(candidate, language).own === shared,
  );
  return rivals.length === 1 && candidates.length === 1 ? candidates[0] : undefined;
}

function ofKind(site: Writings, language: string, kind: JournalArchive['kind']): Map<string, JournalArchive> {
  const archives = journalArchives(site, language).filter((archive) => archive.kind === kind);
  return new Map(archives.map((archive) => [archive.id, archive]));
}

interface SharedPosts {
  own: string;
  translations: string;
}

/** Names the posts of an archive that exist in another language as well, by their paths here and there. */
function sharedPosts(archive: JournalArchive, other: string): SharedPosts {
  const byLanguage = shared.get(archive) ?? new Map<string, SharedPosts>();
  shared.set(archive, byLanguage);
  const known = byLanguage.get(other);
  if (known) return known;
  const both = archive.posts.filter(({ translations }) => translations[other] !== undefined);
  const named = {
    own: both.map(({ path }) => path).toSorted(),
    translations: both.map(({ translations }) => translations[other]).toSorted(),
  };
  const found = { own: named.own.join(' '), translations: named.translations.join(' ') };
  byLanguage.set(other, found);
  return found;
}
