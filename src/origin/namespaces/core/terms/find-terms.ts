import { and, count, eq, gt, inArray, ne, or, sql, type SQL } from 'drizzle-orm';
import type { z } from 'zod';
import type { Context } from '#contracts/core/field.ts';
import { getTaxonomy, type listCategories, listPosts } from '#contracts/core/routes.ts';
import { category, tag } from '#contracts/core/site-resources.ts';
import { type RouteQuery, fillPath } from '#contracts/index.ts';
import type { TermRow } from '#origin/platform/content/content-url.ts';
import { canRead, contentRows } from '#origin/platform/content/content-rights.ts';
import { addCuries, type Links } from '#origin/platform/content/present-content.ts';
import { firstFreeSlug, MAX_SLUG_BYTES } from '#origin/platform/content/slugs.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import {
  presentFields,
  type AnyCall,
  type ResultOf,
  type SelectedFields,
} from '#origin/platform/http/transport/call.ts';
import { CATEGORY, CONTENT_KINDS, TAG, type TermKind } from '#origin/platform/registry/content-kind.ts';
import { bytewise, matchesList, orderRows } from '#origin/platform/content/resources/find-rows.ts';
import { listResource, loadRow, type Resource, findRow } from '#origin/platform/content/resources/resource.ts';
import { foldColumn, matchesTerm } from '#origin/platform/search/search-condition.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content, contentTerm, term } from '#origin/platform/store/schema.ts';

export interface TermResource extends Resource<typeof term, PresentedTerm, 'rest_term_invalid'> {
  terms: TermKind;
}

/** JSON of a category. Tags have the same fields except `parent`. */
type PresentedTerm = SelectedFields<z.input<typeof category>>;

function termResource(kind: TermKind): TermResource {
  return {
    terms: kind,
    table: term,
    kind: eq(term.taxonomy, kind.taxonomy),
    path: kind.base,
    unknownId: ['rest_term_invalid', 'Invalid term ID.'],
    event: kind.slugBase,
    async presenter(rows, call, context) {
      const ids = rows.map(({ id }) => id);
      const isCounted = context !== 'embed' && call.fields.wants('count');
      const [posts, slugsAbove] = await Promise.all([
        isCounted ? countPosts(call, ids) : new Map<number, number>(),
        loadAncestorSlugs(call, rows),
      ]);
      return (row) => presentTerm(row, { call, kind, context, slugsAbove, posts: posts.get(row.id) ?? 0 });
    },
  };
}

export const categories = termResource(CATEGORY);
export const tags = termResource(TAG);

type TermQuery = Omit<RouteQuery<typeof listCategories>, 'parent'> & {
  parent?: number | undefined;
  offset?: number | undefined;
};

/** Requires `manage_categories` for the edit context, and read access to the post in the `post` filter. */
export async function authorizeTermList(
  call: AnyCall<'rest_forbidden_context' | 'rest_post_invalid_id'> & { query: TermQuery },
): Promise<void> {
  requireEditRight(call);
  if (call.query.post === undefined) return;
  const post = await findRow(call, contentRows(CONTENT_KINDS.post), call.query.post);
  if (!post) throw call.refuse('rest_post_invalid_id', 'Invalid post ID.', { status: 400 });
  if (!canRead(post, call.caller))
    throw call.refuse('rest_forbidden_context', 'You are not allowed to view the terms of this post.');
}

/** Lists one page of the terms of a taxonomy, or of one post. */
export function listTerms(
  call: AnyCall & { query: TermQuery },
  resource: TermResource,
): Promise<ResultOf<typeof listCategories>> {
  const { query } = call;
  const selection = {
    where: and(
      matchesList(term, query),
      query.parent === undefined ? undefined : eq(term.parentId, query.parent),
      query.search ? matchesTermSearch(query.search) : undefined,
      query.hide_empty ? gt(POSTS, 0) : undefined,
    ),
    orderBy: orderRows(term, query, ORDERS),
  };
  const join = { table: contentTerm, on: eq(contentTerm.termId, term.id) };
  const ofPost = query.post === undefined ? undefined : { id: query.post, column: contentTerm.contentId, join };
  return listResource(call, resource, selection, ofPost);
}

export function matchesTermSearch(text: string): SQL | undefined {
  return or(matchesTerm(term.name, text), matchesTerm(term.slug, text));
}

/** Number of published posts of a term, as part of a statement. */
const POSTS = sql`(select count(*) from ${contentTerm} join ${content} on ${content.id} = ${contentTerm.contentId}
  where ${contentTerm.termId} = ${term.id} and ${content.status} = 'publish')`;

const ORDERS = {
  term_group: term.id,
  name: bytewise(foldColumn(term.name)),
  slug: bytewise(foldColumn(term.slug)),
  description: bytewise(foldColumn(term.description)),
  count: POSTS,
};

/** Counts the published posts of terms. */
async function countPosts(
  { context }: Pick<AnyCall, 'context'>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map();
  const counted = await context.store.db
    .select({ id: contentTerm.termId, posts: count() })
    .from(contentTerm)
    .innerJoin(content, and(eq(content.id, contentTerm.contentId), eq(content.status, 'publish')))
    .where(inArray(contentTerm.termId, [...ids]))
    .groupBy(contentTerm.termId);
  return new Map(counted.map(({ id, posts }) => [id, posts]));
}

