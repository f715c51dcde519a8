import { and, count, eq, gt, inArray, ne, notExists, or, sql, type SQL } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import type { Context } from '#contracts/core/field.ts';
import * as routes from '#contracts/core/routes.ts';
import { category, type categoryBody, tag } from '#contracts/core/site-resources.ts';
import { fillPath, type RouteErrors, type RouteQuery } from '#contracts/index.ts';
import type { TermRow } from '#origin/platform/content/content-url.ts';
import { canRead, findRow } from '#origin/platform/content/content-rights.ts';
import { addCuries, type Links } from '#origin/platform/content/present-content.ts';
import { bytewise, matchesList, orderRows } from '#origin/platform/content/resources/find-rows.ts';
import {
  createResource,
  deleteResource,
  getResource,
  insertRow,
  listResource,
  loadRow,
  updateResource,
  type Resource,
} from '#origin/platform/content/resources/resource.ts';
import { firstFreeSlug, MAX_SLUG_BYTES, normaliseSlug } from '#origin/platform/content/slugs.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { presentFields, type AnyCall, type Call, type SelectedFields } from '#origin/platform/http/transport/call.ts';
import type { CreateRestError } from '#origin/platform/http/transport/rest-error.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { CATEGORY, CONTENT_KINDS, TAG, type TermKind } from '#origin/platform/registry/content-kind.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { runTextJob } from '#origin/platform/render/worker/text-jobs.ts';
import { foldColumn, foldText, matchesTerm } from '#origin/platform/search/search-condition.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content, contentTerm, term } from '#origin/platform/store/schema.ts';

interface TermResource extends Resource<typeof term, PresentedTerm, 'rest_term_invalid'> {
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

type TermQuery = Omit<RouteQuery<typeof routes.listCategories>, 'parent'> & {
  parent?: number | undefined;
  offset?: number | undefined;
};
type TermInput = { body: z.output<typeof categoryBody> };
type CreationCall = AnyCall<RouteErrors<typeof routes.createTag>> & TermInput;
type UpdateCall = AnyCall<RouteErrors<typeof routes.updateTag>> & TermInput & { params: { id: number } };

export function serveTerms(registry: RouteRegistry): void {
  for (const [resource, { list, create, get, update, remove }] of [
    [termResource(CATEGORY), routes.categoryRoutes],
    [termResource(TAG), routes.tagRoutes],
  ] as const) {
    registry.serve(list, (call) => listTerms(call, resource), { permit: authorizeTermList });
    registry.serve(create, (call) => createTerm(call, resource), {
      permit({ caller, refuse }) {
        if (!can(caller, resource.terms.mayAdd))
          throw refuse('rest_cannot_create', 'You are not allowed to create terms in this taxonomy.');
      },
    });
    registry.serve(get, (call) => getResource(call, resource), {
      async permit(call) {
        await loadRow(call, resource, call.params.id);
        requireEditRight(call);
      },
    });
    registry.serve(update, (call) => updateTerm(call, resource), {
      async permit(call) {
        await loadRow(call, resource, call.params.id);
        if (!can(call.caller, 'manage_categories'))
          throw call.refuse('rest_cannot_update', 'You are not allowed to edit this term.');
      },
    });
    registry.serve(remove, (call) => deleteTerm(call, resource), {
      async permit(call) {
        const { id } = await loadRow(call, resource, call.params.id);
        const { default_category: defaultId } = await loadSite(call);
        if (!can(call.caller, 'manage_categories'))
          throw call.refuse('rest_cannot_delete', 'You are not allowed to delete this term.');
        if (id === defaultId) throw call.refuse('rest_cannot_delete', 'The default category cannot be deleted.');
      },
    });
  }
}

/** Requires `manage_categories` for the edit context, and read access to the post in the `post` filter. */
export async function authorizeTermList(
  call: AnyCall<RouteErrors<typeof routes.listTags>> & { query: TermQuery },
): Promise<void> {
  requireEditRight(call);
  if (call.query.post === undefined) return;
  const post = await findRow(call, CONTENT_KINDS.post, call.query.post);
  if (!post) throw call.refuse('rest_post_invalid_id', 'Invalid post ID.', { status: 400 });
  if (!canRead(post, call.caller))
    throw call.refuse('rest_forbidden_context', 'You are not allowed to view the terms of this post.');
}

/** Lists one page of the terms of a taxonomy, or of one post. */
function listTerms(call: AnyCall & { query: TermQuery }, resource: TermResource) {
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
async function countPosts({ context }: AnyCall, ids: number[]): Promise<ReadonlyMap<number, number>> {
  const counted = await context.store.db
    .select({ id: contentTerm.termId, posts: count() })
    .from(contentTerm)
    .innerJoin(content, and(eq(content.id, contentTerm.contentId), eq(content.status, 'publish')))
    .where(inArray(contentTerm.termId, ids))
    .groupBy(contentTerm.termId);
  return new Map(counted.map(({ id, posts }) => [id, posts]));
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
  owner: SlugOwner,
  above: readonly Pick<TermRow, 'slug'>[],
): Promise<string> {
  const withParents = above.map((_, depth) => [slug, ...above.slice(0, depth + 1).map((row) => row.slug)].join('-'));
  const candidates = [slug, ...withParents.filter(({ length }) => length <= MAX_SLUG_BYTES)];
  return firstFreeSlug(candidates, withParents.at(-1) ?? slug, (slugs) => findTakenTermSlugs(tx, slugs, owner));
}

/** Finds the slugs that other terms of the taxonomy have. */
async function findTakenTermSlugs(tx: Transaction, slugs: readonly string[], { id = 0, taxonomy }: SlugOwner) {
  const found = await tx
    .select({ slug: term.slug })
    .from(term)
    .where(and(eq(term.taxonomy, taxonomy), inArray(term.slug, [...slugs]), ne(term.id, id)));
  return new Set(found.map((row) => row.slug));
}

/** A term, for its slug. */
type SlugOwner = { id?: number | undefined; taxonomy: string };

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
    about: [{ href: href(fillPath(routes.getTaxonomy.path, { taxonomy: kind.taxonomy })) }],
    ...(row.parentId === 0 ? {} : { up: [{ embeddable: true, href: href(`${kind.base}/${row.parentId}`) }] }),
    'wp:post_type': [{ href: `${href(routes.listPosts.path)}?${kind.parameter}=${row.id}` }],
  });
}

