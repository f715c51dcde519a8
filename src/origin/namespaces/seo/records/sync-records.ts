import { and, arrayOverlaps, eq, exists, inArray, ne, sql, type SQL } from 'drizzle-orm';
import { parseSettingsMeta, type SeoSettings } from '#contracts/seo/settings.ts';
import { getAuthorUrl, getContentUrl, loadAncestors } from '#origin/platform/content/content-url.ts';
import {
  getKind,
  type ContentKind,
  type ContentRow,
  type ChangedRows,
  type ListenerContext,
} from '#origin/platform/registry/content-kind.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content, contentTerm, term, user } from '#origin/platform/store/schema.ts';
import { uploadFilePath, collectImages } from '../head/load-site.ts';
import { loadTermTree } from '../head/find-page.ts';
import {
  canBeIndexed,
  findLinks,
  normalizeRecordPath,
  type TextLink,
  type LinkOrigin,
  countLinksToPath,
  countInternalLinks,
  updateLinks,
  recountIncomingLinks,
  removeLinks,
  chunk,
} from './update-links.ts';
import { SEO_OPTION } from '../options.ts';
import { readObjectMeta, readStoredUrl, parseStoredUrl } from './object-settings.ts';
import { seoObjectSettings, seoRecord, type RecordType, type SeoRecord } from './tables.ts';

/** Rows processed at a time: each has a text and many columns. */
const BATCH = 200;

type NewRecord = typeof seoRecord.$inferInsert;

/** Columns that records are made of. Other texts of rows can be large and are not loaded. */
const COLUMNS = {
  id: content.id,
  type: content.type,
  status: content.status,
  slug: content.slug,
  parentId: content.parentId,
  authorId: content.authorId,
  featuredMedia: content.featuredMedia,
  file: content.file,
  password: content.password,
  content: content.content,
  meta: content.meta,
  dateGmt: content.dateGmt,
  modifiedGmt: content.modifiedGmt,
};
type FollowedRow = Pick<ContentRow, keyof typeof COLUMNS>;

/**
 * Updates the records and links of changed rows, and deletes the records of deleted rows. Records that depend on a
 * changed row are updated too: pages below a page, content of a category, articles of an author.
 */
export async function syncSeoRecords(tx: Transaction, changed: ChangedRows, site: ListenerContext): Promise<void> {
  for (const rows of chunk(changed.added ?? [], BATCH))
    await updateRecords(tx, { ids: idsOf(rows), rows, before: [] }, site);
  for (const ids of chunk(await withContentBelow(tx, changed.content), BATCH)) await updateContent(tx, ids, site);
  for (const ids of chunk(await withTermsBelow(tx, changed.terms), BATCH)) await updateTerms(tx, ids, site);
  for (const ids of chunk([...new Set(changed.users)], BATCH)) {
    await updateAuthors(tx, ids, { areChanged: true });
    const existing = await tx.select({ id: user.id }).from(user).where(inArray(user.id, ids));
    const deletedIds = new Set(ids).difference(new Set(existing.map(({ id }) => id)));
    await deleteSettings(tx, 'user', [...deletedIds]);
    await touch(tx, inArray(seoRecord.authorId, ids));
  }
  for (const ids of chunk([...new Set(changed.commented)]))
    await touch(tx, and(eq(seoRecord.type, 'post'), inArray(seoRecord.objectId, ids)));
}

/** Adds child pages, whose paths and breadcrumbs depend on their parents, and files, whose visibility does. */
function withContentBelow(tx: Transaction, ids: readonly number[] = []): Promise<number[]> {
  return withBelow(ids, (parents) =>
    tx
      .select({ id: content.id })
      .from(content)
      .where(and(inArray(content.parentId, parents), ne(content.type, 'revision'))),
  );
}

function withTermsBelow(tx: Transaction, ids: readonly number[] = []): Promise<number[]> {
  return withBelow(ids, (parents) => tx.select({ id: term.id }).from(term).where(inArray(term.parentId, parents)));
}

async function withBelow(
  ids: readonly number[],
  findBelow: (parents: number[]) => Promise<{ id: number }[]>,
): Promise<number[]> {
  const all = new Set(ids);
  for (let level = [...all]; level.length > 0;) {
    const below: number[] = [];
    for (const parents of chunk(level)) for (const { id } of await findBelow(parents)) if (!all.has(id)) below.push(id);
    for (const id of below) all.add(id);
    level = below;
  }
  return [...all];
}

/** Returns the kinds of content whose rows have heads. */
export function kindsWithHeads({ kinds }: Pick<ListenerContext, 'kinds'>): ContentKind[] {
  return [...kinds.values()].filter(({ hasPage, isFile }) => hasPage && !isFile);
}

