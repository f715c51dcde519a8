import { eq, and, inArray, sql } from 'drizzle-orm';
import { created, type Answer } from '#origin/platform/http/transport/index.ts';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';
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
  type ContentPlan,
  type WritingScope,
  type WritingCall,
  type WrittenContent,
} from './plan-content.ts';
import { presentWritten, type Present, announceContent } from './present-written.ts';

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
  const plan = await planContent(tx, sent, undefined, scope);
  const row = await addRow(tx, plan, scope);
  await assignFirstTerms(tx, row, sent, scope);
  await scope.kind.save?.(tx, row, sent);
  await announceContent(tx, scope, undefined, row);
  return { row, wrongMeta: plan.wrongMeta };
}

/** The address that stays its own, and a slug that can't be made from words, come from the id. */
async function addRow(tx: Transaction, { row }: ContentPlan, scope: WritingScope): Promise<ContentRow> {
  const [added] = await tx.insert(content).values(row).returning();
  if (!added) throw new Error('The store did not return the row it added.');
  const isNamed = added.slug !== '' || ['draft', 'pending', 'auto-draft'].includes(added.status);
  const owner = { id: added.id, type: scope.kind.type, parentId: added.parentId, slug: undefined };
  const slug = isNamed ? added.slug : await findFreeSlug(tx, String(added.id), owner);
  const named = { ...added, slug };
  const address = linkContent(
    named,
    { site: scope.site.url ?? scope.publicUrl, kinds: scope.kinds },
    await loadAncestors(tx, [added]),
  );
  // Clients put it into markup as it is.
  const guid = address.replaceAll('&', '&#038;');
  await tx.update(content).set({ slug, guid }).where(eq(content.id, added.id));
  return { ...named, guid };
}

async function assignFirstTerms(
  tx: Transaction,
  row: ContentRow,
  sent: WrittenContent,
  { kind, site }: WritingScope,
): Promise<void> {
  for (const { taxonomy, parameter, hasDefault } of kind.terms) {
    const usual = hasDefault && row.status !== 'auto-draft' ? [site.default_category] : [];
    await addTerms(tx, row.id, taxonomy, termsSent(sent, parameter) ?? usual);
  }
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