/** Loads the category tree once per request, if any row has a parent. Returns a lookup of ancestor slugs. */
export async function loadAncestorSlugs(
  call: Pick<AnyCall, 'context' | 'requestMemo'>,
  rows: readonly TermRow[],
): Promise<TermView['slugsAbove']> {
  if (rows.every(({ parentId }) => parentId === 0)) return () => [];
  const all = await call.requestMemo.once('categories', () =>
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

/** Creates a term. Siblings can share a name only if the request sets a free slug. */
function createTerm(call: CreationCall, resource: TermResource) {
  const { body } = call;
  const { taxonomy } = resource.terms;
  const name = parseTermName(body.name ?? '', call);
  const sentSlug = normaliseSlug(body.slug ?? '');
  const slug = sentSlug === '' ? normaliseSlug(name) : sentSlug;
  const parentId = body.parent ?? 0;
  return createResource(call, resource, async (tx) => {
    const above = await loadAncestorTerms(tx, call, resource.terms, parentId);
    await rejectDuplicate(tx, call, resource.terms, { name, slug, parentId, isSlugSent: sentSlug !== '' });
    const description = await filterTermDescription(body.description ?? '');
    const freeSlug = slug === '' ? '' : await findFreeTermSlug(tx, slug, { taxonomy }, above);
    const added = await insertRow(tx, term, { taxonomy, name, slug: freeSlug, description, parentId });
    if (freeSlug !== '') return added;
    const numbered = await findFreeTermSlug(tx, String(added.id), { taxonomy }, []);
    await tx.update(term).set({ slug: numbered }).where(eq(term.id, added.id));
    return { ...added, slug: numbered };
  });
}

/** @throws RestError if a sibling has the same name, unless the request sets a free slug */
async function rejectDuplicate(
  tx: Transaction,
  { refuse }: CreationCall,
  { taxonomy }: TermKind,
  { name, slug, parentId, isSlugSent }: Pick<TermRow, 'name' | 'slug' | 'parentId'> & { isSlugSent: boolean },
): Promise<void> {
  const siblings: TermRow[] = await tx
    .select()
    .from(term)
    .where(and(eq(term.taxonomy, taxonomy), eq(term.parentId, parentId), eq(foldColumn(term.name), foldText(name))));
  const [duplicate] = siblings;
  if (!duplicate || (isSlugSent && !(await findTakenTermSlugs(tx, [slug], { taxonomy })).has(slug))) return;
  throw refuse('term_exists', 'A term with this name already exists.', {
    details: { term_id: duplicate.id },
    additionalData: [duplicate.id],
  });
}

/** Updates the given fields of a term. */
function updateTerm(call: UpdateCall, resource: TermResource) {
  const { body, params } = call;
  return updateResource(call, resource, params.id, async (tx, before) => {
    const name = body.name === undefined ? before.name : parseTermName(body.name, call);
    const above = body.parent === undefined ? [] : await loadAncestorTerms(tx, call, resource.terms, body.parent);
    return {
      name,
      // A category cannot be its own descendant.
      parentId: above.some(({ id }) => id === before.id) ? 0 : (body.parent ?? before.parentId),
      slug: await chooseSlug(tx, call, body.slug, name, before),
      description: body.description === undefined ? before.description : await filterTermDescription(body.description),
    };
  });
}

/** Returns the slug to store. An empty slug is derived from the name. @throws RestError if the given slug is taken */
async function chooseSlug(
  tx: Transaction,
  { refuse }: AnyCall<'duplicate_term_slug'>,
  sent: string | undefined,
  name: string,
  before: TermRow,
): Promise<string> {
  if (sent === undefined) return before.slug;
  const slug = normaliseSlug(sent);
  if (slug === '') return findFreeTermSlug(tx, normaliseSlug(name) || String(before.id), before, []);
  const taken = await findTakenTermSlugs(tx, [slug], before);
  if (taken.has(slug)) throw refuse('duplicate_term_slug', `The slug "${slug}" is already in use.`);
  return slug;
}

/** Deletes a term and returns its former state. Requires `force=true`, since terms have no trash. */
async function deleteTerm(call: Call<typeof routes.deleteTag>, resource: TermResource) {
  const { params, query } = call;
  if (!query.force)
    throw call.refuse('rest_trash_not_supported', 'Terms do not support trashing. Set force=true to delete.');
  const { default_category: defaultId } = await loadSite(call);
  return deleteResource(call, resource, params.id, (tx, row) => detachTerm(tx, row, defaultId));
}

/**
 * Moves child categories to the parent of a term, and removes the term from all content. Posts without another
 * category get the default category.
 */
async function detachTerm(tx: Transaction, { id, taxonomy, parentId }: TermRow, defaultId: number): Promise<void> {
  if (taxonomy === 'category') await tx.update(term).set({ parentId }).where(eq(term.parentId, id));
  if (taxonomy === 'category' && defaultId !== 0) await assignDefaultCategory(tx, id, defaultId);
  await tx.delete(contentTerm).where(eq(contentTerm.termId, id));
}

async function assignDefaultCategory(tx: Transaction, deletedId: number, defaultId: number): Promise<void> {
  const otherTerms = alias(contentTerm, 'others');
  const otherCategories = tx
    .select({ id: otherTerms.termId })
    .from(otherTerms)
    .innerJoin(term, eq(term.id, otherTerms.termId))
    .where(and(eq(otherTerms.contentId, contentTerm.contentId), eq(term.taxonomy, 'category'), ne(term.id, deletedId)));
  const posts = tx
    .select({ contentId: contentTerm.contentId, termId: sql<number>`${defaultId}::bigint`.as('term_id') })
    .from(contentTerm)
    .innerJoin(content, and(eq(content.id, contentTerm.contentId), eq(content.type, 'post')))
    .where(and(eq(contentTerm.termId, deletedId), notExists(otherCategories)));
  await tx.insert(contentTerm).select(posts);
}

/** Strips markup from a name. @throws RestError if the result is empty */
function parseTermName(sent: string, { refuse }: AnyCall<'empty_term_name'>): string {
  const name = plainText(sent);
  if (name === '') throw refuse('empty_term_name', 'The term name is empty.');
  return name;
}

/** Filters the HTML of a description, for all roles. Descriptions appear in many places and never need scripts. */
export function filterTermDescription(sent: string): Promise<string> {
  return runTextJob('filterInline', sent);
}

/** Loads a parent category and its ancestors, nearest first. @throws RestError if there is no such parent */
export async function loadAncestorTerms(
  tx: Transaction,
  { refuse }: { refuse: CreateRestError<'rest_term_invalid'> },
  { taxonomy }: TermKind,
  parentId: number,
): Promise<TermRow[]> {
  const above: TermRow[] = [];
  for (let id = parentId; id !== 0; id = above.at(-1)?.parentId ?? 0) {
    const [row] = await tx
      .select()
      .from(term)
      .where(and(eq(term.id, id), eq(term.taxonomy, taxonomy)))
      .limit(1);
    if (!row && above.length === 0)
      throw refuse('rest_term_invalid', 'The parent term does not exist.', { status: 400 });
    if (!row || above.some((seen) => seen.id === row.id)) break;
    above.push(row);
  }
  return above;
}
