import { and, eq, ne, notExists, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import type { createCategory, updateCategory, deleteCategory } from '#contracts/core/routes.ts';
import type { categoryBody } from '#contracts/core/site-resources.ts';
import type { TermRow } from '#origin/platform/content/content-url.ts';
import { normaliseSlug } from '#origin/platform/content/slugs.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import type { AnyCall, ResultOf } from '#origin/platform/http/transport/call.ts';
import type { CreateRestError } from '#origin/platform/http/transport/rest-error.ts';
import type { TermKind } from '#origin/platform/registry/content-kind.ts';
import {
  createResource,
  deleteResource,
  insertRow,
  loadRow,
  updateResource,
} from '#origin/platform/content/resources/resource.ts';
import { runTextJob } from '#origin/platform/render/worker/text-jobs.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { foldColumn, foldText } from '#origin/platform/search/search-condition.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { term, content, contentTerm } from '#origin/platform/store/schema.ts';
import { findFreeTermSlug, findTakenTermSlugs, type TermResource } from './find-terms.ts';

/** Creates a term. Siblings can share a name only if the request sets a free slug. */
export function createTerm(call: TermCreationCall, resource: TermResource): Promise<ResultOf<typeof createCategory>> {
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

type TermCreationCall = TermWritingCall & AnyCall<'term_exists'>;

/** @throws RestError if a sibling has the same name, unless the request sets a free slug */
async function rejectDuplicate(
  tx: Transaction,
  { refuse }: TermCreationCall,
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
export function updateTerm(
  call: TermWritingCall & AnyCall<'duplicate_term_slug'> & { params: { id: number } },
  resource: TermResource,
): Promise<ResultOf<typeof updateCategory>> {
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

type DeletionCall = AnyCall<'rest_term_invalid' | 'rest_trash_not_supported'> & {
  params: { id: number };
  query: { force: boolean };
};

/** Deletes a term and returns its former state. Requires `force=true`, since terms have no trash. */
export async function deleteTerm(call: DeletionCall, resource: TermResource): Promise<ResultOf<typeof deleteCategory>> {
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

/** Request body of categories and tags. Tags have no parent. */
type TermInput = z.output<typeof categoryBody>;

type TermWritingCall = AnyCall<'empty_term_name' | 'rest_term_invalid'> & { body: TermInput };

/** Strips markup from a name. @throws RestError if the result is empty */
function parseTermName(sent: string, { refuse }: TermWritingCall): string {
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

type ItemCall<Code extends string> = AnyCall<'rest_term_invalid' | Code> & { params: { id: number } };

export function authorizeTermCreate({ caller, refuse }: AnyCall<'rest_cannot_create'>, { terms }: TermResource): void {
  if (!can(caller, terms.mayAdd))
    throw refuse('rest_cannot_create', 'You are not allowed to create terms in this taxonomy.');
}

export async function authorizeTermUpdate(call: ItemCall<'rest_cannot_update'>, resource: TermResource): Promise<void> {
  await loadRow(call, resource, call.params.id);
  if (!can(call.caller, 'manage_categories'))
    throw call.refuse('rest_cannot_update', 'You are not allowed to edit this term.');
}

/** Rejects the deletion of the default category. */
export async function authorizeTermDelete(call: ItemCall<'rest_cannot_delete'>, resource: TermResource): Promise<void> {
  const { id } = await loadRow(call, resource, call.params.id);
  const { default_category: defaultId } = await loadSite(call);
  if (!can(call.caller, 'manage_categories'))
    throw call.refuse('rest_cannot_delete', 'You are not allowed to delete this term.');
  if (id === defaultId) throw call.refuse('rest_cannot_delete', 'The default category cannot be deleted.');
}
