import { and, eq, inArray } from 'drizzle-orm';
import type { Transaction } from '#origin/platform/store/index.ts';
import { contentTerm, term } from '#origin/platform/store/schema.ts';
import type { WrittenContent } from './written-content.ts';

/** Makes these the terms of one kind that a row carries; ids that are no such terms are left out. */
export async function assignTerms(
  tx: Transaction,
  contentId: number,
  taxonomy: string,
  ids: readonly number[],
): Promise<void> {
  const ofKind = tx.select({ id: term.id }).from(term).where(eq(term.taxonomy, taxonomy));
  await tx.delete(contentTerm).where(and(eq(contentTerm.contentId, contentId), inArray(contentTerm.termId, ofKind)));
  if (ids.length === 0) return;
  const known = await tx
    .select({ id: term.id })
    .from(term)
    .where(and(eq(term.taxonomy, taxonomy), inArray(term.id, [...new Set(ids)])));
  if (known.length > 0) await tx.insert(contentTerm).values(known.map(({ id }) => ({ contentId, termId: id })));
}

/** Ids of terms that were sent under a field of the body. */
export function termsSent(sent: WrittenContent, parameter: string): number[] | undefined {
  const ids: unknown = sent[parameter];
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : undefined;
}
