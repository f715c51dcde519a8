import { and, eq, inArray, sql } from 'drizzle-orm';
import { announce } from '#origin/platform/events/announce.ts';
import { created, type AnyCall, type RouteResult, type SelectedFields } from '#origin/platform/http/transport/call.ts';
import {
  notifyListeners,
  type ContentKind,
  type ContentRow,
  type ListenerContext,
} from '#origin/platform/registry/content-kind.ts';
import { insertRow } from '../resources/resource.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content, contentTerm, term } from '#origin/platform/store/schema.ts';
import { getContentUrl, loadAncestors } from '../content-url.ts';
import { loadContentView, type Present } from '../content-view.ts';
import { evictRow } from '../get-item.ts';
import { findFreeSlug } from '../slugs.ts';
import { writeContent } from '../write-content.ts';
import { filterInput, wrongMetaError } from './check-writing.ts';
import {
  isSlugless,
  loadWritingScope,
  planContent,
  type ContentInput,
  type WritingCall,
  type WritingScope,
} from './plan-content.ts';

/** Creates a row and presents it in the edit context. */
export async function createContent<T>(
  call: WritingCall,
  kind: ContentKind,
  present: Present<T>,
): Promise<RouteResult<T>> {
  const scope = await loadWritingScope(call, kind, call.refuse);
  const input = await filterInput(call.body, call.caller);
  const { row, wrongMeta } = await writeContent(call.context.store.db, (tx, now) =>
    addContent(tx, input, { ...scope, now }),
  );
  if (wrongMeta !== undefined) throw wrongMetaError(wrongMeta, call);
  return created(await presentWritten(call, kind, row, present), call.addresses.rest(`${kind.base}/${row.id}`));
}

/** Creates a row with its terms and announces it. Call it within `writeContent`. */
export async function addContent(
  tx: Transaction,
  input: ContentInput,
  scope: WritingScope,
): Promise<{ row: ContentRow; wrongMeta: string | undefined }> {
  const { kind, site } = scope;
  const { row: planned, wrongMeta } = await planContent(tx, input, undefined, scope);
  const row = await assignAddress(tx, await insertRow(tx, content, planned), scope);
  for (const { taxonomy, parameter, hasDefault } of kind.terms) {
    const defaultIds = hasDefault && row.status !== 'auto-draft' ? [site.default_category] : [];
    await addTerms(tx, row.id, taxonomy, getTermIds(input, parameter) ?? defaultIds);
  }
  await kind.save?.(tx, row, input);
  await notifyListeners(tx, scope, { added: [row] });
  await announceToReaders(tx, undefined, row);
  return { row, wrongMeta };
}

/** Sets the permanent address, and derives the slug from the ID if the title has no usable words. */
async function assignAddress(tx: Transaction, row: ContentRow, scope: WritingScope): Promise<ContentRow> {
  const { id, type, parentId } = row;
  const hasSlug = row.slug !== '' || isSlugless(row.status);
  const slug = hasSlug ? row.slug : await findFreeSlug(tx, String(id), { id, type, parentId, slug: undefined });
  const base = { site: scope.site.url ?? scope.publicUrl, kinds: scope.kinds };
  const address = getContentUrl({ ...row, slug }, base, await loadAncestors(tx, [row]));
  // Clients insert it into markup without escaping.
  const values = { slug, guid: address.replaceAll('&', '&#038;') };
  await tx.update(content).set(values).where(eq(content.id, id));
  return { ...row, ...values };
}

/** Replaces the terms of one taxonomy. Unknown IDs are ignored. */
export async function assignTerms(
  tx: Transaction,
  contentId: number,
  taxonomy: string,
  ids: readonly number[],
): Promise<void> {
  const taxonomyIds = tx.select({ id: term.id }).from(term).where(eq(term.taxonomy, taxonomy));
  await tx
    .delete(contentTerm)
    .where(and(eq(contentTerm.contentId, contentId), inArray(contentTerm.termId, taxonomyIds)));
  await addTerms(tx, contentId, taxonomy, ids);
}

async function addTerms(tx: Transaction, contentId: number, taxonomy: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const existing = tx
    .select({ contentId: sql<number>`${contentId}::bigint`.as('content_id'), termId: term.id })
    .from(term)
    .where(and(eq(term.taxonomy, taxonomy), inArray(term.id, [...new Set(ids)])));
  await tx.insert(contentTerm).select(existing);
}

/** Returns the term IDs of a field. */
export function getTermIds(input: ContentInput, parameter: string): number[] | undefined {
  const ids: unknown = input[parameter];
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : undefined;
}

/** Presents a row after a write, in the edit context, and evicts its cached state. */
export async function presentWritten<T>(
  call: AnyCall,
  kind: ContentKind,
  row: ContentRow,
  present: Present<T>,
): Promise<SelectedFields<T>> {
  evictRow(call, row);
  return present(row, await loadContentView(call, kind, [row], { context: 'edit' }));
}

type RowState = Pick<ContentRow, 'id' | 'type'> & { status?: string | undefined };

/**
 * Notifies listeners of a write, and webhook receivers if the row is or was public. Call it when the row and its
 * terms have their final values.
 */
export async function announceContent(
  tx: Transaction,
  site: ListenerContext,
  before: RowState | undefined,
  after: RowState | undefined,
): Promise<void> {
  const row = after ?? before;
  if (row) await notifyListeners(tx, site, { content: [row.id] });
  await announceToReaders(tx, before, after);
}

/** Notifies webhook receivers only, with at most one statement. */
async function announceToReaders(
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
