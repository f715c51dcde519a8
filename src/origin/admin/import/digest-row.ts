import { createHash } from 'node:crypto';
import { asc, eq } from 'drizzle-orm';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { contentTerm } from '#origin/platform/store/schema.ts';

/** A digest of values whose order of keys doesn't matter. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, sortKeys)).digest('base64url');
}

/** Of what people change of a row. That the clock publishes one that was scheduled is no change. */
export async function digestContent(tx: Transaction, row: ContentRow): Promise<string> {
  const { mediaDetails: _, guid: __, status, ...rest } = row;
  const terms = await tx
    .select({ id: contentTerm.termId })
    .from(contentTerm)
    .where(eq(contentTerm.contentId, row.id))
    .orderBy(asc(contentTerm.termId));
  return digestOf({ ...rest, status: status === 'future' ? 'publish' : status, terms: terms.map(({ id }) => id) });
}

function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
