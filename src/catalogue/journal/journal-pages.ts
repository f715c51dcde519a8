import type { PostEntry } from '#catalogue/entries/entries.ts';
import { numberedPath, archivePath, journalPath, ARCHIVE_KINDS, type ArchiveKind } from '../addresses/paths.ts';
import { pathsByLanguage } from '../addresses/paths-by-language.ts';
import { cacheByObject, cacheByText } from '../cache.ts';
import { trackedQuery } from '../site/tracked-queries.ts';
import type { Site } from '../site/load-site.ts';
import { paginate, type ListPage } from '../site/navigation.ts';
import { TIME_ZONE } from '#contracts/index.ts';

interface JournalArchive {
  kind: ArchiveKind;
  /** Slug of the term or author, or a month such as `2026-11`. Unique within its kind. */
  id: string;
  /** Undefined for months, whose names depend on the language. */
  name: string | undefined;
  /** Newest first, including pinned posts. */
  posts: readonly PostEntry[];
}

/** Archive with the number of its posts, for lists. */
export type ArchiveSummary = Omit<JournalArchive, 'posts'> & { count: number };

/** Created lazily, because loading time zone data takes longer than the rest of this module. */
let yearAndMonth: Intl.DateTimeFormat | undefined;

/** Returns the month of a date in the site's time zone, such as `2026-11`. */
export function toMonth(date: Date): string {
  yearAndMonth ??= new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', timeZone: TIME_ZONE });
  return yearAndMonth.format(date);
}

/**
 * Returns all archives of the journal in a language. Categories, tags and authors are sorted by name, months from the
 * latest.
 */
export function journalArchives(site: Pick<Site, 'posts'>, language: string): readonly JournalArchive[] {
  return groupIntoArchives(site.posts(language));
}

/** Cached per language, because each archive and post needs it. */
const groupIntoArchives = cacheByObject((posts: readonly PostEntry[]): readonly JournalArchive[] => {
  const newestFirst = posts.toSorted((a, b) => b.published.getTime() - a.published.getTime());
  const found = new Map<string, { kind: ArchiveKind; id: string; name: string | undefined; posts: PostEntry[] }>();
  for (const post of newestFirst) {
    for (const { kind, id, name } of archivesOf(post)) {
      const key = `${kind}/${id}`;
      const archive = found.get(key) ?? { kind, id, name, posts: [] };
      found.set(key, archive);
      archive.posts.push(post);
    }
  }
  return [...found.values()].toSorted((a, b) => compareArchives(a, b, posts[0]?.language));
});

export const listArchives = trackedQuery(
  'countedArchives',
  ['posts'],
  (site: Pick<Site, 'posts'>, language: string): ArchiveSummary[] =>
    journalArchives(site, language).map(({ posts, ...archive }) => ({ ...archive, count: posts.length })),
);

function archivesOf({ categories, tags, author, authorSlug, published }: PostEntry): Omit<JournalArchive, 'posts'>[] {
  return [
    ...toArchives('category', categories),
    ...toArchives('tag', tags),
    ...(author && authorSlug ? toArchives('author', [{ slug: authorSlug, name: author }]) : []),
    { kind: 'month', id: toMonth(published), name: undefined },
  ];
}

function toArchives(kind: ArchiveKind, terms: PostEntry['tags']): Omit<JournalArchive, 'posts'>[] {
  return terms.map(({ slug, name }) => ({ kind, id: slug, name }));
}

function compareArchives(a: JournalArchive, b: JournalArchive, language: string | undefined): number {
  const byKind = ARCHIVE_KINDS.indexOf(a.kind) - ARCHIVE_KINDS.indexOf(b.kind);
  if (byKind !== 0) return byKind;
  if (a.kind === 'month') return a.id < b.id ? 1 : -1;
  return (a.name ?? '').localeCompare(b.name ?? '', language) || (a.id < b.id ? -1 : 1);
}

const POSTS_PER_PAGE = 24;
const NEWEST_POSTS = 3;

/** Lists the pages of the journal in a language. Empty if it has no posts. */
export function journalPages(site: Pick<Site, 'posts'>, language: string): ListPage<PostEntry>[] {
  const posts = site.posts(language);
  return posts.length === 0 ? [] : paginate(posts, POSTS_PER_PAGE);
}