async function updateContent(tx: Transaction, ids: readonly number[], site: ListenerContext): Promise<void> {
  const rows = await tx
    .select(COLUMNS)
    .from(content)
    .where(inArray(content.id, [...ids]));
  await updateRecords(tx, { ids, rows, before: await findRecords(tx, 'post', ids) }, site);
}

interface FollowedContent {
  ids: readonly number[];
  /** Existing rows of these IDs. */
  rows: readonly FollowedRow[];
  /** Previous records of the rows. */
  before: readonly SeoRecord[];
}

async function updateRecords(
  tx: Transaction,
  { ids, rows, before }: FollowedContent,
  site: ListenerContext,
): Promise<void> {
  const types = new Set(kindsWithHeads(site).map(({ type }) => type));
  const recorded = rows.filter(({ type, status }) => types.has(type) && status !== 'auto-draft');
  const recordedIds = new Set(idsOf(recorded));
  await removeRecords(
    tx,
    before.filter(({ objectId }) => !recordedIds.has(objectId)),
  );
  const authors = [...new Set([...before, ...recorded].flatMap(({ authorId }) => authorId ?? []))];
  // Adding content never removes the page of an author.
  const isInsert = before.length === 0;
  if (recorded.length > 0) {
    const upserted = await upsertContent(tx, recorded, before, { site, linked: await linkedSite(tx, site) });
    const listed = new Set(upserted.flatMap((record) => (record.isAuthorListed ? record.authorId : [])));
    const unlisted = authors.filter((id) => !listed.has(id));
    await updateAuthors(tx, isInsert ? unlisted : authors, { areChanged: false });
  } else await updateAuthors(tx, authors, { areChanged: false });
  const files = rows.filter((row) => getKind(row, site.kinds).isFile);
  const deletedIds = new Set(ids).difference(new Set(rows.map(({ id }) => id)));
  await touchWithImages(tx, [...deletedIds, ...files.flatMap(({ id, file }) => [id, file])]);
}

async function upsertContent(
  tx: Transaction,
  rows: readonly FollowedRow[],
  before: readonly SeoRecord[],
  { site, linked }: { site: ListenerContext; linked: LinkOrigin },
): Promise<StoredRecord[]> {
  const ancestors = await loadAncestors(tx, rows);
  const former = new Map(before.map((record) => [record.objectId, record]));
  const inputs = rows.map((row) => {
    const record = {
      ...recordOfContent(row, getContentUrl(row, { site: '', kinds: site.kinds }, ancestors)),
      pictures: findImages(row, linked),
      isAnalysisDue: isAnalysisDue(row, former.get(row.id)),
    };
    // Links in texts that are not public don't count.
    const links =
      record.isPublic && !record.isProtected ? findLinks(row.content, record.path ?? null, linked) : undefined;
    return { record, links };
  });
  return upsertWithLinks(tx, inputs, pathsOf(before));
}

/** Upserts records with their links. */
async function upsertWithLinks(
  tx: Transaction,
  inputs: readonly { record: RecordInput; links: TextLink[] | undefined }[],
  formerPaths: ReadonlyMap<number, string | null>,
): Promise<StoredRecord[]> {
  const records = await upsertRecords(
    tx,
    inputs.map(({ record, links }) => ({ ...record, linkCount: countInternalLinks(links) })),
  );
  const linksOf = new Map(inputs.map(({ record, links }) => [record.objectId, links]));
  await updateLinks(
    tx,
    records.map((record) => ({
      record,
      formerPath: formerPaths.get(record.objectId),
      links: linksOf.get(record.objectId),
    })),
  );
  return records;
}

function idsOf(rows: readonly { id: number }[]): number[] {
  return rows.map(({ id }) => id);
}

/** True to repeat an analysis; null to analyse a text for the first time, if the site option says so. */
function isAnalysisDue(row: FollowedRow, before: SeoRecord | undefined): boolean | null {
  if (row.status === 'trash') return false;
  return before !== undefined && isAnalysed(before) ? true : null;
}

/** True if the record has scores, or an analysis is due. */
function isAnalysed({ isAnalysisDue: isDue, seoScore, readabilityScore, readingMinutes }: SeoRecord): boolean {
  return isDue || seoScore > 0 || readabilityScore > 0 || readingMinutes > 0;
}

async function linkedSite(tx: Transaction, { publicUrl, site }: ListenerContext): Promise<LinkOrigin> {
  return { url: publicUrl, storedUrl: site ? parseStoredUrl(site) : await readStoredUrl(tx) };
}

