import { and, asc, eq, inArray, isNull, lt, ne, notExists, or, sql } from 'drizzle-orm';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import type { ChangedRows } from '#origin/platform/registry/content-kind.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { content, term } from '#origin/platform/store/schema.ts';
import { syncSeoRecords, kindsWithHeads } from './sync-records.ts';
import { seoRecord, type RecordType, type SeoRecord } from './tables.ts';

type IndexContext = Pick<OriginContext, 'store' | 'kinds' | 'followers' | 'publicUrl'>;

/** Builds missing and outdated records of content, at most `limit`. */
export async function indexContent(context: IndexContext, limit: number): Promise<SeoRecord[]> {
  const { db } = context.store;
  const types = kindsWithHeads(context).map(({ type }) => type);
  const rows = await db
    .select({ id: content.id })
    .from(content)
    .leftJoin(seoRecord, and(eq(seoRecord.type, 'post'), eq(seoRecord.objectId, content.id)))
    .where(
      and(
        inArray(content.type, types),
        ne(content.status, 'auto-draft'),
        or(isNull(seoRecord.id), lt(seoRecord.modifiedAt, sql`${content.modifiedGmt} at time zone 'UTC'`)),
      ),
    )
    .orderBy(asc(content.id))
    .limit(limit);
  return rebuildRecords(context, 'post', { content: rows.map(({ id }) => id) });
}

/** Builds missing records of terms, at most `limit`. */
export async function indexTerms(context: IndexContext, limit: number): Promise<SeoRecord[]> {
  const rows = await context.store.db
    .select({ id: term.id })
    .from(term)
    .leftJoin(seoRecord, and(eq(seoRecord.type, 'term'), eq(seoRecord.objectId, term.id)))
    .where(isNull(seoRecord.id))
    .orderBy(asc(term.id))
    .limit(limit);
  return rebuildRecords(context, 'term', { terms: rows.map(({ id }) => id) });
}

/** Counts links in public texts that are not counted yet, at most in `limit` texts. */
export async function indexLinks(context: IndexContext, type: 'post' | 'term', limit: number): Promise<SeoRecord[]> {
  const rows = await context.store.db
    .select({ id: seoRecord.objectId })
    .from(seoRecord)
    .where(
      and(
        eq(seoRecord.type, type),
        eq(seoRecord.isPublic, true),
        eq(seoRecord.isProtected, false),
        isNull(seoRecord.linkCount),
      ),
    )
    .orderBy(asc(seoRecord.id))
    .limit(limit);
  const ids = rows.map(({ id }) => id);
  return rebuildRecords(context, type, type === 'post' ? { content: ids } : { terms: ids });
}

async function rebuildRecords(
  context: IndexContext,
  type: 'post' | 'term',
  changed: ChangedRows,
): Promise<SeoRecord[]> {
  const ids = [...(changed.content ?? []), ...(changed.terms ?? [])];
  if (ids.length === 0) return [];
  return writeContent(context.store.db, async (tx) => {
    await syncSeoRecords(tx, changed, context);
    return tx
      .select()
      .from(seoRecord)
      .where(and(eq(seoRecord.type, type), inArray(seoRecord.objectId, ids)))
      .orderBy(asc(seoRecord.id));
  });
}

/** Adds missing records of pages of the site itself. */
export function indexSitePages(context: IndexContext): Promise<SeoRecord[]> {
  return addPages(context.store.db, [
    { type: 'home-page', path: '/' },
    { type: 'date-archive' },
    { type: 'system-page', subType: '404' },
    { type: 'system-page', subType: 'search-result' },
  ]);
}

/** Adds missing records of content archives. */
export function indexArchives(context: IndexContext): Promise<SeoRecord[]> {
  return addPages(
    context.store.db,
    kindsWithHeads(context).flatMap(({ type, archive }) =>
      archive === undefined ? [] : [{ type: 'post-type-archive' as const, subType: type, path: `/${archive}/` }],
    ),
  );
}

interface SitePage {
  type: RecordType;
  subType?: string;
  path?: string;
}

async function addPages(db: Database, pages: readonly SitePage[]): Promise<SeoRecord[]> {
  if (pages.length === 0) return [];
  const rows = pages.map(({ type, subType = '', path }) => ({
    type,
    subType,
    path: path ?? null,
    isPublic: path !== undefined,
  }));
  // Insert only missing rows: even an insert without effect counts as a change of the store.
  const existing = await db
    .select({ type: seoRecord.type, subType: seoRecord.subType })
    .from(seoRecord)
    .where(eq(seoRecord.objectId, 0));
  const missing = rows.filter(
    (row) => !existing.some(({ type, subType }) => row.type === type && row.subType === subType),
  );
  if (missing.length === 0) return [];
  return retryTransaction(db, (tx) => tx.insert(seoRecord).values(missing).onConflictDoNothing().returning());
}

const BATCH = 100;

/**
 * Updates records after writes that bypassed them: by older versions, by the demo, or before records existed. Stops
 * when `isWanted` returns false.
 */
export async function repairRecords(context: IndexContext, isWanted: () => boolean): Promise<void> {
  await indexSitePages(context);
  await indexArchives(context);
  for (const next of [indexTerms, indexContent, removeStale]) {
    let done = BATCH;
    while (isWanted() && done === BATCH) done = (await next(context, BATCH)).length;
  }
}

/** Removes records of deleted content and terms. */
async function removeStale(context: IndexContext, limit: number): Promise<{ id: number }[]> {
  const { db } = context.store;
  const rows = await db
    .select({ id: seoRecord.objectId, type: seoRecord.type })
    .from(seoRecord)
    .where(
      or(
        and(
          eq(seoRecord.type, 'post'),
          notExists(
            db
              .select({ one: sql`1` })
              .from(content)
              .where(eq(content.id, seoRecord.objectId)),
          ),
        ),
        and(
          eq(seoRecord.type, 'term'),
          notExists(
            db
              .select({ one: sql`1` })
              .from(term)
              .where(eq(term.id, seoRecord.objectId)),
          ),
        ),
      ),
    )
    .limit(limit);
  const idsOfType = (type: RecordType) => rows.filter((row) => row.type === type).map(({ id }) => id);
  if (rows.length > 0)
    await writeContent(db, (tx) =>
      syncSeoRecords(tx, { content: idsOfType('post'), terms: idsOfType('term') }, context),
    );
  return rows;
}
