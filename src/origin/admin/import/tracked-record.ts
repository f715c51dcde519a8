import { createHash } from 'node:crypto';
import { and, asc, eq, getTableName, inArray, notExists, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import {
  type ImportKind,
  type ImportRecord,
  IMPORT_ERRORS,
  type ImportOutcome,
  IMPORT_COMMANDS,
  type ImportSource,
} from '#contracts/import.ts';
import type { Post } from '#contracts/core/post.ts';
import { ANALYSIS_META_KEYS } from '#contracts/seo/settings.ts';
import { loadAncestorTerms } from '#origin/namespaces/core/terms/terms.ts';
import type { ResourceTable, RowOf } from '#origin/platform/content/resources/find-rows.ts';
import { insertRow } from '#origin/platform/content/resources/resource.ts';
import { type ContentRow, CATEGORY } from '#origin/platform/registry/content-kind.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { imported, contentTerm, content, term } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';
import type { z } from 'zod';
import { formatProblems, parseValue } from '#contracts/index.ts';
import { errorFactory } from '#origin/platform/http/transport/rest-error.ts';
import { dropUnstorable } from '#origin/platform/http/transport/rest-request.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { replaceSiteUrl } from '#origin/platform/site/load-site.ts';
import { uploadPath } from '#origin/platform/media/media-files.ts';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { importStep } from '#origin/admin/management/command.ts';
import { seedOrigin } from '#origin/admin/seed/seed-origin.ts';
import { recoverMedia } from '#origin/namespaces/core/media/store-media-files.ts';

export interface ImportJob {
  context: OriginContext;
  source: ImportSource;
  /** Base address of links in stored texts. */
  home: string;
}

/** Prepares the store for an import and returns the folder for fetched files. */
export const startImport = importStep(IMPORT_COMMANDS.begin, async (context) => {
  await seedOrigin(context, {});
  await recoverMedia(context);
  const folder = getStagingFolder(context);
  await mkdir(folder, { recursive: true });
  return { message: `Fetched files belong into ${folder}.`, folder };
});

/** Staging folder, outside the served files. */
export function getStagingFolder({ filesFolder }: Pick<OriginContext, 'filesFolder'>): string {
  return join(filesFolder, 'import');
}

export type Outcome = Omit<ImportOutcome, 'id'>;
export type ImportedRow = typeof imported.$inferSelect;
/** Kinds of import records, with the two that have no separate step. */
export type ImportedKind = ImportKind | 'revision' | 'settings';

/** Replaces the source's addresses in a text with the local one. */
export function relocate({ source, home }: ImportJob, text: string): string {
  return source.addresses.reduce((moving, from) => replaceSiteUrl(moving, from, home), text);
}

/** Returns the path of an address below the source's uploads folder; empty if it is elsewhere. */
export function findUploadPath({ source }: ImportJob, address: string): string {
  return source.addresses.map((site) => uploadPath(address, site)).find((path) => path !== undefined) ?? '';
}

export async function findImported(db: Database, source: string, kind: ImportedKind, ids: readonly number[]) {
  if (ids.length === 0) return [];
  return db
    .select()
    .from(imported)
    .where(and(eq(imported.source, source), eq(imported.kind, kind), inArray(imported.sourceId, [...new Set(ids)])));
}

/** Finds the local ID of a source record of one of these kinds; undefined if it is not imported yet. */
export async function findLocalId(db: Database, source: string, kinds: readonly ImportKind[], id: number) {
  const condition = and(eq(imported.source, source), inArray(imported.kind, [...kinds]), eq(imported.sourceId, id));
  const [found] = await db.select({ ownId: imported.ownId }).from(imported).where(condition).limit(1);
  return found?.ownId;
}

/** Saves which local row belongs to a source record, replacing the previous entry. */
export async function saveImportedRow(tx: Transaction, row: typeof imported.$inferInsert): Promise<void> {
  await tx
    .insert(imported)
    .values(row)
    .onConflictDoUpdate({
      target: [imported.source, imported.kind, imported.sourceId],
      set: {
        ownId: sql`excluded.own_id`,
        digest: sql`excluded.digest`,
        ownDigest: sql`excluded.own_digest`,
        path: sql`excluded.path`,
        waiting: sql`excluded.waiting`,
      },
    });
}

/** Digests a value independently of key order. */
export function digestValue(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, sortKeys)).digest('base64url');
}