/** Returns a page of the journal. The read is tracked, so that a change of a post re-renders the page. */
export const journalPage = trackedQuery(
  'journalPage',
  ['posts'],
  (site: Pick<Site, 'posts'>, language: string, number: number) => journalPages(site, language)[number - 1],
);

export const journalPagePaths = trackedQuery(
  'journalPagePaths',
  ['posts', 'languages'],
  (site: JournalSite, number: number) =>
    pathsByLanguage(
      site,
      (code) => journalPages(site, code).length >= number,
      (code) => numberedPath(journalPath(code), number),
    ),
);

/** Returns the posts on the home page. */
export const newestPosts = trackedQuery('newestPosts', ['posts'], (site: Pick<Site, 'posts'>, language: string) =>
  site.posts(language).slice(0, NEWEST_POSTS),
);

export function archivePages(site: Pick<Site, 'posts'>, language: string) {
  return journalArchives(site, language).flatMap((archive) =>
    paginate(archive.posts, POSTS_PER_PAGE).map((page) => ({ archive, ...page })),
  );
}

/** Returns a page of an archive with the number of its posts and the paths of its translations. */
export const archivePage = trackedQuery(
  'archivePage',
  ['posts', 'languages'],
  (site: JournalSite, language: string, key: Pick<JournalArchive, 'kind' | 'id'>, number: number) => {
    const archive = journalArchives(site, language).find(({ kind, id }) => kind === key.kind && id === key.id);
    const page = archive && paginate(archive.posts, POSTS_PER_PAGE)[number - 1];
    if (!page) return undefined;
    const paths = Object.entries(archiveCounterparts(site, language, archive))
      .filter(([, { posts }]) => posts.length > (number - 1) * POSTS_PER_PAGE)
      .map(([code, { kind, id }]) => [code, numberedPath(archivePath(code, kind, id), number)] as const);
    return { ...page, name: archive.name, count: archive.posts.length, paths: Object.fromEntries(paths) };
  },
);

type JournalSite = Pick<Site, 'posts' | 'languages'>;

/**
 * Returns the counterparts of an archive by language, including itself. Authors and months match by ID. Terms match by
 * slug, or if they contain the translations of each other's posts and no other term of their kind does.
 */
export function archiveCounterparts(
  site: JournalSite,
  language: string,
  archive: JournalArchive,
): Readonly<Record<string, JournalArchive>> {
  const entries = site.languages.flatMap(({ code }) => {
    const counterpart = code === language ? archive : counterpartOf(site, { language, archive, other: code });
    return counterpart ? [[code, counterpart] as const] : [];
  });
  return Object.fromEntries(entries);
}

function counterpartOf(
  site: JournalSite,
  { language, archive, other }: { language: string; archive: JournalArchive; other: string },
): JournalArchive | undefined {
  const { kind, id } = archive;
  const here = archivesByKind(site, language, kind);
  const there = archivesByKind(site, other, kind);
  if (there.has(id) || kind === 'month' || kind === 'author') return there.get(id);
  const shared = sharedPosts(archive)(other).translations;
  if (shared === '') return undefined;
  const rivals = [...here.values()].filter(
    (rival) => !there.has(rival.id) && sharedPosts(rival)(other).translations === shared,
  );
  const candidates = [...there.values()].filter(
    (candidate) => !here.has(candidate.id) && sharedPosts(candidate)(language).own === shared,
  );
  return rivals.length === 1 && candidates.length === 1 ? candidates[0] : undefined;
}

function archivesByKind(
  site: JournalSite,
  language: string,
  kind: JournalArchive['kind'],
): Map<string, JournalArchive> {
  const archives = journalArchives(site, language).filter((archive) => archive.kind === kind);
  return new Map(archives.map((archive) => [archive.id, archive]));
}

/** Returns the paths of an archive's posts that exist in another language, here and there. */
const sharedPosts = cacheByObject(({ posts }: JournalArchive) =>
  cacheByText((other) => {
    const both = posts.filter(({ translations }) => translations[other] !== undefined);
    const translations = both.map((post) => post.translations[other]);
    return {
      own: both
        .map(({ path }) => path)
        .toSorted()
        .join(' '),
      translations: translations.toSorted().join(' '),
    };
  }),
);
