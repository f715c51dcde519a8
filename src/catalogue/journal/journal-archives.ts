import { TIME_ZONE } from '#contracts/index.ts';
import type { PostEntry } from '#model/entries.ts';
import type { Site } from '../site/site.ts';
import { ARCHIVE_KINDS, type ArchiveKind } from '../addresses/paths.ts';
import { trackedQuery } from '../port/tracked-queries.ts';

/** Posts of a language that share a category, tag, author or month. */
export interface JournalArchive {
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
  const posts = site.posts(language);
  const known = archives.get(posts);
  if (known) return known;
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
  const sorted = [...found.values()].toSorted((a, b) => compareArchives(a, b, language));
  archives.set(posts, sorted);
  return sorted;
}

/** Lists the archives of the journal with the number of posts. */
export const listArchives = trackedQuery(
  'countedArchives',
  ['posts'],
  (site: Pick<Site, 'posts'>, language: string): ArchiveSummary[] =>
    journalArchives(site, language).map(({ posts, ...archive }) => ({ ...archive, count: posts.length })),
);

/** Cached per language, because each archive and post needs it. */
const archives = new WeakMap<readonly PostEntry[], readonly JournalArchive[]>();

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

function compareArchives(a: JournalArchive, b: JournalArchive, language: string): number {
  const byKind = ARCHIVE_KINDS.indexOf(a.kind) - ARCHIVE_KINDS.indexOf(b.kind);
  if (byKind !== 0) return byKind;
  if (a.kind === 'month') return a.id < b.id ? 1 : -1;
  return (a.name ?? '').localeCompare(b.name ?? '', language) || (a.id < b.id ? -1 : 1);
}
