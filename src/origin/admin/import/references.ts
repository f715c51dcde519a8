import { asc, eq, and, sql } from 'drizzle-orm';
import { type ImportKind, IMPORT_COMMANDS } from '#contracts/import.ts';
import { importStep } from '#origin/admin/management/command.ts';
import { rewriteSiteAddresses } from '#origin/namespaces/podcast/rewrite-site-addresses.ts';
import { findFreeSlug } from '#origin/platform/content/slugs.ts';
import { writeContent } from '#origin/platform/content/resources/resource.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { user, content, imported, term } from '#origin/platform/store/schema.ts';
import {
  contentFormsCycle,
  findLocalId,
  digestContent,
  digestTerm,
  saveImportedRows,
  type ImportedRow,
  categoryFormsCycle,
} from './tracked-record.ts';

/** Lists imported records that still exist here but were not found at the source. */
export const listMissing = importStep(IMPORT_COMMANDS.absent, async ({ store }, { source, kind, seen }) => {
  const seenIds = new Set(seen);
  const table = kind === 'category' || kind === 'tag' ? term : content;
  const rows = await store.db
    .select({ id: imported.sourceId, slug: table.slug })
    .from(imported)
    .innerJoin(table, eq(table.id, imported.ownId))
    .where(and(eq(imported.source, source.site), eq(imported.kind, kind)));
  const absent = rows.filter(({ id }) => !seenIds.has(id));
  return { message: `${absent.length} imported records were not found at the source.`, absent };
});

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
const REFERENCES = {
  authorId: ['user'],
  featuredMedia: ['media'],
  parentId: ['page', 'post', 'media'],
} as const satisfies Record<string, readonly ImportKind[]>;

type ReferenceColumn = keyof typeof REFERENCES;

/**
 * Finds the local rows for a record's references. Those to missing records, and those that would form a cycle, are
 * waiting.
 *
 * @param remoteIds IDs at the source, 0 for none
 * @param ownId ID of the local row, which must not become its own ancestor
 */
export async function findReferences(
  tx: Transaction,
  source: string,
  remoteIds: Partial<Record<ReferenceColumn, number>>,
  ownId?: number,
) {
  const columns: Partial<Record<ReferenceColumn, number>> = {};
  const waiting: Record<string, number> = {};
  for (const [column, id] of Object.entries(remoteIds) as [ReferenceColumn, number][]) {
    const found = id > 0 ? await findLocalId(tx, source, REFERENCES[column], id) : 0;
    const isParent = column === 'parentId' && ownId !== undefined;
    if (found === undefined || (isParent && (await contentFormsCycle(tx, ownId, found)))) waiting[column] = id;
    else columns[column] = found;
  }
  return { columns, waiting };
}

/** The author until the real one is imported. */
export async function findFirstAdministrator(tx: Transaction): Promise<number> {
  const condition = eq(user.role, 'administrator');
  const [first] = await tx.select({ id: user.id }).from(user).where(condition).orderBy(asc(user.id)).limit(1);
  return first?.id ?? 0;
}

/** Resolves the references of a content row. @returns the references that are still unresolved */
async function resolveContent(tx: Transaction, known: ImportedRow): Promise<Record<string, number>> {
  const [row] = await tx.select().from(content).where(eq(content.id, known.ownId));
  if (!row || (await digestContent(row, tx)) !== known.ownDigest) {
    await saveImportedRows(tx, [{ ...known, waiting: {} }]);
    return {};
  }
  const { columns, waiting } = await findReferences(tx, known.source, known.waiting, row.id);
  if (Object.keys(columns).length === 0) return waiting;
  const { id, type, slug, parentId } = { ...row, ...columns };
  const needsSlug = slug !== '' && columns.parentId !== undefined && type === 'page';
  const freeSlug = needsSlug ? await findFreeSlug(tx, slug, { id, type, parentId, slug }) : slug;
  const [after = row] = await tx
    .update(content)
    .set({ ...columns, slug: freeSlug })
    .where(eq(content.id, id))
    .returning();
  await saveImportedRows(tx, [{ ...known, waiting, ownDigest: await digestContent(after, tx) }]);
  return waiting;
}

async function resolveTerm(tx: Transaction, known: ImportedRow): Promise<Record<string, number>> {
  const parentId = await findLocalId(tx, known.source, ['category'], known.waiting['parent'] ?? 0);
  if (parentId === undefined || (await categoryFormsCycle(tx, known.ownId, parentId))) return known.waiting;
  const [after] = await tx.update(term).set({ parentId }).where(eq(term.id, known.ownId)).returning();
  await saveImportedRows(tx, [{ ...known, waiting: {}, ownDigest: after ? digestTerm(after) : known.ownDigest }]);
  return {};
}
