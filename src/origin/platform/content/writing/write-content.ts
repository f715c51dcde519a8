import { isDeepStrictEqual } from 'node:util';
import { and, desc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { deletePost, updatePost } from '#contracts/core/routes.ts';
import type { RouteErrors } from '#contracts/index.ts';
import { toSiteTime } from '#contracts/site-clock.ts';
import { announce } from '#origin/platform/events/announce.ts';
import {
  created,
  item,
  presentPrevious,
  type AnyCall,
  type RouteResult,
  type SelectedFields,
} from '#origin/platform/http/transport/call.ts';
import type { CreateRestError } from '#origin/platform/http/transport/rest-error.ts';
import type { ContentKind, ContentKinds, ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { comment, content, contentTerm, term } from '#origin/platform/store/schema.ts';
import {
  canDelete,
  canEdit,
  contentRows,
  createCannotDeleteError,
  createCannotEditError,
  type ContentInput,
  type WritingCall,
  type WritingItemCall,
} from '../content-rights.ts';
import { getContentUrl, loadAncestors } from '../content-url.ts';
import { loadContentView, type Present } from '../present-content.ts';
import { insertRow, loadRow, lockRow, writeContent } from '../resources/resource.ts';
import { findFreeSlug } from '../slugs.ts';
import {
  filterInput,
  FOOTNOTES,
  loadWritingScope,
  planContent,
  trashedSlug,
  UNPUBLISHED,
  wrongMetaError,
  type PlannedContent,
  type WritingScope,
} from './plan-content.ts';

/** Creates a row and presents it in the edit context. */
export async function createContent<T>(
  call: WritingCall,
  kind: ContentKind,
  present: Present<T>,
): Promise<RouteResult<T>> {
  const scope = await loadWritingScope(call, kind);
  const input = await filterInput(call.body, call.caller);
  const { row, wrongMeta } = await writeContent(call.context.store.db, (tx, now) =>
    saveContent(tx, undefined, input, { ...scope, now }),
  );
  if (wrongMeta !== undefined) throw wrongMetaError(wrongMeta, call);
  return created(await presentWritten(call, kind, row, present), call.addresses.rest(`${kind.base}/${row.id}`));
}

/** Creates or updates a row with its terms, saves a revision and announces it. Call it within `writeContent`. */
export async function saveContent(
  tx: Transaction,
  before: ContentRow | undefined,
  input: ContentInput,
  scope: WritingScope,
): Promise<{ row: ContentRow; wrongMeta: string | undefined }> {
  const { row: planned, wrongMeta } = await planContent(tx, input, before, scope);
  const row = before ? await updateRow(tx, before, planned) : await insertContent(tx, planned, scope);
  await saveTerms(tx, before, row, input, scope);
  await scope.kind.save?.(tx, row, input);
  if (before && row.status !== 'auto-draft') await saveRevision(tx, row, scope.caller.user?.id ?? 0);
  await announceContent(tx, before, row);
  return { row, wrongMeta };
}

/** Inserts a row with its permanent address. Derives the slug from the ID if the title has no usable words. */
async function insertContent(tx: Transaction, planned: PlannedContent, scope: WritingScope): Promise<ContentRow> {
  const { type, parentId, status } = planned;
  const base = { site: scope.site.url ?? scope.publicUrl, kinds: scope.kinds };
  const ancestors = await loadAncestors(tx, [planned]);
  // Clients insert it into markup without escaping.
  const guidOf = (id: number, slug: string) =>
    getContentUrl({ id, type, status, slug, parentId }, base, ancestors).replaceAll('&', '&#038;');
  const row = await insertRow(tx, content, { ...planned, guid: guidOf(0, planned.slug) });
  const slug = await findPermanentSlug(tx, row, undefined);
  const guid = guidOf(row.id, slug);
  // Addresses of drafts contain the ID.
  if (guid !== row.guid || slug !== row.slug)
    await tx.update(content).set({ slug, guid }).where(eq(content.id, row.id));
  return { ...row, slug, guid };
}

/** Assigns the terms of the input to a row. A new row without a category gets the default one. */
export async function saveTerms(
  tx: Transaction,
  before: ContentRow | undefined,
  { id, status }: ContentRow,
  input: ContentInput,
  { kind, site }: WritingScope,
): Promise<void> {
  const isFirst = (before === undefined || before.status === 'auto-draft') && status !== 'auto-draft';
  for (const { taxonomy, parameter, hasDefault } of kind.terms) {
    const sent: unknown = input[parameter];
    if (Array.isArray(sent)) {
      const ids = sent.filter((termId) => typeof termId === 'number');
      await assignTerms(tx, id, taxonomy, ids, before === undefined);
    } else if (hasDefault && isFirst && !(before && (await tx.$count(contentTerm, hasTermsOf(tx, id, taxonomy))) > 0))
      await assignTerms(tx, id, taxonomy, [site.default_category], true);
  }
}

/** Replaces the terms of one taxonomy. Unknown IDs are ignored. @param isFirst true if the row has none */
export async function assignTerms(
  tx: Transaction,
  contentId: number,
  taxonomy: string,
  ids: readonly number[],
  isFirst = false,
): Promise<void> {
  if (!isFirst) await tx.delete(contentTerm).where(hasTermsOf(tx, contentId, taxonomy));
  if (ids.length === 0) return;
  const existing = tx
    .select({ contentId: sql<number>`${contentId}::bigint`.as('content_id'), termId: term.id })
    .from(term)
    .where(and(eq(term.taxonomy, taxonomy), inArray(term.id, [...new Set(ids)])));
  await tx.insert(contentTerm).select(existing);
}

function hasTermsOf(tx: Transaction, contentId: number, taxonomy: string): SQL | undefined {
  const ofTaxonomy = tx.select({ id: term.id }).from(term).where(eq(term.taxonomy, taxonomy));
  return and(eq(contentTerm.contentId, contentId), inArray(contentTerm.termId, ofTaxonomy));
}

/** Presents a row after a write, in the edit context. */
export async function presentWritten<T>(
  call: AnyCall,
  kind: ContentKind,
  row: ContentRow,
  present: Present<T>,
): Promise<SelectedFields<T>> {
  return present(row, await loadContentView(call, kind, [row], { context: 'edit' }));
}

type RowState = Pick<ContentRow, 'id' | 'type'> & { status?: string | undefined };

/**
 * Notifies webhook receivers of a write if the row is or was public. Call it when the row has its final values.
 */
export async function announceContent(
  tx: Transaction,
  before: RowState | undefined,
  after: RowState | undefined,
): Promise<void> {
  const row = after ?? before;
  const wasPublic = before?.status === 'publish';
  const isPublic = after?.status === 'publish';
  if (!row || (!wasPublic && !isPublic)) return;
  const action = !wasPublic ? 'created' : isPublic ? 'updated' : 'deleted';
  await announce(tx, { what: row.type, id: String(row.id), action });
}

/** Updates a row, saves a revision, and presents it in the edit context. */
export async function updateContent<T>(
  call: WritingItemCall,
  kind: ContentKind,
  present: Present<T>,
): Promise<RouteResult<T>> {
  const scope = await loadWritingScope(call, kind);
  const input = await filterInput(call.body, call.caller);
  const { row, wrongMeta } = await writeContent(call.context.store.db, (tx, now) =>
    updateStoredContent(tx, call.params.id, input, { ...scope, now }),
  );
  const shown = await presentWritten(call, kind, row, present);
  if (wrongMeta !== undefined) throw wrongMetaError(wrongMeta, call);
  return item(shown);
}

/**
 * Updates a row within `writeContent`, saves a revision and announces the change.
 *
 * @param sent input after `filterInput`
 */
export async function updateStoredContent(
  tx: Transaction,
  id: number,
  sent: ContentInput,
  scope: WritingScope & { refuse: CreateRestError<RouteErrors<typeof updatePost>> },
): Promise<{ row: ContentRow; wrongMeta: string | undefined }> {
  const before = await lockRow(tx, scope, contentRows(scope.kind), id);
  // The author may have changed since authorization.
  if (!canEdit(before, scope.caller)) throw createCannotEditError(scope);
  return saveContent(tx, before, sent, scope);
}

/** Returns the slug of a row. Rows that need one but have none get their ID. @param present current slug */
async function findPermanentSlug(tx: Transaction, row: ContentRow, present: string | undefined): Promise<string> {
  if (row.slug !== '' || UNPUBLISHED.has(row.status)) return row.slug;
  return findFreeSlug(tx, String(row.id), { ...row, slug: present });
}

export async function updateRow(
  tx: Transaction,
  before: ContentRow,
  values: Partial<typeof content.$inferInsert>,
): Promise<ContentRow> {
  const after = { ...before, ...values } as ContentRow;
  const slug = await findPermanentSlug(tx, after, before.slug);
  await tx
    .update(content)
    .set({ ...values, slug })
    .where(eq(content.id, before.id));
  return { ...after, slug };
}

export type DeletionCall = AnyCall<RouteErrors<typeof deletePost>> & {
  params: { id: number };
  query: { force: boolean };
};

/** Moves a row to the trash, or deletes it permanently with everything that belongs to it. */
export async function deleteContent<T>(
  call: DeletionCall,
  kind: ContentKind,
  present: Present<T>,
): Promise<RouteResult<T | { deleted: true; previous: T }>> {
  const { context, query } = call;
  const { db } = context.store;
  if (!query.force) {
    const scope = await loadWritingScope(call, kind);
    const trashed = await writeContent(db, async (tx, now) =>
      trashRow(tx, await loadForDeletion(tx, call, kind), { ...scope, now }),
    );
    return item(await presentWritten(call, kind, trashed, present));
  }
  // Presents the row before deleting it, and repeats both if the row changes in between.
  for (let row = await loadRow(call, contentRows(kind), call.params.id); ;) {
    const shown = row;
    const previous = presentPrevious(await presentWritten(call, kind, shown, present), shown.id, call);
    row = await writeContent(db, async (tx) => {
      const before = await loadForDeletion(tx, call, kind);
      if (!isDeepStrictEqual(before, shown)) return before;
      await removeRow(tx, before, context.kinds);
      await kind.remove?.(tx, before);
      return shown;
    });
    if (row === shown) return item<{ deleted: true; previous: T }>({ deleted: true, previous });
  }
}

async function loadForDeletion(tx: Transaction, call: DeletionCall, kind: ContentKind): Promise<ContentRow> {
  const row = await lockRow(tx, call, contentRows(kind), call.params.id);
  if (!canDelete(row, call.caller)) throw createCannotDeleteError(call);
  return row;
}

async function trashRow(
  tx: Transaction,
  before: ContentRow,
  { site, caller, now, refuse }: Omit<WritingScope, 'refuse'> & Pick<DeletionCall, 'refuse'>,
): Promise<ContentRow> {
  if (before.status === 'trash') throw refuse('rest_already_trashed', 'The item is already in the trash.');
  const values = {
    status: 'trash',
    statusBeforeTrash: before.status,
    slugBeforeTrash: before.slug,
    slug: await findFreeSlug(tx, trashedSlug(before.slug), before),
    sticky: false,
    modified: toSiteTime(now, site.timezone),
    modifiedGmt: toSiteTime(now, 'UTC'),
  };
  const after = await updateRow(tx, before, values);
  await saveRevision(tx, after, caller.user?.id ?? 0);
  await announceContent(tx, before, after);
  return after;
}

/** Deletes a row. Its hierarchical children move up to its parent; its media are detached. */
async function removeRow(tx: Transaction, row: ContentRow, kinds: ContentKinds): Promise<void> {
  const { id, parentId } = row;
  const hierarchical = [...kinds.values()].flatMap(({ type, isHierarchical }) => (isHierarchical ? [type] : []));
  const children = await tx
    .select()
    .from(content)
    .where(and(eq(content.parentId, id), inArray(content.type, hierarchical)));
  await tx.delete(contentTerm).where(eq(contentTerm.contentId, id));
  await tx.delete(comment).where(eq(comment.contentId, id));
  await tx.delete(content).where(and(eq(content.type, 'revision'), eq(content.parentId, id)));
  await tx.delete(content).where(eq(content.id, id));
  await tx
    .update(content)
    .set({ parentId: 0 })
    .where(and(eq(content.type, 'attachment'), eq(content.parentId, id)));
  for (const child of children) {
    const slug = child.slug === '' ? '' : await findFreeSlug(tx, child.slug, { ...child, parentId });
    await tx.update(content).set({ parentId, slug }).where(eq(content.id, child.id));
    await announceContent(tx, child, child);
  }
  await announceContent(tx, row, undefined);
}

/** Texts that revisions and autosaves include. */
export type RevisedTexts = Pick<ContentRow, 'title' | 'content' | 'excerpt' | 'meta'>;

/** True if a row has the given texts. */
export function hasTexts(row: RevisedTexts, { meta, ...texts }: Partial<RevisedTexts>): boolean {
  const names = ['title', 'content', 'excerpt'] as const;
  const footnotes = meta?.[FOOTNOTES];
  return (
    names.every((name) => texts[name] === undefined || texts[name] === row[name]) &&
    (footnotes === undefined || footnotes === (row.meta[FOOTNOTES] ?? ''))
  );
}

/** Adds a revision unless the latest one equals the row. */
export async function saveRevision(tx: Transaction, row: ContentRow, authorId: number): Promise<void> {
  const slug = revisionSlug(row.id);
  const [newest] = await findStates(tx, row.id, slug).limit(1);
  const { title, content: html, excerpt, meta, modified, modifiedGmt } = row;
  const texts = { title, content: html, excerpt, meta: { [FOOTNOTES]: '', ...pickRevisionMeta(meta) } };
  if (newest && hasTexts(newest, texts)) return;
  const times = { date: modified, dateGmt: modifiedGmt, modified, modifiedGmt };
  const owner = { parentId: row.id, authorId };
  await tx
    .insert(content)
    .values({ type: 'revision', status: 'inherit', slug, ...owner, ...texts, meta: pickRevisionMeta(meta), ...times });
}

/** Finds the revisions or autosaves of a row by their common slug, latest first. */
export function findStates(db: Pick<Database, 'select'>, parentId: number, slug: string) {
  return db
    .select()
    .from(content)
    .where(and(eq(content.type, 'revision'), eq(content.parentId, parentId), eq(content.slug, slug)))
    .orderBy(desc(content.id));
}

export function revisionSlug(parentId: number): string {
  return `${parentId}-revision-v1`;
}

export function autosaveSlug(parentId: number): string {
  return `${parentId}-autosave-v1`;
}

/** Returns the meta values that revisions include. */
export function pickRevisionMeta(meta: Readonly<Record<string, string>>): Record<string, string> {
  const value = meta[FOOTNOTES];
  return value === undefined ? {} : { [FOOTNOTES]: value };
}
