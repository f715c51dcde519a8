import { eq } from 'drizzle-orm';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import { digestContent } from './digest-row.ts';
import type { ImportedRow } from './imported-rows.ts';

/** The row that stands for a record, if it is still as it came; else what happened to it. */
export async function loadUntouched(
  tx: Transaction,
  known: ImportedRow,
): Promise<{ row: ContentRow } | { note: string }> {
  const [row] = await tx.select().from(content).where(eq(content.id, known.ownId)).for('update');
  if (!row) return { note: 'was deleted here' };
  return (await digestContent(tx, row)) === known.ownDigest ? { row } : { note: 'was changed here' };
}
