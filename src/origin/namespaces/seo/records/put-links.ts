import { inArray, sql, type Placeholder, type SQL } from 'drizzle-orm';
import type { Transaction } from '#origin/platform/store/index.ts';
import type { FoundLink } from './find-links.ts';
import { seoLink, seoRecord, type SeoRecord } from './tables.ts';

/** Rows, ids or paths that one statement takes: PostgreSQL knows 65,535 parameters. */
const MOST_IN_STATEMENT = 1000;

/** Parts of a list of any length. */
export function* slices<T>(all: readonly T[], size = MOST_IN_STATEMENT): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}

/** A record with the path that it had before, and the links in its text: none where they are nobody's. */
export interface LinkedRecord {
  record: Pick<SeoRecord, 'id' | 'path'>;
  /** Undefined for a new record. */
  formerPath: string | null | undefined;
  links: readonly FoundLink[] | undefined;
}

/** How many links lead to pages of the site; null where they are nobody's. */
export function countInternal(links: readonly FoundLink[] | undefined): number | null {
  return links?.filter(({ type }) => type === 'internal').length ?? null;
}

/**
 * Makes the links of records those of their texts. Only the difference is written and counted: what pages link to stays
 * counted in time that grows with what changes, however many link there.
 */
export async function putLinks(tx: Transaction, texts: readonly LinkedRecord[]): Promise<void> {
  if (texts.length === 0) return;
  // What is new has none yet.
  const known = texts.filter(({ formerPath }) => formerPath !== undefined).map(({ record }) => record.id);
  const stored = known.length === 0 ? [] : await tx.select().from(seoLink).where(inArray(seoLink.recordId, known));
  const byRecord = Map.groupBy(stored, ({ recordId }) => recordId);
  const steps = new Map<string, number>();
  const gone: number[] = [];
  const added: (FoundLink & { recordId: number })[] = [];
  for (const { record, formerPath, links: found = [] } of texts) {
    const before = byRecord.get(record.id) ?? [];
    const after = new Map(found.map((link) => [linkKey(link), link]));
    const kept = new Set(before.map(linkKey));
    for (const link of before) if (!after.has(linkKey(link))) gone.push(link.id);
    for (const link of found) if (!kept.has(linkKey(link))) added.push({ ...link, recordId: record.id });
    count(steps, targetsOf(before, formerPath ?? null), -1);
    count(steps, targetsOf(found, record.path), 1);
  }
  for (const ids of slices(gone)) await tx.delete(seoLink).where(inArray(seoLink.id, ids));
  for (const links of slices(added)) await tx.insert(seoLink).values(links);
  await step(tx, steps);
  await recountIncoming(
    tx,
    // New ones were counted when they were written.
    texts
      .filter(({ record, formerPath }) => formerPath !== undefined && record.path !== formerPath)
      .map(({ record }) => record.id),
  );
}

/** A link by all that is kept of it. */
function linkKey({ url, type, targetPath, width, height }: FoundLink): string {
  return JSON.stringify([url, type, targetPath, width, height]);
}

/** Pages that links lead to, each once; a page doesn't count for itself. */
function targetsOf(links: readonly Pick<FoundLink, 'type' | 'targetPath'>[], ownPath: string | null): Set<string> {
  const paths = links.flatMap(({ type, targetPath }) =>
    type === 'internal' && targetPath !== null ? [targetPath] : [],
  );
  return new Set(paths.filter((path) => path !== ownPath));
}

function count(steps: Map<string, number>, paths: Iterable<string>, by: 1 | -1): void {
  for (const path of paths) steps.set(path, (steps.get(path) ?? 0) + by);
}

/** Adds to the counts of what is linked to. */
async function step(tx: Transaction, steps: ReadonlyMap<string, number>): Promise<void> {
  const changed = [...steps].filter(([, by]) => by !== 0);
  for (const [by, entries] of Map.groupBy(changed, ([, number]) => number))
    for (const paths of slices(entries.map(([path]) => path)))
      await tx
        .update(seoRecord)
        .set({ incomingLinkCount: sql`${seoRecord.incomingLinkCount} + ${by}` })
        .where(inArray(seoRecord.path, paths));
}

/** How many link to the page of a new record, as a value of the statement that adds it. */
export function countIncoming(path: string | Placeholder | null): SQL | number {
  if (path === null) return 0;
  const leadsThere = sql`${seoLink.targetPath} = ${path} and ${seoLink.type} = 'internal'`;
  return sql`(select count(distinct ${seoLink.recordId}) from ${seoLink} where ${leadsThere})`;
}

/** Counts anew what links to records whose path is new. */
export async function recountIncoming(tx: Transaction, recordIds: readonly number[]): Promise<void> {
  const incomingLinkCount = sql`(
    select count(distinct ${seoLink.recordId}) from ${seoLink}
    where ${seoLink.targetPath} = ${seoRecord.path} and ${seoLink.type} = 'internal' and ${seoLink.recordId} <> ${seoRecord.id}
  )`;
  for (const ids of slices(recordIds))
    await tx.update(seoRecord).set({ incomingLinkCount }).where(inArray(seoRecord.id, ids));
}

/** Takes links away with the records that have them. */
export async function removeLinks(tx: Transaction, recordIds: readonly number[]): Promise<void> {
  const links = await tx
    .delete(seoLink)
    .where(inArray(seoLink.recordId, [...recordIds]))
    .returning();
  const owners = await tx
    .select({ id: seoRecord.id, path: seoRecord.path })
    .from(seoRecord)
    .where(inArray(seoRecord.id, [...recordIds]));
  const byRecord = Map.groupBy(links, ({ recordId }) => recordId);
  const steps = new Map<string, number>();
  for (const { id, path } of owners) count(steps, targetsOf(byRecord.get(id) ?? [], path), -1);
  await step(tx, steps);
}
