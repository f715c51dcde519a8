import { and, asc, eq, ilike, inArray, sql, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { SCORE_BOUNDS, SEO_META_KEYS, settingsOfMeta, type SeoSettings } from '#contracts/seo/index.ts';
import { readObjectMeta } from '#origin/namespaces/seo/records/object-settings.ts';
import { seoRecord } from '#origin/namespaces/seo/records/tables.ts';
import type { TermClause } from '#origin/platform/content/content-filter.ts';
import { contentCondition } from '#origin/platform/content/find-content.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import { CATEGORY, type TermKind } from '#origin/platform/registry/term-kind.ts';
import { plainText } from '#origin/platform/render/index.ts';
import { parseSearch } from '#origin/platform/search/index.ts';
import { content, term, user } from '#origin/platform/store/schema.ts';
import type { EditorCall } from './editor-call.ts';
import type { EditorWords } from './words/index.ts';

export const ROWS_PER_PAGE = 20;

const RANKS = ['good', 'ok', 'bad', 'na', 'noindex'] as const;
type Rank = (typeof RANKS)[number];
const rank = z.enum(RANKS).optional().catch(undefined);
const name = z.string().max(200).optional().catch(undefined);

/** What a list is narrowed to, as links of the interface say it. */
const listQuery = z.object({
  /** Type of content, taxonomy, or `user`. */
  type: z.string().max(40).catch('post'),
  s: z.string().max(200).catch(''),
  seo_filter: rank,
  readability_filter: rank,
  status: name,
  /** Slug of a category. */
  category: name,
  author: z.coerce.number().int().positive().optional().catch(undefined),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
});
export type ListQuery = z.output<typeof listQuery>;

export function readListQuery(path: string): ListQuery {
  return listQuery.parse(Object.fromEntries(new URL(path, 'http://x').searchParams));
}

/** Kinds that every site has; those of others are called what they call themselves. */
const KINDS: Readonly<Record<string, keyof EditorWords>> = {
  post: 'posts',
  page: 'pages',
  podcast: 'episodes',
  category: 'categories',
  post_tag: 'tags',
};
const STATUS_WORDS: Readonly<Record<string, keyof EditorWords>> = {
  publish: 'publish',
  future: 'future',
  draft: 'draft',
  pending: 'pending',
  private: 'private',
};

function wordFor(words: EditorWords, known: Readonly<Record<string, keyof EditorWords>>, key: string, otherwise = key) {
  const word = known[key];
  return word === undefined ? otherwise : words[word];
}

export function wordStatus(words: EditorWords, status: string): string {
  return wordFor(words, STATUS_WORDS, status);
}

/** Kinds of things that somebody may edit, as `[type, name]`. */
export function editableKinds({ context, caller, words }: EditorCall): (readonly [type: string, name: string])[] {
  const kinds = [...context.kinds.values()].filter(
    ({ hasPage, isFile, rights }) => hasPage && !isFile && can(caller, rights.edit),
  );
  const terms = can(caller, 'manage_categories') ? termKinds(context.kinds.values()) : [];
  return [
    ...kinds.map(({ type, name }) => [type, wordFor(words, KINDS, type, name)] as const),
    ...terms.map(({ taxonomy, name }) => [taxonomy, wordFor(words, KINDS, taxonomy, name)] as const),
    ...(can(caller, 'edit_users') ? [['user', words.authors] as const] : []),
  ];
}

function termKinds(kinds: Iterable<{ terms: readonly TermKind[] }>): TermKind[] {
  const all = [...kinds].flatMap(({ terms }) => terms);
  return [...new Map(all.map((kind) => [kind.taxonomy, kind])).values()];
}

export interface ListedObject {
  type: string;
  id: number;
  name: string;
  status: string;
  settings: SeoSettings;
  /** Links to its page from other texts; undefined where nobody has counted. */
  incoming: number | undefined;
}

export interface ObjectList {
  rows: readonly ListedObject[];
  total: number;
  pages: number;
}

/** One page of what somebody may edit of one kind, newest first; terms by their name. */
export async function listObjects(call: EditorCall, query: ListQuery): Promise<ObjectList> {
  const isKnown = editableKinds(call).some(([type]) => type === query.type);
  if (!isKnown) return { rows: [], total: 0, pages: 0 };
  if (call.context.kinds.has(query.type)) return listContent(call, query);
  return query.type === 'user' ? listUsers(call, query) : listTerms(call, query);
}

const STATUSES = ['publish', 'future', 'draft', 'pending', 'private'];

async function listContent({ context, caller }: EditorCall, query: ListQuery): Promise<ObjectList> {
  const { db } = context.store;
  const { status, author, category } = query;
  const condition = and(
    contentCondition(db, {
      viewer: { caller, as: 'editor' },
      type: query.type,
      statuses: STATUSES.filter((known) => status === undefined || status === known),
      ...(query.s === '' ? {} : { search: parseSearch(query.s) }),
      ...(author === undefined ? {} : { authors: [author] }),
      ...(category === undefined ? {} : { terms: [await categoryClause({ context }, category)] }),
    }),
    seoCondition(query.seo_filter),
    readabilityCondition(query.readability_filter),
  );
  const total = await db.$count(content, condition);
  const rows = await db
    .select({ id: content.id, type: content.type, title: content.title, status: content.status, meta: content.meta })
    .from(content)
    .where(condition)
    .orderBy(sql`${content.modified} desc, ${content.id} desc`)
    .limit(ROWS_PER_PAGE)
    .offset(offsetOf(query));
  const incoming = await countIncoming({ context }, 'post', rows);
  const listed = rows.map(({ title, meta, ...row }) => ({
    ...row,
    name: plainText(title),
    settings: settingsOfMeta(meta),
    incoming: incoming.get(row.id),
  }));
  return { rows: listed, total, pages: Math.ceil(total / ROWS_PER_PAGE) };
}

function offsetOf({ page }: ListQuery): number {
  return (page - 1) * ROWS_PER_PAGE;
}

async function categoryClause({ context }: Pick<EditorCall, 'context'>, slug: string): Promise<TermClause> {
  const found = await context.store.db
    .select({ id: term.id })
    .from(term)
    .where(and(eq(term.taxonomy, CATEGORY.taxonomy), eq(term.slug, slug)));
  return { groups: [found.map(({ id }) => id)], operator: 'any' };
}

const scoreOf = (name: 'seo_score' | 'readability_score' | 'reading_minutes'): SQL => {
  const value = sql`${content.meta} ->> ${SEO_META_KEYS[name]}`;
  // Meta may hold anything: what is no number counts as none.
  return sql`(case when ${value} ~ '^[0-9]{1,5}$' then (${value})::int else 0 end)`;
};

function isBetween(score: SQL, [least, most]: readonly [number, number]): SQL {
  return sql`${score} between ${least} and ${most}`;
}

function seoCondition(wanted: Rank | undefined): SQL | undefined {
  if (wanted === undefined) return undefined;
  if (wanted === 'noindex') return sql`${content.meta} ->> ${SEO_META_KEYS.index} = '1'`;
  const score = scoreOf('seo_score');
  return wanted === 'na' ? sql`${score} = 0` : isBetween(score, SCORE_BOUNDS[wanted]);
}

/** A text that was read through and scored 0 reads badly. */
function readabilityCondition(wanted: Rank | undefined): SQL | undefined {
  if (wanted === undefined || wanted === 'noindex') return undefined;
  const score = scoreOf('readability_score');
  const minutes = scoreOf('reading_minutes');
  if (wanted === 'na') return sql`${score} = 0 and ${minutes} = 0`;
  const inBounds = isBetween(score, SCORE_BOUNDS[wanted]);
  return wanted === 'bad' ? sql`(${inBounds} or (${score} = 0 and ${minutes} > 0))` : inBounds;
}

/** Links to rows, by their ids. */
async function countIncoming(
  { context }: Pick<EditorCall, 'context'>,
  type: 'post' | 'term' | 'user',
  rows: readonly { id: number }[],
): Promise<ReadonlyMap<number, number>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map(({ id }) => id);
  const counted = await context.store.db
    .select({ id: seoRecord.objectId, links: seoRecord.incomingLinkCount })
    .from(seoRecord)
    .where(and(eq(seoRecord.type, type), inArray(seoRecord.objectId, ids)));
  return new Map(counted.map(({ id, links }) => [id, links]));
}

