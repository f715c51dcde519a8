import { and, eq, inArray, ne, sql } from 'drizzle-orm';
import type { Transaction } from '#origin/platform/store/index.ts';
import { findLinks, type FoundLink, type LinkedSite } from './find-links.ts';
import { seoLink, seoRecord, type SeoRecord } from './tables.ts';

/** The text of a record, with the path that the record had before; without a text its links are nobody's. */
export interface LinkedText {
  record: SeoRecord;
  formerPath: string | null | undefined;
  html: string | undefined;
}

/**
 * Makes the links of records those of their texts. Only the difference is written and counted: what pages link to stays
 * counted in time that grows with what changes, however many link there.
 */
export async function putLinks(tx: Transaction, texts: readonly LinkedText[], site: LinkedSite): Promise<void> {
  if (texts.length === 0) return;
  const stored = await tx
    .select()
    .from(seoLink)
    .where(
      inArray(
        seoLink.recordId,
        texts.map(({ record }) => record.id),
      ),
    );
  const byRecord = Map.groupBy(stored, ({ recordId }) => recordId);
  const steps = new Map<string, number>();
  const gone: number[] = [];
  const added: (FoundLink & { recordId: number })[] = [];
  for (const { record, formerPath, html } of texts) {
    const before = byRecord.get(record.id) ?? [];
    const found = html === undefined ? [] : findLinks(html, record.path, site);
    const after = new Map(found.map((link) => [linkKey(link), link]));
    const known = new Set(before.map(linkKey));
    gone.push(...before.filter((link) => !after.has(linkKey(link))).map(({ id }) => id));
    added.push(...found.filter((link) => !known.has(linkKey(link))).map((link) => ({ ...link, recordId: record.id })));
    count(steps, targetsOf(before, formerPath ?? null), -1);
    count(steps, targetsOf(found, record.path), 1);
    const linkCount = html === undefined ? null : found.filter(({ type }) => type === 'internal').length;
    if (linkCount !== record.linkCount)
      await tx.update(seoRecord).set({ linkCount }).where(eq(seoRecord.id, record.id));
  }
  if (gone.length > 0) await tx.delete(seoLink).where(inArray(seoLink.id, gone));
  if (added.length > 0) await tx.insert(seoLink).values(added);
  await step(tx, steps);
  await recountIncoming(
    tx,
    texts.filter(({ record, formerPath }) => record.path !== (formerPath ?? null)).map(({ record }) => record),
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

/** Adds to the counts of what is linked to: one statement for each number. */
async function step(tx: Transaction, steps: ReadonlyMap<string, number>): Promise<void> {
  const changed = [...steps].filter(([, by]) => by !== 0);
  for (const [by, entries] of Map.groupBy(changed, ([, number]) => number)) {
    const paths = entries.map(([path]) => path);
    await tx
      .update(seoRecord)
      .set({ incomingLinkCount: sql`${seoRecord.incomingLinkCount} + ${by}` })
      .where(inArray(seoRecord.path, paths));
  }
}

/** Counts anew what links to records whose path is new. */
export async function recountIncoming(tx: Transaction, records: readonly SeoRecord[]): Promise<void> {
  for (const { id, path } of records) {
    const incoming =
      path === null
        ? 0
        : await tx.$count(
            tx
              .selectDistinct({ id: seoLink.recordId })
              .from(seoLink)
              .where(and(eq(seoLink.targetPath, path), eq(seoLink.type, 'internal'), ne(seoLink.recordId, id)))
              .as('sources'),
          );
    await tx.update(seoRecord).set({ incomingLinkCount: incoming }).where(eq(seoRecord.id, id));
  }
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