/** Digests the editable fields. Publishing a scheduled row on time doesn't count as a change. */
export async function digestContent(row: ContentRow, tx: Transaction): Promise<string> {
  const { mediaDetails: _, guid: __, status, meta: all, ...rest } = row;
  // A local analysis is not an edit.
  const meta = Object.fromEntries(Object.entries(all).filter(([key]) => !ANALYSIS_META_KEYS.includes(key)));
  const terms = await tx
    .select({ id: contentTerm.termId })
    .from(contentTerm)
    .where(eq(contentTerm.contentId, row.id))
    .orderBy(asc(contentTerm.termId));
  return digestValue({
    ...rest,
    meta,
    status: status === 'future' ? 'publish' : status,
    terms: terms.map(({ id }) => id),
  });
}

export function digestTerm({ name, slug, description, parentId }: typeof term.$inferSelect): string {
  return digestValue({ name, slug, description, parentId });
}

function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** True if the site has content that was not imported from this source. */
export async function hasLocalContent(db: Database, source: string): Promise<boolean> {
  const isFromSource = and(
    eq(imported.source, source),
    eq(imported.ownId, content.id),
    inArray(imported.kind, ['media', 'page', 'post']),
  );
  const isLocal = notExists(db.select().from(imported).where(isFromSource));
  return (await db.$count(content, and(inArray(content.type, ['attachment', 'page', 'post']), isLocal))) > 0;
}

/** How a record becomes a row of a table. */
interface Recipe<T extends ResourceTable> {
  kind: ImportedKind;
  table: T;
  /** Digests the editable values of a row. */
  digest: (row: RowOf<T>, tx: Transaction) => string | Promise<string>;
  /** Finds the local row that a new record equals by name. It is used unchanged, or overwritten. */
  match?: () => Promise<{ row: RowOf<T>; note: string; isOverwritten?: boolean | undefined } | undefined>;
  plan: (before: RowOf<T> | undefined, known: ImportedRow | undefined) => Promise<Plan<T>>;
  /** Writes related rows and announces the change. @returns notes */
  finish?: (before: RowOf<T> | undefined, after: RowOf<T>) => Promise<string[] | void>;
}

interface Plan<T extends ResourceTable> {
  values: Partial<T['$inferInsert']>;
  /** References to records that aren't imported yet. */
  waiting?: Record<string, number>;
  notes?: string[];
  /** Media only: path of the file at the source. */
  path?: string;
}

/** Writes a record as a row, unless it is unchanged or the row was changed or deleted here. */
export async function writeTracked<T extends ResourceTable>(
  tx: Transaction,
  { source: { site: source } }: ImportJob,
  { id, digest }: Pick<ImportRecord, 'id' | 'digest'>,
  recipe: Recipe<T>,
): Promise<Outcome> {
  const { kind, table } = recipe;
  const tracked = await findTracked(tx, source, id, digest, recipe);
  if ('outcome' in tracked) return tracked;
  const { known, before: present } = tracked;
  const matched = known ? undefined : await recipe.match?.();
  const before = present ?? matched?.row;
  const base = { source, kind, sourceId: id, digest };
  if (before && (known ? known.ownDigest === '' : !matched?.isOverwritten)) {
    await saveImportedRow(tx, { ...base, ownId: before.id });
    return known ? { outcome: 'unchanged' } : { outcome: 'met', note: matched?.note };
  }
  const { values, waiting, notes = [], path } = await recipe.plan(before, known);
  const after = await writeRow(tx, table, { ownId: before?.id, sourceId: id }, values);
  notes.push(...((await recipe.finish?.(before, after)) ?? []));
  const ownDigest = await recipe.digest(after, tx);
  await saveImportedRow(tx, { ...base, ownId: after.id, ownDigest, waiting, path });
  return { outcome: known ? 'updated' : 'added', ...(notes.length > 0 && { note: notes.join('; ') }) };
}

