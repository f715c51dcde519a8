import type { Context } from '#contracts/core/field.ts';
import type { getCategory, listCategories } from '#contracts/core/routes.ts';
import type { RouteQuery } from '#contracts/index.ts';
import { findRow } from '#origin/platform/content/get-item.ts';
import { canRead } from '#origin/platform/content/content-rights.ts';
import { normaliseSlug } from '#origin/platform/content/slugs.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { collection, item, type ResultOf, type AnyCall } from '#origin/platform/http/transport/call.ts';
import { CONTENT_KINDS, type ContentRow, type TermKind } from '#origin/platform/registry/content-kind.ts';
import {
  findTerms,
  findContentTerms,
  type TermWithCount,
  presentTerm,
  type PresentedTerm,
  type TermView,
} from './find-terms.ts';
import { eq } from 'drizzle-orm';
import type { TermRow } from '#origin/platform/content/content-url.ts';
import { term } from '#origin/platform/store/schema.ts';

export type TermQuery = Omit<RouteQuery<typeof listCategories>, 'parent'> & {
  parent?: number | undefined;
  offset?: number | undefined;
};

export interface TermItemCall extends AnyCall<'rest_term_invalid' | 'rest_forbidden_context'> {
  params: { id: number };
  query: { context: Context };
}

/** Requires `manage_categories` for the edit context, and read access to the post in the `post` filter. */
export async function authorizeTermList(
  call: AnyCall<'rest_forbidden_context' | 'rest_post_invalid_id'> & { query: TermQuery },
): Promise<void> {
  requireEditRight(call.query.context, call);
  if (call.query.post === undefined) return;
  const post = await findRow(call, CONTENT_KINDS.post, call.query.post);
  if (!post) throw call.refuse('rest_post_invalid_id', 'Invalid post ID.', { status: 400 });
  requireReadable(post, call);
}

/** Returns one page of terms. */
export async function handleListTerms(
  call: AnyCall,
  kind: TermKind,
  query: TermQuery,
): Promise<ResultOf<typeof listCategories>> {
  const { page, per_page: perPage, context } = query;
  const filter = {
    taxonomy: kind.taxonomy,
    ids: query.include,
    notIds: query.include.length > 0 ? [] : query.exclude,
    slugs: (query.slug ?? []).map(normaliseSlug),
    parentId: query.parent,
    search: query.search,
    onlyUsed: query.hide_empty,
    isCounted: context !== 'embed',
  };
  const offset = query.offset === undefined ? (page - 1) * perPage : Math.abs(query.offset);
  const order = { by: query.orderby, direction: query.order };
  const window = { limit: perPage, offset };
  const { rows, total } =
    query.post === undefined
      ? await findTerms(call.context.store.db, filter, order, window)
      : await findContentTerms(call, query.post, filter, order, window);
  const slugsAbove = await loadAncestorSlugs(call, rows);
  const shown = rows.map((row) => presentTerm(row, { call, kind, context, slugsAbove }));
  return collection(shown, total, { page, perPage });
}

export function authorizeTermRead(kind: TermKind): (call: TermItemCall) => Promise<void> {
  return async (call) => {
    await loadTerm(call, kind, call.params.id);
    requireEditRight(call.query.context, call);
  };
}

export async function handleGetTerm(call: TermItemCall, kind: TermKind): Promise<ResultOf<typeof getCategory>> {
  return item(await presentTermById(call, kind, call.params.id, call.query.context));
}

/** Loads a term and converts it to JSON, with the number of its posts. */
export async function presentTermById(
  call: AnyCall<'rest_term_invalid'>,
  kind: TermKind,
  id: number,
  context: Context,
): Promise<PresentedTerm> {
  const row = await loadTerm(call, kind, id);
  const slugsAbove = await loadAncestorSlugs(call, [row]);
  return presentTerm(row, { call, kind, context, slugsAbove });
}

/** Evicts a term and the category tree from the request caches. Call it after a write. */
export function evictTerm(call: AnyCall, id: number): void {
  call.memo.forget(`term ${id}`);
  call.requestMemo.forget(CATEGORIES_KEY);
}

export function loadTerm(
  call: AnyCall<'rest_term_invalid'>,
  { taxonomy }: TermKind,
  id: number,
): Promise<TermWithCount> {
  return call.memo.once(`term ${id}`, async () => {
    const order = { by: 'id', direction: 'asc' } as const;
    const found = await findTerms(call.context.store.db, { taxonomy, ids: [id] }, order, { limit: 1, offset: 0 });
    const [row] = found.rows;
    if (!row) throw call.refuse('rest_term_invalid', 'Invalid term ID.');
    return row;
  });
}

function requireEditRight(context: Context, { caller, refuse }: AnyCall<'rest_forbidden_context'>): void {
  if (context === 'edit' && !can(caller, 'manage_categories'))
    throw refuse('rest_forbidden_context', 'You are not allowed to view terms in the edit context.');
}

function requireReadable(post: ContentRow, { caller, refuse }: AnyCall<'rest_forbidden_context'>): void {
  if (!canRead(post, caller))
    throw refuse('rest_forbidden_context', 'You are not allowed to view the terms of this post.');
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
