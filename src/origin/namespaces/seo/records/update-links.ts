import { inArray, sql, type Placeholder, type SQL } from 'drizzle-orm';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { seoLink, seoRecord, type SeoRecord, type LinkType } from './tables.ts';
import { findTags } from '#contracts/scan-text.ts';

/** Maximum rows, IDs or paths per statement. PostgreSQL limits a statement to 65,535 parameters. */
const MAX_PER_STATEMENT = 1000;

/** Splits a list into chunks. */
export function* chunk<T>(all: readonly T[], size = MAX_PER_STATEMENT): Generator<T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}

/** A record with its previous path and the links in its text. */
export interface RecordWithLinks {
  record: Pick<SeoRecord, 'id' | 'path'>;
  /** Undefined for a new record. */
  formerPath: string | null | undefined;
  /** Undefined for texts that are not public. */
  links: readonly TextLink[] | undefined;
}

/** Counts links to pages of the site; null for texts that are not public. */
export function countInternalLinks(links: readonly TextLink[] | undefined): number | null {
  return links?.filter(({ type }) => type === 'internal').length ?? null;
}

/**
 * Updates the stored links of records to those of their texts. Writes and counts only the difference, so that the cost
 * depends on the number of changed links, not on the number of all links.
 */
export async function updateLinks(tx: Transaction, texts: readonly RecordWithLinks[]): Promise<void> {
  if (texts.length === 0) return;
  // New records have no stored links yet.
  const existingIds = texts.filter(({ formerPath }) => formerPath !== undefined).map(({ record }) => record.id);
  const stored =
    existingIds.length === 0 ? [] : await tx.select().from(seoLink).where(inArray(seoLink.recordId, existingIds));
  const byRecord = Map.groupBy(stored, ({ recordId }) => recordId);
  const deltas = new Map<string, number>();
  const removedIds: number[] = [];
  const added: (TextLink & { recordId: number })[] = [];
  for (const { record, formerPath, links = [] } of texts) {
    const before = byRecord.get(record.id) ?? [];
    const after = new Map(links.map((link) => [linkKey(link), link]));
    const storedKeys = new Set(before.map(linkKey));
    for (const link of before) if (!after.has(linkKey(link))) removedIds.push(link.id);
    for (const link of links) if (!storedKeys.has(linkKey(link))) added.push({ ...link, recordId: record.id });
    count(deltas, targetPaths(before, formerPath ?? null), -1);
    count(deltas, targetPaths(links, record.path), 1);
  }
  for (const ids of chunk(removedIds)) await tx.delete(seoLink).where(inArray(seoLink.id, ids));
  for (const rows of chunk(added)) await tx.insert(seoLink).values(rows);
  await applyDeltas(tx, deltas);
  await recountIncomingLinks(
    tx,
    // New records were counted when they were inserted.
    texts
      .filter(({ record, formerPath }) => formerPath !== undefined && record.path !== formerPath)
      .map(({ record }) => record.id),
  );
}

/** Returns a key of all stored values of a link. */
function linkKey({ url, type, targetPath, width, height }: TextLink): string {
  return JSON.stringify([url, type, targetPath, width, height]);
}

/** Returns the internal targets of links, each once, without the page itself. */
function targetPaths(links: readonly Pick<TextLink, 'type' | 'targetPath'>[], pagePath: string | null): Set<string> {
  const paths = links.flatMap(({ type, targetPath }) =>
    type === 'internal' && targetPath !== null ? [targetPath] : [],
  );
  return new Set(paths.filter((path) => path !== pagePath));
}

function count(deltas: Map<string, number>, paths: Iterable<string>, by: 1 | -1): void {
  for (const path of paths) deltas.set(path, (deltas.get(path) ?? 0) + by);
}

/** Adds the differences to the link counts of the target pages. */
async function applyDeltas(tx: Transaction, deltas: ReadonlyMap<string, number>): Promise<void> {
  const changed = [...deltas].filter(([, by]) => by !== 0);
  for (const [by, entries] of Map.groupBy(changed, ([, number]) => number))
    for (const paths of chunk(entries.map(([path]) => path)))
      await tx
        .update(seoRecord)
        .set({ incomingLinkCount: sql`${seoRecord.incomingLinkCount} + ${by}` })
        .where(inArray(seoRecord.path, paths));
}

/** Counts the links to the page of a new record, as an expression of the insert statement. */
export function countLinksToPath(path: string | Placeholder | null): SQL | number {
  if (path === null) return 0;
  const isLinkToPath = sql`${seoLink.targetPath} = ${path} and ${seoLink.type} = 'internal'`;
  return sql`(select count(distinct ${seoLink.recordId}) from ${seoLink} where ${isLinkToPath})`;
}

/** Recounts the links to records whose path has changed. */
export async function recountIncomingLinks(tx: Transaction, recordIds: readonly number[]): Promise<void> {
  const incomingLinkCount = sql`(
    select count(distinct ${seoLink.recordId}) from ${seoLink}
    where ${seoLink.targetPath} = ${seoRecord.path} and ${seoLink.type} = 'internal' and ${seoLink.recordId} <> ${seoRecord.id}
  )`;
  for (const ids of chunk(recordIds))
    await tx.update(seoRecord).set({ incomingLinkCount }).where(inArray(seoRecord.id, ids));
}

