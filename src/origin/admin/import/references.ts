import { asc, eq, and, sql } from 'drizzle-orm';
import { type ImportKind, IMPORT_COMMANDS, type trackedKind } from '#contracts/import.ts';
import { importStep } from '#origin/admin/management/command.ts';
import { rewriteSiteAddresses } from '#origin/namespaces/podcast/rewrite-site-addresses.ts';
import { findFreeSlug } from '#origin/platform/content/slugs.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { user, content, imported, term } from '#origin/platform/store/schema.ts';
import type { ImportJob } from './import-job.ts';
import {
  contentFormsCycle,
  findLocalId,
  digestContent,
  saveImportedRows,
  type ImportedRow,
  categoryFormsCycle,
  loadUnchanged,
} from './imported-rows.ts';
import { digestTerm } from './write-term.ts';
import type { z } from 'zod';
import type { Database } from '#origin/platform/store/store.ts';

/** Lists imported records that still exist here but were not found at the source. */
export const listMissing = importStep(IMPORT_COMMANDS.absent, async ({ store }, { source, kind, seen }) => {
  const seenIds = new Set(seen);
  const rows = await findExisting(store.db, source.site, kind);
  const absent = rows.filter(({ id }) => !seenIds.has(id));
  return { message: `${absent.length} imported records were not found at the source.`, absent };
});

function findExisting(
  db: Database,
  source: string,
  kind: z.output<typeof trackedKind>,
): Promise<{ id: number; slug: string }[]> {
  const condition = and(eq(imported.source, source), eq(imported.kind, kind));
  const table = kind === 'category' || kind === 'tag' ? term : content;
  return db
    .select({ id: imported.sourceId, slug: table.slug })
    .from(imported)
    .innerJoin(table, eq(table.id, imported.ownId))
    .where(condition);
}

/**
 * Resolves references to records that were imported later: parents, featured images, authors. Returns those that are
 * still unresolved or would form a cycle.
 */
export const resolveReferences = importStep(IMPORT_COMMANDS.settle, async (context, { source }) => {
  const { store } = context;
  // Posts use the site's initial address in texts, episodes its current one.
  await rewriteSiteAddresses(context);
  const hasWaiting = and(eq(imported.source, source.site), sql`${imported.waiting} <> '{}'::jsonb`);
  const rows = await store.db.select().from(imported).where(hasWaiting);
  let settled = 0;
  const open: { kind: string; id: number; to: Record<string, number> }[] = [];
  for (const row of rows) {
    const left = await writeContent(store.db, (tx) => resolveRow(tx, row));
    if (Object.keys(left).length < Object.keys(row.waiting).length) settled += 1;
    if (Object.keys(left).length > 0) open.push({ kind: row.kind, id: row.sourceId, to: left });
  }
  return { message: `${settled} references were resolved.`, settled, open };
});

async function resolveRow(tx: Transaction, row: ImportedRow): Promise<Record<string, number>> {
  return row.kind === 'category' ? resolveTerm(tx, row) : resolveContent(tx, row);
}

/** Content columns with references, and the kinds they may reference. */
export const REFERENCES = {
  authorId: ['user'],
  featuredMedia: ['media'],
  parentId: ['page', 'post', 'media'],
} as const satisfies Record<string, readonly ImportKind[]>;

export type ReferenceColumn = keyof typeof REFERENCES;

/**
 * Finds the local rows for a record's references. References to missing records are set to 0 and returned as waiting.
 * Until then the first administrator is the author.
 *
 * @param remoteIds IDs at the source, 0 for none
 * @param ownId ID of the local row, which must not become its own ancestor
 */
export async function findReferences(
  tx: Transaction,
  { source }: ImportJob,
  remoteIds: Readonly<Record<ReferenceColumn, number>>,
  ownId?: number,
): Promise<{ columns: Record<ReferenceColumn, number>; waiting: Record<string, number> }> {
  const columns = { authorId: 0, featuredMedia: 0, parentId: 0 };
  const waiting: Record<string, number> = {};
  for (const column of Object.keys(REFERENCES) as ReferenceColumn[]) {
    const id = remoteIds[column];
    const found = id > 0 ? await findLocalId(tx, source.site, REFERENCES[column], id) : 0;
    const isCycle =
      found !== undefined &&
      ownId !== undefined &&
      column === 'parentId' &&
      (await contentFormsCycle(tx, ownId, found));
    if (found === undefined || isCycle) waiting[column] = id;
    columns[column] = isCycle ? 0 : (found ?? 0);
  }
  if (waiting['authorId'] !== undefined) columns.authorId = await findFirstAdministrator(tx);
  return { columns, waiting };
}

async function findFirstAdministrator(tx: Transaction): Promise<number> {
  const condition = eq(user.role, 'administrator');
  const [first] = await tx.select({ id: user.id }).from(user).where(condition).orderBy(asc(user.id)).limit(1);
  return first?.id ?? 0;
}

/**
 * Resolves the references of a content row.
 *
 * @returns the references that are still unresolved
 */
async function resolveContent(tx: Transaction, known: ImportedRow): Promise<Record<string, number>> {
  const found = await loadUnchanged(tx, known);
  if ('note' in found) {
    await saveImportedRows(tx, [{ ...known, waiting: {} }]);
    return {};
  }
  const { row } = found;
  const left: Record<string, number> = {};
  const columns: Partial<Record<ReferenceColumn, number>> = {};
  for (const [column, id] of Object.entries(known.waiting) as [ReferenceColumn, number][]) {
    const ownId = await findLocalId(tx, known.source, REFERENCES[column], id);
    const isCycle = ownId !== undefined && column === 'parentId' && (await contentFormsCycle(tx, row.id, ownId));
    if (ownId === undefined || isCycle) left[column] = id;
    else columns[column] = ownId;
  }
  if (Object.keys(columns).length === 0) return left;
  const { id, type, slug } = row;
  const parentId = columns.parentId ?? row.parentId;
  const needsSlug = slug !== '' && columns.parentId !== undefined && type === 'page';
  const freeSlug = needsSlug ? await findFreeSlug(tx, slug, { id, type, parentId, slug }) : slug;
  const [after = row] = await tx
    .update(content)
    .set({ ...columns, slug: freeSlug })
    .where(eq(content.id, id))
    .returning();
  await saveImportedRows(tx, [{ ...known, waiting: left, ownDigest: await digestContent(tx, after) }]);
  return left;
}

async function resolveTerm(tx: Transaction, known: ImportedRow): Promise<Record<string, number>> {
  const parentId = await findLocalId(tx, known.source, ['category'], known.waiting['parent'] ?? 0);
  if (parentId === undefined || (await categoryFormsCycle(tx, known.ownId, parentId))) return known.waiting;
  const [after] = await tx.update(term).set({ parentId }).where(eq(term.id, known.ownId)).returning();
  await saveImportedRows(tx, [{ ...known, waiting: {}, ownDigest: after ? digestTerm(after) : known.ownDigest }]);
  return {};
}
