import { and, eq, inArray, sql } from 'drizzle-orm';
import { announce } from '#origin/platform/events/announce.ts';
import { created, type AnyCall, type RouteResult, type SelectedFields } from '#origin/platform/http/transport/call.ts';
import { type ContentKind, type ContentRow } from '#origin/platform/registry/content-kind.ts';
import { insertRow } from '../resources/resource.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content, contentTerm, term } from '#origin/platform/store/schema.ts';
import { getContentUrl, loadAncestors } from '../content-url.ts';
import { loadContentView, type Present } from '../present-content.ts';
import { evictRow } from '../read-content.ts';
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
  const { row: planned, wrongMeta } = await planContent(tx, input, undefined, scope);
  const row = await assignAddress(tx, await insertRow(tx, content, planned), scope);
  await saveTerms(tx, undefined, row, input, scope);
  await scope.kind.save?.(tx, row, input);
  await announceContent(tx, undefined, row);
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
    const needsDefault = hasDefault && isFirst && !(before && (await hasTerms(tx, id, taxonomy)));
    if (Array.isArray(sent)) {
      const ids = sent.filter((termId) => typeof termId === 'number');
      await assignTerms(tx, id, taxonomy, ids);
    } else if (needsDefault) await assignTerms(tx, id, taxonomy, [site.default_category]);
  }
}

async function hasTerms(tx: Transaction, contentId: number, taxonomy: string): Promise<boolean> {
  const ofTaxonomy = tx.select({ id: term.id }).from(term).where(eq(term.taxonomy, taxonomy));
  return (
    (await tx.$count(contentTerm, and(eq(contentTerm.contentId, contentId), inArray(contentTerm.termId, ofTaxonomy)))) >
    0
  );
}

/** Replaces the terms of one taxonomy. Unknown IDs are ignored. */
export async function assignTerms(
  tx: Transaction,
  contentId: number,
  taxonomy: string,
  ids: readonly number[],
): Promise<void> {
  const ofTaxonomy = tx.select({ id: term.id }).from(term).where(eq(term.taxonomy, taxonomy));
  await tx
    .delete(contentTerm)
    .where(and(eq(contentTerm.contentId, contentId), inArray(contentTerm.termId, ofTaxonomy)));
  if (ids.length === 0) return;
  const existing = tx
    .select({ contentId: sql<number>`${contentId}::bigint`.as('content_id'), termId: term.id })
    .from(term)
    .where(and(eq(term.taxonomy, taxonomy), inArray(term.id, [...new Set(ids)])));
  await tx.insert(contentTerm).select(existing);
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