function recordOfContent(row: FollowedRow, link: string): NewRecord {
  const settings = parseSettingsMeta(row.meta);
  const isPublic = row.status === 'publish';
  const isProtected = row.password !== '';
  return {
    ...recordOfSettings(settings),
    type: 'post',
    subType: row.type,
    objectId: row.id,
    // Addresses with a query have no path.
    path: link.includes('?') ? null : normalizeRecordPath(link),
    authorId: row.authorId,
    parentId: row.parentId,
    status: row.status,
    isProtected,
    isPublic,
    isIndexed:
      isProtected || !isPublic || settings.index === 'noindex' ? false : settings.index === 'index' ? true : null,
    pageCount: countPages(row.content),
    publishedAt: readTime(row.dateGmt),
    modifiedAt: readTime(row.modifiedGmt),
  };
}

/** Finds the images that its head can contain: IDs of media items, and files below the uploads folder. */
function findImages(row: FollowedRow, { url, storedUrl }: LinkOrigin): string[] {
  const origin = { publicUrl: url, storedUrl };
  const { ids, addresses } = collectImages(row, parseSettingsMeta(row.meta), origin);
  const files = addresses.flatMap((address) => uploadFilePath(address, origin) ?? []);
  return [...new Set([...ids.map(String), ...files.filter(canBeIndexed)])];
}

function recordOfSettings(settings: SeoSettings) {
  return {
    isCornerstone: settings.is_cornerstone,
    focusKeyphrase: settings.focus_keyphrase,
    seoScore: settings.seo_score,
    readabilityScore: settings.readability_score,
    titleScore: settings.title_score,
    descriptionScore: settings.description_score,
    readingMinutes: settings.reading_minutes,
  };
}

function countPages(text: string): number | null {
  const breaks = text.split('<!--nextpage-->').length - 1;
  return breaks === 0 ? null : breaks + 1;
}

function readTime(utc: string | null): Date | null {
  return utc === null ? null : new Date(`${utc.replace(' ', 'T')}Z`);
}

async function updateTerms(tx: Transaction, ids: readonly number[], site: ListenerContext): Promise<void> {
  const rows = await tx
    .select()
    .from(term)
    .where(inArray(term.id, [...ids]));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const before = await findRecords(tx, 'term', ids);
  await deleteSettings(
    tx,
    'term',
    ids.filter((id) => !byId.has(id)),
  );
  await removeRecords(
    tx,
    before.filter(({ objectId }) => !byId.has(objectId)),
  );
  const tree = await loadTermTree({ store: { db: tx }, kinds: site.kinds }, '', rows);
  const meta = await readObjectMeta(tx, 'term', [...byId.keys()]);
  const linked = await linkedSite(tx, site);
  const inputs = rows.map((row) => {
    const settings = parseSettingsMeta(meta.get(row.id) ?? {});
    const path = normalizeRecordPath(tree.urlOf(row));
    const record = {
      ...recordOfSettings(settings),
      type: 'term' as const,
      subType: row.taxonomy,
      objectId: row.id,
      path,
      parentId: row.parentId,
      isPublic: true,
      isIndexed: settings.index === 'default' ? null : settings.index === 'index',
    };
    return { record, links: findLinks(row.description, path, linked) };
  });
  await upsertWithLinks(tx, inputs, pathsOf(before));
  const contentIds = tx
    .select({ id: contentTerm.contentId })
    .from(contentTerm)
    .where(inArray(contentTerm.termId, [...ids]));
  await touch(tx, and(eq(seoRecord.type, 'post'), inArray(seoRecord.objectId, contentIds)));
}

async function deleteSettings(tx: Transaction, type: 'term' | 'user', ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const { type: typeColumn, objectId } = seoObjectSettings;
  await tx.delete(seoObjectSettings).where(and(eq(typeColumn, type), inArray(objectId, [...ids])));
}

