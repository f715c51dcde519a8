import { TIME_ZONE } from '#contracts/index.ts';
import type { PostEntry } from '#model/entries.ts';
import type { Site } from '../site/site.ts';
import { ARCHIVE_KINDS, type ArchiveKind } from '../addresses/paths.ts';
import { question } from '../port/reads.ts';

/** Posts of a language that have something in common. */
export interface JournalArchive {
  kind: ArchiveKind;
  /** Slug of the term or author, or `2026-11`; unique within its kind. */
  id: string;
  /** Undefined for a month, which each language names in its own way. */
  name: string | undefined;
  /** Newest first, whatever is pinned to the top of the journal. */
  posts: readonly PostEntry[];
}

/** What lists of archives show. */
export type CountedArchive = Omit<JournalArchive, 'posts'> & { count: number };

/** Made when it is needed: to load what is known of time zones takes longer than all else of this module. */
let yearAndMonth: Intl.DateTimeFormat | undefined;

/** The month of a date, such as `2026-11`. */
export function monthOf(date: Date): string {
  yearAndMonth ??= new Intl.DateTimeFormat('en-CA', { year: 'numeric', month: '2-digit', timeZone: TIME_ZONE });
  return yearAndMonth.format(date);
}

/** All archives of the journal in a language: categories, tags and authors by name, months from the latest. */
export function journalArchives(site: Pick<Site, 'posts'>, language: string): readonly JournalArchive[] {
  const posts = site.posts(language);
  const known = archives.get(posts);
  if (known) return known;
  const newestFirst = posts.toSorted((a, b) => b.published.getTime() - a.published.getTime());
  const found = new Map<string, { kind: ArchiveKind; id: string; name: string | undefined; posts: PostEntry[] }>();
  for (const post of newestFirst) {
    for (const { kind, id, name } of placesOf(post)) {
      const key = `${kind}/${id}`;
      const archive = found.get(key) ?? { kind, id, name, posts: [] };
      found.set(key, archive);
      archive.posts.push(post);
    }
  }
  const sorted = [...found.values()].toSorted((a, b) => inOrder(a, b, language));
  archives.set(posts, sorted);
  return sorted;
}

/** All of them, as the journal lists them. */
export const countedArchives = question(
  'countedArchives',
  ['posts'],
  (site: Pick<Site, 'posts'>, language: string): CountedArchive[] =>
    journalArchives(site, language).map(({ posts, ...archive }) => ({ ...archive, count: posts.length })),
);

/** Counted once for a language: each of its archives and posts asks. */
const archives = new WeakMap<readonly PostEntry[], readonly JournalArchive[]>();

function placesOf({ categories, tags, author, authorSlug, published }: PostEntry): Omit<JournalArchive, 'posts'>[] {
  return [
    ...asPlaces('category', categories),
    ...asPlaces('tag', tags),
    ...(author && authorSlug ? asPlaces('author', [{ slug: authorSlug, name: author }]) : []),
    { kind: 'month', id: monthOf(published), name: undefined },
  ];
}

function asPlaces(kind: ArchiveKind, terms: PostEntry['tags']): Omit<JournalArchive, 'posts'>[] {
  return terms.map(({ slug, name }) => ({ kind, id: slug, name }));
}

function inOrder(a: JournalArchive, b: JournalArchive, language: string): number {
  const byKind = ARCHIVE_KINDS.indexOf(a.kind) - ARCHIVE_KINDS.indexOf(b.kind);
  if (byKind !== 0) return byKind;
  if (a.kind === 'month') return a.id < b.id ? 1 : -1;
  return (a.name ?? '').localeCompare(b.name ?? '', language) || (a.id < b.id ? -1 : 1);
}
