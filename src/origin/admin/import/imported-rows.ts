import { createHash } from 'node:crypto';
import { and, eq, inArray, sql, asc, isNull } from 'drizzle-orm';
import {
  type ImportKind,
  IMPORT_ERRORS,
  IMPORT_COMMANDS,
  importSettings,
  type ImportOutcome,
} from '#contracts/import.ts';
import { ANALYSIS_META_KEYS } from '#contracts/seo/settings.ts';
import { loadAncestorTerms } from '#origin/namespaces/core/terms/write-terms.ts';
import { loadAncestors } from '#origin/platform/content/content-url.ts';
import { type ContentRow, CATEGORY } from '#origin/platform/registry/content-kind.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { imported, contentTerm, content, option } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';
import type { z } from 'zod';
import { formatProblems, parseValue } from '#contracts/index.ts';
import { errorFactory } from '#origin/platform/http/transport/rest-error.ts';
import { removeUnstorable } from '#origin/platform/http/transport/rest-request.ts';
import { importStep } from '#origin/admin/management/command.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { SITE_OPTION } from '#origin/platform/site/load-site.ts';

export type ImportedRow = typeof imported.$inferSelect;
/** Kinds of import records, with the two that have no separate step. */
export type ImportedKind = ImportKind | 'revision' | 'settings';

type Reader = Pick<Database, 'select'>;

/** Finds the import records of rows of one kind. */
export function findImported(
  db: Reader,
  source: string,
  kind: ImportedKind,
  ids: readonly number[],
): Promise<ImportedRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db
    .select()
    .from(imported)
    .where(and(eq(imported.source, source), eq(imported.kind, kind), inArray(imported.sourceId, [...new Set(ids)])));
}

/** Finds the local ID of a source record of one of these kinds; undefined if it is not imported yet. */
export async function findLocalId(
  db: Reader,
  source: string,
  kinds: readonly ImportKind[],
  id: number,
): Promise<number | undefined> {
  const condition = and(eq(imported.source, source), inArray(imported.kind, [...kinds]), eq(imported.sourceId, id));
  const [found] = await db.select({ ownId: imported.ownId }).from(imported).where(condition).limit(1);
  return found?.ownId;
}

/** Saves which local row belongs to a source record, replacing the previous entry. */
export async function saveImportedRows(
  db: Pick<Database, 'insert'>,
  rows: (typeof imported.$inferInsert)[],
): Promise<void> {
  if (rows.length === 0) return;
  await db
    .insert(imported)
    .values(rows)
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
export async function digestContent(tx: Transaction, row: ContentRow): Promise<string> {
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

function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** True if the site has content that was not imported from this source. */
export async function hasLocalContent(db: Pick<Database, 'select'>, source: string): Promise<boolean> {
  const isFromSource = and(
    eq(imported.source, source),
    eq(imported.ownId, content.id),
    inArray(imported.kind, ['media', 'page', 'post']),
  );
  const rows = await db
    .select({ one: sql<number>`1` })
    .from(content)
    .leftJoin(imported, isFromSource)
    .where(and(inArray(content.type, ['attachment', 'page', 'post']), isNull(imported.ownId)))
    .limit(1);
  return rows.length > 0;
}

/** Returns the local row of a record if it wasn't edited since the import; otherwise a note about the change. */
export async function loadUnchanged(
  tx: Transaction,
  known: ImportedRow,
): Promise<{ row: ContentRow } | { note: string }> {
  const [row] = await tx.select().from(content).where(eq(content.id, known.ownId)).for('update');
  if (!row) return { note: 'was deleted here' };
  return (await digestContent(tx, row)) === known.ownDigest ? { row } : { note: 'was changed here' };
}

/** True if this parent would make a row its own ancestor. */
export async function contentFormsCycle(tx: Transaction, id: number, parentId: number): Promise<boolean> {
  return parentId !== 0 && (await loadAncestors(tx, [{ parentId }])).has(id);
}

/** True if this parent would make a category its own ancestor. */
export async function categoryFormsCycle(tx: Transaction, id: number, parentId: number): Promise<boolean> {
  return (
    parentId !== 0 &&
    (await loadAncestorTerms(tx, { refuse: createRecordError }, CATEGORY, parentId)).some((above) => above.id === id)
  );
}

/** Creates an error that rejects one record. The import continues. */
export const createRecordError = errorFactory(IMPORT_ERRORS, {});

/**
 * Parses a record by its contract.
 *
 * @throws if it doesn't match; only this record is rejected
 */
export function parseWire<S extends z.ZodType>(schema: S, wire: unknown): z.output<S> {
  const reading = parseValue(schema, removeNulCharacters(wire));
  if (reading.ok) return reading.value;
  throw createRecordError('import_unreadable', `does not match the interface:\n${formatProblems(reading.problems)}`);
}

/** Converts a time from the wire (`2026-11-21T10:00:00`) to its stored form. */
export function toStoredTime(wireTime: string): string {
  return wireTime.replace('T', ' ');
}

/** Removes characters that the store can't hold. */
export function removeNulCharacters(value: unknown): unknown {
  if (typeof value === 'string') return removeUnstorable(value);
  if (Array.isArray(value)) return value.map(removeNulCharacters);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [removeUnstorable(key), removeNulCharacters(inner)]),
  );
}

/** Imports the site's title, description and time zone unless the site already has content. */
export const writeImportedSettings = importStep(
  IMPORT_COMMANDS.settings,
  async ({ store }, { source, settings: remote }) =>
    writeContent(store.db, async (tx) => {
      const settings = importSettings.parse(removeNulCharacters(remote));
      const [known] = await findImported(tx, source.site, 'settings', [0]);
      const [stored] = await tx.select().from(option).where(eq(option.name, SITE_OPTION)).for('update');
      const before = { ...(stored?.value as object | undefined) };
      const digest = digestValue(settings);
      if (known?.digest === digest) return settingsResult('unchanged');
      if (known && known.ownDigest !== digestValue(pick(before))) return settingsResult('kept', 'were changed here');
      if (!known && (await hasLocalContent(tx, source.site)))
        return settingsResult('kept', 'the site already has content');
      const defaultCategory = settings.default_category;
      const categoryId =
        defaultCategory === undefined ? undefined : await findLocalId(tx, source.site, ['category'], defaultCategory);
      const after = {
        ...before,
        name: settings.title,
        description: settings.description,
        ...(settings.timezone !== undefined && { timezone: settings.timezone }),
        ...(categoryId !== undefined && { default_category: categoryId }),
      };
      await tx
        .insert(option)
        .values({ name: SITE_OPTION, value: after })
        .onConflictDoUpdate({ target: option.name, set: { value: after } });
      const base = { source: source.site, kind: 'settings', sourceId: 0, ownId: 0 };
      await saveImportedRows(tx, [{ ...base, digest, ownDigest: digestValue(pick(after)) }]);
      await announce(tx, { what: 'settings', id: SITE_OPTION, action: 'updated' });
      return settingsResult(known ? 'updated' : 'added');
    }),
);

function settingsResult(outcome: ImportOutcome['outcome'], note?: string) {
  return { message: note ?? `Settings: ${outcome}.`, outcome, note };
}

function pick(site: Record<string, unknown>): unknown {
  const { name, description, timezone, default_category: usual } = site;
  return { name, description, timezone, usual };
}
