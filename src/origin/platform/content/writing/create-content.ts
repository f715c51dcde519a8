import { eq, and, getTableColumns, inArray, or, sql } from 'drizzle-orm';
import { created, type RouteResult, type AnyCall, type SelectedFields } from '#origin/platform/http/transport/call.ts';
import {
  type ContentKind,
  type ContentRow,
  notifyListeners,
  type ListenerContext,
} from '#origin/platform/registry/content-kind.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content, contentTerm, term } from '#origin/platform/store/schema.ts';
import { eventMessage, insertMessage, announce } from '#origin/platform/events/announce.ts';
import { cacheRelatedOfNew, termsAsJson, loadContentView, type ContentView } from '../content-view.ts';
import { getContentUrl, loadAncestors, type TermRow } from '../content-url.ts';
import { findFreeSlug, reserveId, type ReservedId } from '../slugs.ts';
import { writeContent } from '../write-content.ts';
import { filterInput, wrongMetaError } from './check-writing.ts';
import {
  isSelfContained,
  NO_REFERENCES,
  findReferences,
  planRow,
  type PlannedContent,
  type WritingScope,
  type WritingCall,
  type ContentInput,
} from './plan-content.ts';
import { evictRow } from '../get-item.ts';

/** Creates a row and presents it in the edit context. */
export async function createContent<T>(
  call: WritingCall,
  kind: ContentKind,
  present: Present<T>,
): Promise<RouteResult<T>> {
  const { context, caller, body, addresses } = call;
  const site = await loadSite(call);
  const scope = {
    kind,
    kinds: context.kinds,
    followers: context.followers,
    caller,
    site,
    publicUrl: addresses.site,
    refuse: call.refuse,
  };
  const input = await filterInput(body, caller);
  // Validates before taking the lock when possible.
  const earlyPlan = isSelfContained(input, scope)
    ? planRow(input, undefined, { ...scope, now: new Date() }, NO_REFERENCES).row
    : undefined;
  const { row, terms, wrongMeta } = await writeContent(
    context.store.db,
    (tx, now, reserved: ReservedId | undefined) => addContent(tx, input, { ...scope, now }, reserved),
    earlyPlan && ((tx) => reserveId(tx, earlyPlan)),
  );
  if (wrongMeta !== undefined) throw wrongMetaError(wrongMeta, call);
  cacheRelatedOfNew(call, kind, row, terms);
  return created(await presentWritten(call, kind, row, present), addresses.rest(`${kind.base}/${row.id}`));
}

type RowWithSlug = typeof content.$inferInsert & Pick<ContentRow, 'id' | 'type'>;

interface Added {
  row: ContentRow;
  terms: readonly TermRow[];
  wrongMeta: string | undefined;
}

/**
 * Creates a row with its terms and announces it. Call it within `writeContent`.
 *
 * @param reserved result of `reserveId`, if called before
 */
export async function addContent(
  tx: Transaction,
  input: ContentInput,
  scope: WritingScope,
  reserved?: ReservedId,
): Promise<Added> {
  const references = reserved ? NO_REFERENCES : await findReferences(tx, input, undefined, scope);
  const { row: planned, wrongMeta } = planRow(input, undefined, scope, references);
  // Plan first, so that an invalid row reserves no ID.
  const { id, isTaken } = reserved ?? (await reserveId(tx, planned));
  const rowWithSlug = { ...planned, id, ...(await assignSlug(tx, { ...planned, id }, isTaken, scope)) };
  const row = asStored(rowWithSlug);
  const terms = await insertContent(tx, rowWithSlug, firstTerms(rowWithSlug, input, scope));
  await scope.kind.save?.(tx, row, input);
  await notifyListeners(tx, scope, { added: [row] });
  return { row, terms, wrongMeta };
}

type TermIds = readonly (readonly [taxonomy: string, ids: readonly number[]])[];

/** Inserts the row, its terms and the webhook message in one statement. @returns the existing ones of the terms */
async function insertContent(tx: Transaction, row: RowWithSlug, termIds: TermIds): Promise<TermRow[]> {
  const nonEmpty = termIds.filter(([, ids]) => ids.length > 0);
  const isListed = nonEmpty.map(([taxonomy, ids]) =>
    and(eq(term.taxonomy, taxonomy), inArray(term.id, [...new Set(ids)])),
  );
  const wanted = tx.$with('wanted').as(
    tx
      .select()
      .from(term)
      .where(or(...isListed)),
  );
  const insertedTerms = tx.$with('inserted_terms').as(
    tx
      .insert(contentTerm)
      .select(sql`select ${row.id}::bigint, id from wanted`)
      .returning(),
  );
  const message =
    row.status === 'publish' ? eventMessage({ what: row.type, id: String(row.id), action: 'created' }) : undefined;
  const insertedMessage = message && tx.$with('inserted_message').as(insertMessage(tx, message).returning());
  const hasTerms = nonEmpty.length > 0;
  const [added] = await tx
    .with(...(hasTerms ? [wanted, insertedTerms] : []), ...(insertedMessage ? [insertedMessage] : []))
    .insert(content)
    .values(row)
    .returning({
      terms: sql<TermRow[] | null>`${hasTerms ? sql`(select ${termsAsJson('wanted')} from wanted)` : null}`,
    });
  return added?.terms ?? [];
}

const COLUMN_DEFAULTS = Object.fromEntries(
  Object.entries(getTableColumns(content)).flatMap(([name, column]) =>
    column.default === undefined ? [] : [[name, column.default]],
  ),
);

/** Returns the row as the store would. */
function asStored(row: typeof content.$inferInsert): ContentRow {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.toWellFormed() : value,
  ]);
  return { ...COLUMN_DEFAULTS, ...Object.fromEntries(entries) } as ContentRow;
}

/** Sets the permanent address, and derives the slug from the ID if the title has no usable words. */
async function assignSlug(
  tx: Transaction,
  row: PlannedContent & { id: number },
  isTaken: boolean,
  scope: WritingScope,
) {
  const { id, type, status, parentId } = row;
  const hasSlug = row.slug !== '' || ['draft', 'pending', 'auto-draft'].includes(status);
  const isFree = hasSlug && (!isTaken || row.slug === '');
  const owner = { id, type, parentId, slug: undefined };
  const slug = isFree ? row.slug : await findFreeSlug(tx, hasSlug ? row.slug : String(id), owner);
  const address = getContentUrl(
    { id, type, status, slug, parentId },
    { site: scope.site.url ?? scope.publicUrl, kinds: scope.kinds },
    await loadAncestors(tx, [{ parentId }]),
  );
  // Clients insert it into markup without escaping.
  return { slug, guid: address.replaceAll('&', '&#038;') };
}

/** Returns the term IDs of a new row by taxonomy. */
function firstTerms(
  row: Pick<PlannedContent, 'status'>,
  input: ContentInput,
  { kind, site }: WritingScope,
): [taxonomy: string, ids: number[]][] {
  return kind.terms.map(({ taxonomy, parameter, hasDefault }) => {
    const defaultIds = hasDefault && row.status !== 'auto-draft' ? [site.default_category] : [];
    return [taxonomy, getTermIds(input, parameter) ?? defaultIds];
  });
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

export type Present<T> = (row: ContentRow, view: ContentView) => Promise<SelectedFields<T>>;

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
