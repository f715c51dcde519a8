import { and, asc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { MAX_NAME_LENGTH } from '#contracts/core/field.ts';
import { parseSettingsMeta, type SeoSettings } from '#contracts/seo/settings.ts';
import type { ScoreBucket } from '#contracts/seo/scores.ts';
import { listTermKinds, loadTermTree } from '#origin/namespaces/seo/head/find-page.ts';
import { hasNoindexSetting, readObjectMeta } from '#origin/namespaces/seo/settings.ts';
import { loadLinks } from '#origin/namespaces/seo/links.ts';
import { READABILITY_BUCKET, SEO_BUCKET } from '#origin/namespaces/seo/scores.ts';
import { getAuthorUrl, getContentUrl, loadAncestors } from '#origin/platform/content/content-url.ts';
import { hasTerm, matchesContentSearch } from '#origin/platform/content/find-content.ts';
import { isEditableBy } from '#origin/platform/content/content-rights.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { CATEGORY } from '#origin/platform/registry/content-kind.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { anyOf, findRows } from '#origin/platform/content/resources/find-rows.ts';
import { matchesTerm } from '#origin/platform/search/search-condition.ts';
import { content, term, user } from '#origin/platform/store/schema.ts';
import { MAX_SEARCH_LENGTH, type EditorRequest, type EditorTexts } from './editor-request.ts';

export const ROWS_PER_PAGE = 20;

const RANKS = ['good', 'ok', 'bad', 'na', 'noindex'] as const;
type Rank = (typeof RANKS)[number];
const rank = z.enum(RANKS).optional().catch(undefined);
const name = z.string().max(MAX_NAME_LENGTH).optional().catch(undefined);

/** Filters of a list, as in links of the interface. */
const listQuery = z.object({
  /** Content type, taxonomy, or `user`. */
  type: z.string().max(40).catch('post'),
  s: z.string().max(MAX_SEARCH_LENGTH).catch(''),
  seo_filter: rank,
  readability_filter: rank,
  status: name,
  /** Category slug. */
  category: name,
  author: z.coerce.number().int().positive().optional().catch(undefined),
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
});
export type ListQuery = z.output<typeof listQuery>;

export function parseListQuery(query: URLSearchParams): ListQuery {
  return listQuery.parse(Object.fromEntries(query));
}

/** Built-in kinds with translated names. Other kinds use the name of their registration. */
const KINDS: ReadonlyMap<string, keyof EditorTexts> = new Map([
  ['post', 'posts'],
  ['page', 'pages'],
  ['podcast', 'episodes'],
  ['category', 'categories'],
  ['post_tag', 'tags'],
]);

/** Listed statuses. */
const STATUSES = ['publish', 'future', 'draft', 'pending', 'private'] as const;

export function formatStatus(words: EditorTexts, status: string): string {
  const known = STATUSES.find((word) => word === status);
  return known === undefined ? status : words[known];
}

/** Kinds that the user can edit, as `[type, name]`. */
export function listEditableKinds({
  context,
  caller,
  words,
}: EditorRequest): (readonly [type: string, name: string])[] {
  const kinds = [...context.kinds.values()].filter(
    ({ hasPage, isFile, rights }) => hasPage && !isFile && can(caller, rights.edit),
  );
  const terms = can(caller, 'manage_categories') ? listTermKinds(context) : [];
  const labelKind = (type: string, name: string) => {
    const word = KINDS.get(type);
    return [type, word === undefined ? name : words[word]] as const;
  };
  return [
    ...kinds.map(({ type, name }) => labelKind(type, name)),
    ...terms.map(({ taxonomy, name }) => labelKind(taxonomy, name)),
    ...(can(caller, 'edit_users') ? [['user', words.authors] as const] : []),
  ];
}

export interface ListedObject {
  type: string;
  id: number;
  name: string;
  status: string;
  settings: SeoSettings;
  /** Links from other texts to its page. */
  incoming: number;
}

export interface ObjectListPage {
  rows: readonly ListedObject[];
  total: number;
  pages: number;
}

/**
 * Lists a page of editable objects of one kind, newest first; terms and users by name. Restricted to `ids` if given.
 */
export async function listObjects(
  request: EditorRequest,
  query: ListQuery,
  ids?: readonly number[],
): Promise<ObjectListPage> {
  const isKnown = listEditableKinds(request).some(([type]) => type === query.type);
  if (!isKnown || ids?.length === 0) return { rows: [], total: 0, pages: 0 };
  if (request.context.kinds.has(query.type)) return listContent(request, query, ids);
  return query.type === 'user' ? listUsers(request, query, ids) : listTerms(request, query, ids);
}

async function listContent({ context, caller }: EditorRequest, query: ListQuery, ids: Ids): Promise<ObjectListPage> {
  const { db } = context.store;
  const { status, author, category } = query;
  const condition = and(
    eq(content.type, query.type),
    inArray(
      content.status,
      STATUSES.filter((known) => status === undefined || status === known),
    ),
    isEditableBy(caller),
    anyOf(content.id, ids),
    matchesContentSearch(query.s, caller),
    author === undefined ? undefined : eq(content.authorId, author),
    category === undefined ? undefined : hasTerm(db, await findCategory({ context }, category)),
    query.seo_filter && isRanked(SEO_BUCKET, query.seo_filter),
    query.readability_filter && isRanked(READABILITY_BUCKET, query.readability_filter),
  );
  const total = await db.$count(content, condition);
  const rows = await db
    .select({
      id: content.id,
      type: content.type,
      title: content.title,
      status: content.status,
      slug: content.slug,
      parentId: content.parentId,
      meta: content.meta,
    })
    .from(content)
    .where(condition)
    .orderBy(sql`${content.modified} desc, ${content.id} desc`)
    .limit(ROWS_PER_PAGE)
    .offset(windowOf(query).offset);
  const { countIncoming } = await loadLinks(context);
  const ancestors = await loadAncestors(db, rows);
  const base = { site: context.publicUrl, kinds: context.kinds };
  const listed = rows.map((row) => ({
    id: row.id,
    type: row.type,
    status: row.status,
    name: plainText(row.title),
    settings: parseSettingsMeta(row.meta),
    incoming: countIncoming(getContentUrl(row, base, ancestors)),
  }));
  return listOf(listed, total);
}

type Ids = readonly number[] | undefined;

function listOf(rows: readonly ListedObject[], total: number): ObjectListPage {
  return { rows, total, pages: Math.ceil(total / ROWS_PER_PAGE) };
}

function windowOf({ page }: ListQuery) {
  return { limit: ROWS_PER_PAGE, offset: (page - 1) * ROWS_PER_PAGE };
}

async function findCategory({ context }: Pick<EditorRequest, 'context'>, slug: string): Promise<number[]> {
  const found = await context.store.db
    .select({ id: term.id })
    .from(term)
    .where(and(eq(term.taxonomy, CATEGORY.taxonomy), eq(term.slug, slug)));
  return found.map(({ id }) => id);
}

function isRanked(bucket: SQL<ScoreBucket>, rank: Rank): SQL {
  if (rank === 'noindex') return hasNoindexSetting();
  return eq(bucket, rank === 'na' ? 'notAnalyzed' : rank);
}

async function listTerms({ context }: EditorRequest, query: ListQuery, ids: Ids): Promise<ObjectListPage> {
  const { rows, total } = await findRows(context.store.db, term, {
    where: and(eq(term.taxonomy, query.type), matchesTerm(term.name, query.s), anyOf(term.id, ids)),
    orderBy: [asc(term.name), asc(term.id)],
    window: windowOf(query),
  });
  const tree = await loadTermTree(context, context.publicUrl, rows);
  const linked = rows.map((row) => ({ ...row, url: tree.urlOf(row) }));
  return describe({ context }, query.type, linked, total);
}

async function listUsers({ context }: EditorRequest, query: ListQuery, ids: Ids): Promise<ObjectListPage> {
  const { rows, total } = await findRows(context.store.db, user, {
    where: and(eq(user.active, true), matchesTerm(user.name, query.s), anyOf(user.id, ids)),
    orderBy: [asc(user.name), asc(user.id)],
    window: windowOf(query),
  });
  const linked = rows.map((row) => ({ ...row, url: getAuthorUrl(row, context.publicUrl) }));
  return describe({ context }, 'user', linked, total);
}

/** Adds settings to terms or users. */
async function describe(
  request: Pick<EditorRequest, 'context'>,
  type: string,
  rows: readonly { id: number; name: string; url: string }[],
  total: number,
): Promise<ObjectListPage> {
  const objectKind = type === 'user' ? 'user' : 'term';
  const ids = rows.map(({ id }) => id);
  const [meta, { countIncoming }] = await Promise.all([
    readObjectMeta(request.context.store.db, objectKind, ids),
    loadLinks(request.context),
  ]);
  const listed = rows.map(({ id, name, url }) => ({
    id,
    type,
    name: plainText(name),
    status: '',
    settings: parseSettingsMeta(meta.get(id) ?? {}),
    incoming: countIncoming(url),
  }));
  return listOf(listed, total);
}
