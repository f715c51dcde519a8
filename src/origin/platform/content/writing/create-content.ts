import { eq, and, inArray, sql } from 'drizzle-orm';
import { created, type Answer } from '#origin/platform/http/transport/index.ts';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { followChanges } from '#origin/platform/registry/follow-changes.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { content, contentTerm, term } from '#origin/platform/store/schema.ts';
import { linkContent } from '../link-content.ts';
import { loadAncestors } from '../load-ancestors.ts';
import { findFreeSlug } from '../slugs.ts';
import { writeContent } from '../write-content.ts';
import { filterWritten, wrongMetaError } from './check-writing.ts';
import {
  planContent,
  type PlannedContent,
  type WritingScope,
  type WritingCall,
  type WrittenContent,
} from './plan-content.ts';
import { announceToReaders, presentWritten, type Present } from './present-written.ts';

/** Writes a new row and answers it as its editors see it. */
export async function createContent<T>(call: WritingCall, kind: ContentKind, present: Present<T>): Promise<Answer<T>> {
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
  const sent = await filterWritten(body, caller);
  const { row, wrongMeta } = await writeContent(context.store.db, (tx, now) => addContent(tx, sent, { ...scope, now }));
  if (wrongMeta !== undefined) throw wrongMetaError(wrongMeta, call);
  return created(await presentWritten(call, kind, row, present), addresses.rest(`${kind.base}/${row.id}`));
}

/** Writes a new row with its first terms, and announces it. Call it under `writeContent`. */
export async function addContent(
  tx: Transaction,
  sent: WrittenContent,
  scope: WritingScope,
): Promise<{ row: ContentRow; wrongMeta: string | undefined }> {
  const { row: planned, wrongMeta } = await planContent(tx, sent, undefined, scope);
  // What is refused takes no id.
  const id = await takeId(tx);
  const named = { ...planned, id, ...(await nameRow(tx, { ...planned, id }, scope)) };
  // Each is one statement: they are sent at once, and all before anything is undone.
  const [[row]] = await Promise.all([
    tx.insert(content).values(named).returning(),
    ...firstTerms(named, sent, scope).map(([taxonomy, ids]) => addTerms(tx, id, taxonomy, ids)),
    announceToReaders(tx, undefined, named),
  ]);
  if (!row) throw new Error('The store did not return the row it added.');
  await scope.kind.save?.(tx, row, sent);
  await followChanges(tx, scope, { added: [row] });
  return { row, wrongMeta };
}

async function takeId(tx: Transaction): Promise<number> {
  const next = sql`nextval(pg_get_serial_sequence('content', 'id')) as id`;
  const [taken] = await tx.select({ id: sql`id`.mapWith(Number) }).from(next);
  if (!taken) throw new Error('The store has no more ids.');
  return taken.id;
}

/** The address that stays its own, and a slug that can't be made from words, come from the id. */
async function nameRow(tx: Transaction, row: PlannedContent & { id: number }, scope: WritingScope) {
  const { id, type, status = 'draft', parentId = 0 } = row;
  const isNamed = row.slug !== '' || ['draft', 'pending', 'auto-draft'].includes(status);
  const slug = isNamed ? (row.slug ?? '') : await findFreeSlug(tx, String(id), { id, type, parentId, slug: undefined });
  const address = linkContent(
    { id, type, status, slug, parentId },
    { site: scope.site.url ?? scope.publicUrl, kinds: scope.kinds },
    await loadAncestors(tx, [{ parentId }]),
  );
  // Clients put it into markup as it is.
  return { slug, guid: address.replaceAll('&', '&#038;') };
}

/** Ids of terms that a new row carries, by their kind. */
function firstTerms(
  row: Pick<PlannedContent, 'status'>,
  sent: WrittenContent,
  { kind, site }: WritingScope,
): [taxonomy: string, ids: number[]][] {
  return kind.terms.map(({ taxonomy, parameter, hasDefault }) => {
    const usual = hasDefault && row.status !== 'auto-draft' ? [site.default_category] : [];
    return [taxonomy, termsSent(sent, parameter) ?? usual];
  });
}

/** Makes these the terms of one kind that a row carries; ids that are no such terms are left out. */
export async function assignTerms(
  tx: Transaction,
  contentId: number,
  taxonomy: string,
  ids: readonly number[],
): Promise<void> {
  const ofKind = tx.select({ id: term.id }).from(term).where(eq(term.taxonomy, taxonomy));
  await tx.delete(contentTerm).where(and(eq(contentTerm.contentId, contentId), inArray(contentTerm.termId, ofKind)));
  await addTerms(tx, contentId, taxonomy, ids);
}

/** The same for a row that carries none of them. */
async function addTerms(tx: Transaction, contentId: number, taxonomy: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const known = tx
    .select({ contentId: sql<number>`${contentId}::bigint`.as('content_id'), termId: term.id })
    .from(term)
    .where(and(eq(term.taxonomy, taxonomy), inArray(term.id, [...new Set(ids)])));
  await tx.insert(contentTerm).select(known);
}

/** Ids of terms that were sent under a field of the body. */
export function termsSent(sent: WrittenContent, parameter: string): number[] | undefined {
  const ids: unknown = sent[parameter];
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : undefined;
}
