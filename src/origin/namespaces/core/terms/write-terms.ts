import { and, eq, ne, notExists, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import type { createCategory, updateCategory, deleteCategory } from '#contracts/core/routes.ts';
import type { categoryBody } from '#contracts/core/term.ts';
import type { TermRow } from '#origin/platform/content/content-url.ts';
import { normaliseSlug } from '#origin/platform/content/slugs.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { presentPrevious } from '#origin/platform/http/present-fields.ts';
import { created, type ResultOf, type AnyCall, item } from '#origin/platform/http/transport/call.ts';
import type { CreateRestError } from '#origin/platform/http/transport/rest-error.ts';
import { type TermKind, notifyListeners } from '#origin/platform/registry/content-kind.ts';
import { runTextJob } from '#origin/platform/render/worker/run-text-job.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { foldColumn, foldText } from '#origin/platform/search/search-condition.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { term, content, contentTerm } from '#origin/platform/store/schema.ts';
import { evictTerm, presentTermById, loadTerm } from './read-terms.ts';
import { findFreeTermSlug } from './find-terms.ts';

/** Creates a term. Siblings can share a name only if the request sets a free slug. */
export async function createTerm(call: TermCreationCall, kind: TermKind): Promise<ResultOf<typeof createCategory>> {
  const { body, context, addresses } = call;
  const name = parseTermName(body.name ?? '', call);
  const sentSlug = normaliseSlug(body.slug ?? '');
  const slug = sentSlug === '' ? normaliseSlug(name) : sentSlug;
  const id = await writeContent(context.store.db, async (tx) => {
    const above = await loadAncestorTerms(tx, call, kind, body.parent ?? 0);
    const parentId = body.parent ?? 0;
    await rejectDuplicate(tx, call, kind, { name, slug, parentId, isSlugSent: sentSlug !== '' });
    const owner = { taxonomy: kind.taxonomy };
    const [added] = await tx
      .insert(term)
      .values({
        taxonomy: kind.taxonomy,
        name,
        slug: slug === '' ? '' : await findFreeTermSlug(tx, slug, owner, above),
        description: await filterTermDescription(body.description ?? ''),
        parentId,
      })
      .returning({ id: term.id });
    if (!added) throw new Error('The store did not return the term it added.');
    if (slug === '') {
      const numbered = await findFreeTermSlug(tx, String(added.id), owner, []);
      await tx.update(term).set({ slug: numbered }).where(eq(term.id, added.id));
    }
    await announce(tx, { what: kind.slugBase, id: String(added.id), action: 'created' });
    await notifyListeners(tx, context, { terms: [added.id] });
    return added.id;
  });
  evictTerm(call, id);
  return created(await presentTermById(call, kind, id, 'edit'), addresses.rest(`${kind.base}/${id}`));
}

type TermCreationCall = TermWritingCall & AnyCall<'term_exists'>;

interface NewTerm {
  name: string;
  slug: string;
  parentId: number;
  isSlugSent: boolean;
}

/** @throws RestError if a sibling has the same name, unless the request sets a free slug */
async function rejectDuplicate(
  tx: Transaction,
  { refuse }: TermCreationCall,
  { taxonomy }: TermKind,
  { name, slug, parentId, isSlugSent }: NewTerm,
): Promise<void> {
  const siblings: TermRow[] = await tx
    .select()
    .from(term)
    .where(and(eq(term.taxonomy, taxonomy), eq(term.parentId, parentId), eq(foldColumn(term.name), foldText(name))));
  const [duplicate] = siblings;
  const isTaken = siblings.some((row) => row.slug === slug) || (duplicate && (await isSlugTaken(tx, taxonomy, slug)));
  if (!duplicate || (isSlugSent && !isTaken)) return;
  throw refuse('term_exists', 'A term with this name already exists.', {
    details: { term_id: duplicate.id },
    additionalData: [duplicate.id],
  });
}

async function isSlugTaken(tx: Transaction, taxonomy: TermRow['taxonomy'], slug: string): Promise<boolean> {
  const [found] = await tx
    .select({ id: term.id })
    .from(term)
    .where(and(eq(term.taxonomy, taxonomy), eq(term.slug, slug)))
    .limit(1);
  return found !== undefined;
}

/** Updates the given fields of a term. */
export async function updateTerm(
  call: TermWritingCall & AnyCall<'duplicate_term_slug'> & { params: { id: number } },
  kind: TermKind,
): Promise<ResultOf<typeof updateCategory>> {
  const { body, context, params } = call;
  await writeContent(context.store.db, async (tx) => {
    const before = await lockTerm(tx, call, kind, params.id);
    const name = body.name === undefined ? before.name : parseTermName(body.name, call);
    const above = body.parent === undefined ? [] : await loadAncestorTerms(tx, call, kind, body.parent);
    // A category cannot be its own descendant.
    const parentId = above.some(({ id }) => id === before.id) ? 0 : (body.parent ?? before.parentId);
    const values = {
      name,
      parentId,
      slug: await chooseSlug(tx, call, body.slug, name, before),
      description: body.description === undefined ? before.description : await filterTermDescription(body.description),
    };
    await tx.update(term).set(values).where(eq(term.id, before.id));
    await announce(tx, { what: kind.slugBase, id: String(before.id), action: 'updated' });
    await notifyListeners(tx, context, { terms: [before.id] });
  });
  evictTerm(call, params.id);
  return item(await presentTermById(call, kind, params.id, 'edit'));
}

/** Loads a term and locks the row until the transaction ends. @throws RestError if there is none */
export async function lockTerm(
  tx: Transaction,
  { refuse }: AnyCall<'rest_term_invalid'>,
  { taxonomy }: TermKind,
  id: number,
): Promise<TermRow> {
  const [row] = await tx
    .select()
    .from(term)
    .where(and(eq(term.id, id), eq(term.taxonomy, taxonomy)))
    .for('update');
  if (!row) throw refuse('rest_term_invalid', 'Invalid term ID.');
  return row;
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
  const [other] = await tx
    .select({ id: term.id })
    .from(term)
    .where(and(eq(term.taxonomy, before.taxonomy), eq(term.slug, slug), ne(term.id, before.id)))
    .limit(1);
  if (other) throw refuse('duplicate_term_slug', `The slug "${slug}" is already in use.`);
  return slug;
}

type DeletionCall = AnyCall<'rest_term_invalid' | 'rest_trash_not_supported'> & {
  params: { id: number };
  query: { force: boolean };
};

/** Deletes a term and returns its former state. Requires `force=true`, since terms have no trash. */
export async function deleteTerm(call: DeletionCall, kind: TermKind): Promise<ResultOf<typeof deleteCategory>> {
  const { context, params, query } = call;
  if (!query.force)
    throw call.refuse('rest_trash_not_supported', 'Terms do not support trashing. Set force=true to delete.');
  const { default_category: defaultId } = await loadSite(call);
  const previous = presentPrevious(await presentTermById(call, kind, params.id, 'view'), params.id, call);
  await writeContent(context.store.db, async (tx) => {
    const row = await lockTerm(tx, call, kind, params.id);
    const moved = await removeTerm(tx, row, defaultId);
    await announce(tx, { what: kind.slugBase, id: String(row.id), action: 'deleted' });
    await notifyListeners(tx, context, { terms: [row.id, ...moved.terms], content: moved.content });
  });
  evictTerm(call, params.id);
  return item({ deleted: true, previous });
}

/**
 * Deletes a term. Its child categories move to its parent. Posts without another category get the default category.
 *
 * @returns IDs of the moved categories, and of the content that had the term
 */
async function removeTerm(tx: Transaction, { id, taxonomy, parentId }: TermRow, defaultId: number) {
  let terms: number[] = [];
  if (taxonomy === 'category') {
    const moved = await tx
      .update(term)
      .set({ parentId })
      .where(and(eq(term.taxonomy, taxonomy), eq(term.parentId, id)))
      .returning({ id: term.id });
    terms = moved.map((row) => row.id);
    if (defaultId !== 0) await assignDefaultCategory(tx, id, defaultId);
  }
  const detached = await tx
    .delete(contentTerm)
    .where(eq(contentTerm.termId, id))
    .returning({ id: contentTerm.contentId });
  await tx.delete(term).where(eq(term.id, id));
  return { terms, content: detached.map((row) => row.id) };
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
export function parseTermName(sent: string, { refuse }: TermWritingCall): string {
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

export function authorizeTermCreate({ mayAdd }: TermKind): (call: AnyCall<'rest_cannot_create'>) => void {
  return ({ caller, refuse }) => {
    if (!can(caller, mayAdd))
      throw refuse('rest_cannot_create', 'You are not allowed to create terms in this taxonomy.');
  };
}

export function authorizeTermUpdate(kind: TermKind): (call: ItemCall<'rest_cannot_update'>) => Promise<void> {
  return async (call) => {
    await loadTerm(call, kind, call.params.id);
    if (!can(call.caller, 'manage_categories'))
      throw call.refuse('rest_cannot_update', 'You are not allowed to edit this term.');
  };
}

/** Rejects the deletion of the default category. */
export function authorizeTermDelete(kind: TermKind): (call: ItemCall<'rest_cannot_delete'>) => Promise<void> {
  return async (call) => {
    const { id } = await loadTerm(call, kind, call.params.id);
    const { default_category: defaultId } = await loadSite(call);
    if (!can(call.caller, 'manage_categories'))
      throw call.refuse('rest_cannot_delete', 'You are not allowed to delete this term.');
    if (id === defaultId) throw call.refuse('rest_cannot_delete', 'The default category cannot be deleted.');
  };
}