interface TermItemCall extends AnyCall<'rest_term_invalid' | 'rest_forbidden_context'> {
  params: { id: number };
  query: { context: Context };
}

export async function authorizeTermRead(call: TermItemCall, resource: TermResource): Promise<void> {
  await loadRow(call, resource, call.params.id);
  requireEditRight(call);
}

function requireEditRight({
  caller,
  query,
  refuse,
}: AnyCall<'rest_forbidden_context'> & { query: { context: Context } }): void {
  if (query.context === 'edit' && !can(caller, 'manage_categories'))
    throw refuse('rest_forbidden_context', 'You are not allowed to view terms in the edit context.');
}

/**
 * Finds a slug that is free within the taxonomy. Tries the slug itself, then the slug with those of its ancestors,
 * then suffixes `-2`, `-3`, …. Call it within `writeContent`.
 *
 * @param above ancestors of the term, nearest first
 */
export async function findFreeTermSlug(
  tx: Transaction,
  slug: string,
  owner: { id?: number | undefined; taxonomy: string },
  above: readonly Pick<TermRow, 'slug'>[],
): Promise<string> {
  const withParents = above.map((_, depth) => [slug, ...above.slice(0, depth + 1).map((row) => row.slug)].join('-'));
  const candidates = [slug, ...withParents.filter(({ length }) => length <= MAX_SLUG_BYTES)];
  return firstFreeSlug(candidates, withParents.at(-1) ?? slug, (slugs) => findTakenTermSlugs(tx, slugs, owner));
}

/** Finds the slugs that other terms of the taxonomy have. */
export async function findTakenTermSlugs(
  tx: Transaction,
  slugs: readonly string[],
  { id, taxonomy }: { id?: number | undefined; taxonomy: string },
): Promise<Set<string>> {
  const isOther = id === undefined ? undefined : ne(term.id, id);
  const found = await tx
    .select({ slug: term.slug })
    .from(term)
    .where(and(eq(term.taxonomy, taxonomy), inArray(term.slug, [...slugs]), isOther));
  return new Set(found.map((row) => row.slug));
}

interface TermView {
  call: AnyCall;
  kind: TermKind;
  context: Context;
  /** Returns the slugs of a term's ancestors, root first. */
  slugsAbove: (term: TermRow) => readonly string[];
  /** Number of its published posts. */
  posts: number;
}

/** Converts a category or tag to JSON. */
function presentTerm(row: TermRow, view: TermView): PresentedTerm {
  const { kind } = view;
  const fields = {
    id: row.id,
    count: view.posts,
    description: row.description,
    link: termUrl(row, view),
    name: row.name,
    slug: row.slug,
    taxonomy: row.taxonomy,
    parent: row.parentId,
    meta: [] as [],
    _links: () => linkTerm(row, view),
  };
  return kind.taxonomy === 'category' ? presentFields(category, fields, view) : presentFields(tag, fields, view);
}

/** Returns the URL of a term's page on the site. */
export function termUrl(row: TermRow, { call, kind, slugsAbove }: Omit<TermView, 'context' | 'posts'>): string {
  return `${[call.addresses.site, kind.slugBase, ...slugsAbove(row), row.slug].join('/')}/`;
}

export function linkTerm(row: TermRow, { call, kind }: Pick<TermView, 'call' | 'kind'>): Links {
  const href = (path: string) => call.addresses.rest(path);
  const canWrite = can(call.caller, 'manage_categories');
  const allow = call.methodsOn(`${kind.base}/<id>`).filter((method) => method === 'GET' || canWrite);
  return addCuries({
    self: [{ href: href(`${kind.base}/${row.id}`), targetHints: { allow } }],
    collection: [{ href: href(kind.base) }],
    about: [{ href: href(fillPath(getTaxonomy.path, { taxonomy: kind.taxonomy })) }],
    ...(row.parentId === 0 ? {} : { up: [{ embeddable: true, href: href(`${kind.base}/${row.parentId}`) }] }),
    'wp:post_type': [{ href: `${href(listPosts.path)}?${kind.parameter}=${row.id}` }],
  });
}
/** Key of the category tree in the request cache. */
const CATEGORIES_KEY = 'categories';

/** Loads the category tree once per request, if any row has a parent. Returns a lookup of ancestor slugs. */
export async function loadAncestorSlugs(
  call: Pick<AnyCall, 'context' | 'requestMemo'>,
  rows: readonly TermRow[],
): Promise<TermView['slugsAbove']> {
  if (rows.every(({ parentId }) => parentId === 0)) return () => [];
  const all = await call.requestMemo.once(CATEGORIES_KEY, () =>
    call.context.store.db
      .select({ id: term.id, slug: term.slug, parentId: term.parentId })
      .from(term)
      .where(eq(term.taxonomy, 'category')),
  );
  const byId = new Map(all.map((row) => [row.id, row]));
  return ({ parentId }) => {
    const slugs: string[] = [];
    const seen = new Set<number>();
    for (let above = byId.get(parentId); above && !seen.has(above.id); above = byId.get(above.parentId)) {
      seen.add(above.id);
      slugs.unshift(above.slug);
    }
    return slugs;
  };
}