/** Updates the records of authors. An author has a page once one of their posts is published. */
async function updateAuthors(
  tx: Transaction,
  ids: readonly number[],
  { areChanged }: { areChanged: boolean },
): Promise<void> {
  const userIds = [...new Set(ids)].filter((id) => id > 0);
  if (userIds.length === 0) return;
  const published = tx
    .select({ one: sql`1` })
    .from(content)
    .where(and(eq(content.authorId, user.id), eq(content.type, 'post'), eq(content.status, 'publish')));
  const rows = await tx
    .select()
    .from(user)
    .where(and(inArray(user.id, userIds), eq(user.active, true), exists(published)));
  const before = await findRecords(tx, 'user', userIds);
  const authorIds = new Set(rows.map(({ id }) => id));
  await removeRecords(
    tx,
    before.filter(({ objectId }) => !authorIds.has(objectId)),
  );
  const recordedIds = new Set(before.map(({ objectId }) => objectId));
  const changedRows = rows.filter(({ id }) => areChanged || !recordedIds.has(id));
  if (changedRows.length === 0) return;
  const meta = await readObjectMeta(
    tx,
    'user',
    changedRows.map(({ id }) => id),
  );
  const records = await upsertRecords(
    tx,
    changedRows.map((row) => {
      const settings = parseSettingsMeta(meta.get(row.id) ?? {});
      return {
        ...recordOfSettings(settings),
        type: 'user',
        objectId: row.id,
        path: normalizeRecordPath(getAuthorUrl(row, '')),
        isPublic: true,
        isIndexed: settings.index === 'default' ? null : settings.index === 'index',
      };
    }),
  );
  const formerPaths = pathsOf(before);
  const movedRecords = records.filter(
    ({ objectId, path }) => formerPaths.has(objectId) && formerPaths.get(objectId) !== path,
  );
  await recountIncomingLinks(
    tx,
    movedRecords.map(({ id }) => id),
  );
}

function pathsOf(records: readonly SeoRecord[]): ReadonlyMap<number, string | null> {
  return new Map(records.map(({ objectId, path }) => [objectId, path]));
}

async function findRecords(tx: Transaction, type: RecordType, ids: readonly number[]): Promise<SeoRecord[]> {
  if (ids.length === 0) return [];
  return tx
    .select()
    .from(seoRecord)
    .where(and(eq(seoRecord.type, type), inArray(seoRecord.objectId, [...ids])));
}

/** A record to write. Null for `isAnalysisDue` applies the site option. */
type RecordInput = Omit<NewRecord, 'isAnalysisDue'> & { isAnalysisDue?: boolean | null };

type StoredRecord = Pick<SeoRecord, 'id' | 'objectId' | 'path' | 'authorId'> & { isAuthorListed: boolean };

/** Upserts records. Existing records keep their incoming link count; new ones get it counted. */
async function upsertRecords(tx: Transaction, records: readonly RecordInput[]): Promise<StoredRecord[]> {
  const [first] = records;
  if (!first) return [];
  const updatedAt = new Date();
  const names = Object.keys(first) as (keyof NewRecord)[];
  const columns = names.filter((name) => !['type', 'subType', 'objectId'].includes(name));
  const set = Object.fromEntries(columns.map((name) => [name, sql.raw(`excluded."${seoRecord[name].name}"`)]));
  const values = records.map((record) => ({
    ...record,
    ...('isAnalysisDue' in record
      ? { isAnalysisDue: sql`coalesce(${record.isAnalysisDue}::boolean, ${ANALYSE_ALL})` }
      : {}),
    incomingLinkCount: countLinksToPath(record.path ?? null),
  }));
  const { id, objectId, path, authorId } = seoRecord;
  return tx
    .insert(seoRecord)
    .values(values as NewRecord[])
    .onConflictDoUpdate({
      target: [seoRecord.type, seoRecord.subType, seoRecord.objectId],
      set: { ...set, updatedAt },
    })
    .returning({
      id,
      objectId,
      path,
      authorId,
      isAuthorListed: isAuthorListed(sql`seo_record.author_id`).mapWith(Boolean),
    });
}

/** SQL expression that is true if the site analyses all texts. */
const ANALYSE_ALL = sql`coalesce((select value -> 'analyse_on_save' = 'true' from option where name = ${SEO_OPTION}), false)`;

/** True if an author has a record. Raw SQL, because the query builder omits table names in `returning`. */
function isAuthorListed(author: SQL): SQL {
  return sql`exists (select 1 from seo_record author where author.type = 'user' and author.object_id = ${author})`;
}

async function removeRecords(tx: Transaction, records: readonly SeoRecord[]): Promise<void> {
  if (records.length === 0) return;
  const ids = records.map(({ id }) => id);
  await removeLinks(tx, ids);
  await tx.delete(seoRecord).where(inArray(seoRecord.id, ids));
}

/** Marks records as updated whose heads depend on a changed row. */
async function touch(tx: Transaction, condition: SQL | undefined): Promise<void> {
  await tx.update(seoRecord).set({ updatedAt: new Date() }).where(condition);
}

/** Marks records as updated whose heads contain these images. @param media IDs of media items, and their files */
async function touchWithImages(tx: Transaction, media: readonly (number | string)[]): Promise<void> {
  if (media.length > 0) await touch(tx, arrayOverlaps(seoRecord.pictures, media.map(String)));
}