/** Returns the entry of a record and its row, or the outcome if there is nothing to write. */
export async function findTracked<T extends ResourceTable>(
  tx: Transaction,
  source: string,
  id: number,
  digest: string | undefined,
  recipe: Pick<Recipe<T>, 'kind' | 'table' | 'digest'>,
): Promise<{ known?: ImportedRow; before?: RowOf<T> } | Outcome> {
  const [known] = await findImported(tx, source, recipe.kind, [id]);
  if (!known) return {};
  if (known.digest === digest) return { outcome: 'unchanged' };
  const { table } = recipe;
  const [found] = await tx.select().from<PgTable>(table).where(eq(table.id, known.ownId));
  if (!found) return { outcome: 'kept', note: 'was deleted here' };
  const before = found as RowOf<T>;
  const isChanged = known.ownDigest !== '' && (await recipe.digest(before, tx)) !== known.ownDigest;
  return isChanged ? { outcome: 'kept', note: 'was changed here' } : { known, before };
}

/** Updates a row, or inserts a new one, with the ID of the source if it is free. */
export async function writeRow<T extends ResourceTable>(
  tx: Transaction,
  table: T,
  { ownId, sourceId }: { ownId?: number | undefined; sourceId: number },
  values: Partial<T['$inferInsert']>,
): Promise<RowOf<T>> {
  if (ownId === undefined)
    return insertRow(tx, table, { ...(await preserveId(tx, table, sourceId)), ...values } as T['$inferInsert']);
  const [row] = await tx.update<PgTable>(table).set(values).where(eq(table.id, ownId)).returning();
  if (!row) throw new Error('The store did not return the row it changed.');
  return row as RowOf<T>;
}

/** An ID near the end of the sequence would leave no room for new rows. */
const MAX_PRESERVED_ID = 2 ** 31 - 1;

/**
 * Returns the source's ID for the insert if it is free, so that addresses with IDs keep working. Otherwise the row gets
 * the next ID. Moves the table's sequence past the ID.
 */
async function preserveId(tx: Transaction, table: ResourceTable, id: number): Promise<{ id?: number }> {
  if (id > MAX_PRESERVED_ID) return {};
  const existing = await tx.select({ id: table.id }).from(table).where(eq(table.id, id)).limit(1);
  if (existing.length > 0) return {};
  const sequence = sql`pg_get_serial_sequence(${`"${getTableName(table)}"`}, 'id')`;
  await tx.execute(sql`select setval(${sequence}, greatest(${id}::bigint, nextval(${sequence})))`);
  return { id };
}

/** True if this parent would make a category its own ancestor. */
export async function categoryFormsCycle(tx: Transaction, id: number, parentId: number): Promise<boolean> {
  if (parentId === 0) return false;
  const ancestors = await loadAncestorTerms(tx, { refuse: createRecordError }, CATEGORY, parentId);
  return ancestors.some((above) => above.id === id);
}

/** Creates an error that rejects one record. The import continues. */
export const createRecordError = errorFactory(IMPORT_ERRORS, {});

/**
 * Parses a record by its contract.
 *
 * @throws if it doesn't match; only this record is rejected
 */
export function parseWire<S extends z.ZodType>(schema: S, wire: unknown): z.output<S> {
  const reading = parseValue(schema, dropUnstorable(wire));
  if (reading.ok) return reading.value;
  throw createRecordError('import_unreadable', `does not match the interface:\n${formatProblems(reading.problems)}`);
}

/** Converts a time from the wire (`2026-11-21T10:00:00`) to its stored form. */
export const toStoredTime = (wireTime: string): string => wireTime.replace('T', ' ');

export function planDates(remote: Pick<Post, 'date' | 'date_gmt' | 'modified' | 'modified_gmt'>) {
  return {
    date: toStoredTime(remote.date ?? remote.modified),
    dateGmt: toStoredTime(remote.date_gmt ?? remote.modified_gmt),
    modified: toStoredTime(remote.modified),
    modifiedGmt: toStoredTime(remote.modified_gmt),
  };
}