/** Removes the links of records that are about to be deleted. */
export async function removeLinks(tx: Transaction, recordIds: readonly number[]): Promise<void> {
  const links = await tx
    .delete(seoLink)
    .where(inArray(seoLink.recordId, [...recordIds]))
    .returning();
  const records = await tx
    .select({ id: seoRecord.id, path: seoRecord.path })
    .from(seoRecord)
    .where(inArray(seoRecord.id, [...recordIds]));
  const byRecord = Map.groupBy(links, ({ recordId }) => recordId);
  const deltas = new Map<string, number>();
  for (const { id, path } of records) count(deltas, targetPaths(byRecord.get(id) ?? [], path), -1);
  await applyDeltas(tx, deltas);
}

/** Limits per text, against hostile input. */
const MAX_TAGS = 20_000;
const MAX_LINKS = 2000;
const MAX_URL_LENGTH = 2000;
/** Maximum bytes of an indexed text. PostgreSQL limits index entries to 2,704 bytes. */
const MAX_INDEXED_BYTES = 2000;

export interface TextLink {
  /** Address as written in the text. */
  url: string;
  type: LinkType;
  /** Record path of an internal link. */
  targetPath: string | null;
  width: number | null;
  height: number | null;
}

/** Site that decides which links are internal. Addresses have no trailing slash. */
export interface LinkOrigin {
  url: string;
  /** Site address in stored texts, if the site has moved. */
  storedUrl?: string | undefined;
}

/**
 * Finds links and images in a text, each address once, in linear time. Links to fragments or queries of the page
 * itself are left out.
 *
 * @param pagePath path of the page that contains the text
 */
export function findLinks(html: string, pagePath: string | null, site: LinkOrigin): TextLink[] {
  const found = new Map<string, TextLink>();
  let tags = 0;
  for (const { source: tag } of findTags(html, /<(?:a|img)(?![\w-])/i)) {
    tags += 1;
    if (found.size === MAX_LINKS || tags > MAX_TAGS) break;
    const isImage = /^<img/i.test(tag);
    const url = attribute(tag, isImage ? 'src' : 'href');
    if (url === undefined || url === '' || url.length > MAX_URL_LENGTH || found.has(url)) continue;
    const target = resolveTarget(url, pagePath, site);
    if (target === undefined) continue;
    found.set(url, {
      url,
      type: linkType(isImage, target.path !== null),
      targetPath: isImage ? null : target.path,
      width: isImage ? pixels(attribute(tag, 'width')) : null,
      height: isImage ? pixels(attribute(tag, 'height')) : null,
    });
  }
  return [...found.values()];
}

const ATTRIBUTES = {
  href: attributePattern('href'),
  src: attributePattern('src'),
  width: attributePattern('width'),
  height: attributePattern('height'),
};

function attributePattern(name: string): RegExp {
  return new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i');
}

function attribute(tag: string, name: keyof typeof ATTRIBUTES): string | undefined {
  const [, double, single, bare] = ATTRIBUTES[name].exec(tag) ?? [];
  return (double ?? single ?? bare)?.replaceAll('&amp;', '&').trim();
}

function pixels(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

function linkType(isImage: boolean, isInternal: boolean): LinkType {
  if (isImage) return isInternal ? 'image-in' : 'image-ex';
  return isInternal ? 'internal' : 'external';
}

/** Resolves an address. The path is null outside the site; undefined is returned for the page itself. */
function resolveTarget(address: string, pagePath: string | null, { url: siteUrl, storedUrl }: LinkOrigin) {
  const base = `${siteUrl}${pagePath ?? '/'}`;
  const url = URL.parse(address, base);
  if (!url) return { path: null };
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { path: null };
  const root = [siteUrl, storedUrl]
    .flatMap((one) => (one === undefined || one === '' ? [] : [new URL(one)]))
    .find((one) => one.host === url.host);
  const prefix = root?.pathname.replace(/\/$/, '') ?? '';
  if (!root || !`${url.pathname}/`.startsWith(`${prefix}/`)) return { path: null };
  const path = normalizeRecordPath(url.pathname.slice(prefix.length));
  // The path is too long for any record.
  if (path === null) return undefined;
  const isSamePage = path === pagePath && (url.hash !== '' || url.search !== '' || address.startsWith('#'));
  return isSamePage ? undefined : { path };
}

/** Normalizes a path: lower case, with a trailing slash unless it names a file. Returns null if it is too long. */
export function normalizeRecordPath(pathname: string): string | null {
  const path = pathname.toLowerCase();
  const name = path.slice(path.lastIndexOf('/') + 1);
  const normalized = path.endsWith('/') || name.includes('.') ? path : `${path}/`;
  return canBeIndexed(normalized) ? normalized : null;
}

/** True if a text is short enough for an indexed column. */
export function canBeIndexed(text: string): boolean {
  return Buffer.byteLength(text) <= MAX_INDEXED_BYTES;
}