function patternOf({ s }: ListQuery): string {
  return `%${s.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}

async function listTerms({ context }: EditorCall, query: ListQuery): Promise<ObjectList> {
  const { db } = context.store;
  const condition = and(eq(term.taxonomy, query.type), ilike(term.name, patternOf(query)));
  const total = await db.$count(term, condition);
  const rows = await db
    .select({ id: term.id, name: term.name })
    .from(term)
    .where(condition)
    .orderBy(asc(term.name), asc(term.id))
    .limit(ROWS_PER_PAGE)
    .offset(offsetOf(query));
  return describe({ context }, query.type, rows, total);
}

async function listUsers({ context }: EditorCall, query: ListQuery): Promise<ObjectList> {
  const { db } = context.store;
  const condition = and(eq(user.active, true), ilike(user.name, patternOf(query)));
  const total = await db.$count(user, condition);
  const rows = await db
    .select({ id: user.id, name: user.name })
    .from(user)
    .where(condition)
    .orderBy(asc(user.name), asc(user.id))
    .limit(ROWS_PER_PAGE)
    .offset(offsetOf(query));
  return describe({ context }, 'user', rows, total);
}

/** Terms or users with their settings. */
async function describe(
  call: Pick<EditorCall, 'context'>,
  type: string,
  rows: readonly { id: number; name: string }[],
  total: number,
): Promise<ObjectList> {
  const of = type === 'user' ? 'user' : 'term';
  const ids = rows.map(({ id }) => id);
  const [meta, incoming] = await Promise.all([
    readObjectMeta(call.context.store.db, of, ids),
    countIncoming(call, of, rows),
  ]);
  const listed = rows.map(({ id, name }) => ({
    id,
    type,
    name: plainText(name),
    status: '',
    settings: settingsOfMeta(meta.get(id) ?? {}),
    incoming: incoming.get(id),
  }));
  return { rows: listed, total, pages: Math.ceil(total / ROWS_PER_PAGE) };
}
