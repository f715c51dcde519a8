import { and, eq, sql } from 'drizzle-orm';
import { IMPORT_STEPS } from '#contracts/index.ts';
import { findFreeSlug } from '#origin/platform/content/find-free-slug.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { importStep } from '#origin/admin/management/command.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { content, imported, term } from '#origin/platform/store/schema.ts';
import { digestContent } from './digest-row.ts';
import { REFERENCES, type ReferenceColumn } from './find-references.ts';
import { findOwnId, rememberImported, type ImportedRow } from './imported-rows.ts';
import { categoryLeadsBack, contentLeadsBack } from './leads-back.ts';
import { loadUntouched } from './load-untouched.ts';
import { digestTerm } from './put-term.ts';

/** Joins what came over to what came after it: parents, featured pictures, authors. Tells what still leads nowhere, or back. */
export const settleReferences = importStep(IMPORT_STEPS.settle, async ({ store }, { source }) => {
  const isWaiting = and(eq(imported.source, source.site), sql`${imported.waiting} <> '{}'::jsonb`);
  const rows = await store.db.select().from(imported).where(isWaiting);
  let settled = 0;
  const open: { kind: string; id: number; to: Record<string, number> }[] = [];
  for (const row of rows) {
    const left = await writeContent(store.db, (tx) =>
      row.kind === 'category' ? settleTerm(tx, row) : settle(tx, row),
    );
    if (Object.keys(left).length < Object.keys(row.waiting).length) settled += 1;
    if (Object.keys(left).length > 0) open.push({ kind: row.kind, id: row.sourceId, to: left });
  }
  return { message: `${settled} were joined to others.`, settled, open };
});

/** @returns what still waits */
async function settle(tx: Transaction, known: ImportedRow): Promise<Record<string, number>> {
  const found = await loadUntouched(tx, known);
  if ('note' in found) {
    await rememberImported(tx, [{ ...known, waiting: {} }]);
    return {};
  }
  const { row } = found;
  const left: Record<string, number> = {};
  const columns: Partial<Record<ReferenceColumn, number>> = {};
  for (const [column, id] of Object.entries(known.waiting) as [ReferenceColumn, number][]) {
    const ownId = await findOwnId(tx, known.source, REFERENCES[column], id);
    const isCircle = ownId !== undefined && column === 'parentId' && (await contentLeadsBack(tx, row.id, ownId));
    if (ownId === undefined || isCircle) left[column] = id;
    else columns[column] = ownId;
  }
  if (Object.keys(columns).length === 0) return left;
  const { id, type, slug } = row;
  const parentId = columns.parentId ?? row.parentId;
  const isNamed = slug !== '' && columns.parentId !== undefined && type === 'page';
  const named = isNamed ? await findFreeSlug(tx, slug, { id, type, parentId, slug }) : slug;
  const [after = row] = await tx
    .update(content)
    .set({ ...columns, slug: named })
    .where(eq(content.id, id))
    .returning();
  await rememberImported(tx, [{ ...known, waiting: left, ownDigest: await digestContent(tx, after) }]);
  return left;
}

async function settleTerm(tx: Transaction, known: ImportedRow): Promise<Record<string, number>> {
  const parentId = await findOwnId(tx, known.source, ['category'], known.waiting['parent'] ?? 0);
  if (parentId === undefined || (await categoryLeadsBack(tx, known.ownId, parentId))) return known.waiting;
  const [after] = await tx.update(term).set({ parentId }).where(eq(term.id, known.ownId)).returning();
  await rememberImported(tx, [{ ...known, waiting: {}, ownDigest: after ? digestTerm(after) : known.ownDigest }]);
  return {};
}
