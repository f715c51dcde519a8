import { and, arrayOverlaps, eq, exists, inArray, ne, sql, type Placeholder, type SQL } from 'drizzle-orm';
import { settingsOfMeta, type SeoSettings } from '#contracts/seo/index.ts';
import { linkAuthor, linkContent } from '#origin/platform/content/link-content.ts';
import { loadAncestors } from '#origin/platform/content/load-ancestors.ts';
import { kindOf, type ContentKind, type ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { ChangedRows, FollowedSite } from '#origin/platform/registry/follow-changes.ts';
import { prepareOnce, rowPlaceholders } from '#origin/platform/store/prepare-once.ts';
import type { Database, SendLast, Transaction } from '#origin/platform/store/index.ts';
import { content, contentTerm, term, user } from '#origin/platform/store/schema.ts';
import { fileOf, namePictures } from '../head/load-pictures.ts';
import { loadTermTree } from '../head/term-tree.ts';
import { canBeIndexed, findLinks, recordPath, type FoundLink, type LinkedSite } from './find-links.ts';
import { SEO_OPTION } from '../options.ts';
import { readObjectMeta, readStoredUrl, storedUrlOf } from './object-settings.ts';
import { countIncoming, countInternal, putLinks, recountIncoming, removeLinks, slices } from './put-links.ts';
import { seoObjectSettings, seoRecord, type RecordType, type SeoRecord } from './tables.ts';

/** Rows that are followed at a time: each has a text and many columns. */
const BATCH = 200;

type NewRecord = typeof seoRecord.$inferInsert;

/** What records are made of; other texts of rows may be large, and are nobody's business here. */
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
 * Makes the records of rows say what the rows say now, with their links; those of rows that are gone go too. What stands
 * below a changed row, names it or shows it, follows: pages below a page, content of a category, articles of an author.
 */
export async function followRows(
  tx: Transaction,
  changed: ChangedRows,
  site: FollowedSite,
  last?: SendLast,
): Promise<void> {
  for (const rows of slices(changed.added ?? [], BATCH)) {
    const areLast = changed.areAuthorsKnown ? last : undefined;
    await followLoaded(tx, { ids: idsOf(rows), rows, before: [] }, site, areLast);
  }
  for (const ids of slices(await withContentBelow(tx, changed.content), BATCH)) await followContent(tx, ids, site);
  for (const ids of slices(await withTermsBelow(tx, changed.terms), BATCH)) await followTerms(tx, ids, site);
  for (const ids of slices([...new Set(changed.users)], BATCH)) {
    await followAuthors(tx, ids, { areChanged: true });
    const left = await tx.select({ id: user.id }).from(user).where(inArray(user.id, ids));
    const gone = new Set(ids).difference(new Set(left.map(({ id }) => id)));
    await forgetSettings(tx, 'user', [...gone]);
    await touch(tx, inArray(seoRecord.authorId, ids));
  }
  for (const ids of slices([...new Set(changed.commented)]))
    await touch(tx, and(eq(seoRecord.type, 'post'), inArray(seoRecord.objectId, ids)));
}

/** With pages below, which have their addresses and trails from above, and files, which are seen where that is seen. */
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
    for (const parents of slices(level))
      for (const { id } of await findBelow(parents)) if (!all.has(id)) below.push(id);
    for (const id of below) all.add(id);
    level = below;
  }
  return [...all];
}

/** Kinds of content whose rows have heads of their own. */
export function recordedKinds({ kinds }: Pick<FollowedSite, 'kinds'>): ContentKind[] {
  return [...kinds.values()].filter(({ hasPage, isFile }) => hasPage && !isFile);
}

async function followContent(tx: Transaction, ids: readonly number[], site: FollowedSite): Promise<void> {
  const rows = await tx
    .select(COLUMNS)
    .from(content)
    .where(inArray(content.id, [...ids]));
  await followLoaded(tx, { ids, rows, before: await findRecords(tx, 'post', ids) }, site);
}

interface FollowedContent {
  ids: readonly number[];
  /** Those of the ids that are there. */
  rows: readonly FollowedRow[];
  /** Their records as they were. */
  before: readonly SeoRecord[];
}

async function followLoaded(
  tx: Transaction,
  { ids, rows, before }: FollowedContent,
  site: FollowedSite,
  last?: SendLast,
): Promise<void> {
  const types = new Set(recordedKinds(site).map(({ type }) => type));
  const recorded = rows.filter(({ type, status }) => types.has(type) && status !== 'auto-draft');
  const kept = new Set(idsOf(recorded));
  await removeRecords(
    tx,
    before.filter(({ objectId }) => !kept.has(objectId)),
  );
  const authors = [...new Set([...before, ...recorded].flatMap(({ authorId }) => authorId ?? []))];
  // Whoever has a page keeps it when something is added.
  const areKept = before.length === 0;
  if (recorded.length > 0) {
    const put = await putContent(tx, recorded, before, { site, linked: await linkedSite(tx, site), last });
    const listed = new Set(put.flatMap((record) => (record.isAuthorListed ? record.authorId : [])));
    const unlisted = last ? [] : authors.filter((id) => !listed.has(id));
    await followAuthors(tx, areKept ? unlisted : authors, { areChanged: false });
  } else await followAuthors(tx, authors, { areChanged: false });
  const files = rows.filter((row) => kindOf(row, site.kinds).isFile);
  const gone = new Set(ids).difference(new Set(rows.map(({ id }) => id)));
  await touchPictured(tx, [...gone, ...files.flatMap(({ id, file }) => [id, file])]);
}

async function putContent(
  tx: Transaction,
  rows: readonly FollowedRow[],
  before: readonly SeoRecord[],
  { site, linked, last }: { site: FollowedSite; linked: LinkedSite; last?: SendLast | undefined },
): Promise<PutRecord[]> {
  const ancestors = await loadAncestors(tx, rows);
  const former = new Map(before.map((record) => [record.objectId, record]));
  const put = rows.map((row) => {
    const record = {
      ...recordOfContent(row, linkContent(row, { site: '', kinds: site.kinds }, ancestors)),
      pictures: picturesOf(row, linked),
      isAnalysisDue: isAnalysisDue(row, former.get(row.id)),
    };
    // What only some may read counts for nobody.
    const links =
      record.isPublic && !record.isProtected ? findLinks(row.content, record.path ?? null, linked) : undefined;
    return { record, links };
  });
  return putLinked(tx, put, pathsOf(before), last);
}

/** Records with the links in their texts. @param formerPaths of those that are not new @returns none where they are sent last */
async function putLinked(
  tx: Transaction,
  put: readonly { record: WrittenRecord; links: FoundLink[] | undefined }[],
  formerPaths: ReadonlyMap<number, string | null>,
  last?: SendLast,
): Promise<PutRecord[]> {
  const putting = putRecords(
    tx,
    put.map(({ record, links }) => ({ ...record, linkCount: countInternal(links) })),
  );
  if (last && put.every(({ links = [] }) => links.length === 0)) {
    last(putting);
    return [];
  }
  const records = await putting;
  const linksOf = new Map(put.map(({ record, links }) => [record.objectId, links]));
  await putLinks(
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

/** A text that was written anew is analysed again, or for the first time where the site wants that of all: null. */
function isAnalysisDue(row: FollowedRow, before: SeoRecord | undefined): boolean | null {
  if (row.status === 'trash') return false;
  return before !== undefined && isAnalysed(before) ? true : null;
}

/** Whether it has scores, or will have. */
function isAnalysed({ isAnalysisDue: isDue, seoScore, readabilityScore, readingMinutes }: SeoRecord): boolean {
  return isDue || seoScore > 0 || readabilityScore > 0 || readingMinutes > 0;
}

async function linkedSite(tx: Transaction, { publicUrl, site }: FollowedSite): Promise<LinkedSite> {
  return { url: publicUrl, storedUrl: site ? storedUrlOf(site) : await readStoredUrl(tx) };
}

function recordOfContent(row: FollowedRow, link: string): NewRecord {
  const settings = settingsOfMeta(row.meta);
  const isPublic = row.status === 'publish';
  const isProtected = row.password !== '';
  return {
    ...recordOfSettings(settings),
    type: 'post',
    subType: row.type,
    objectId: row.id,
    // An address that needs no slug is that of something without a page.
    path: link.includes('?') ? null : recordPath(link),
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

/** What touches its head with a picture: ids of media items, and files below the uploads folder. */
function picturesOf(row: FollowedRow, { url, storedUrl }: LinkedSite): string[] {
  const place = { publicUrl: url, storedUrl };
  const { ids, addresses } = namePictures(row, settingsOfMeta(row.meta), place);
  const files = addresses.flatMap((address) => fileOf(address, place) ?? []);
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

async function followTerms(tx: Transaction, ids: readonly number[], site: FollowedSite): Promise<void> {
  const rows = await tx
    .select()
    .from(term)
    .where(inArray(term.id, [...ids]));
  const byId = new Map(rows.map((row) => [row.id, row]));
  const before = await findRecords(tx, 'term', ids);
  await forgetSettings(
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
  const put = rows.map((row) => {
    const settings = settingsOfMeta(meta.get(row.id) ?? {});
    const path = recordPath(tree.urlOf(row));
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
  await putLinked(tx, put, pathsOf(before));
  const named = tx
    .select({ id: contentTerm.contentId })
    .from(contentTerm)
    .where(inArray(contentTerm.termId, [...ids]));
  await touch(tx, and(eq(seoRecord.type, 'post'), inArray(seoRecord.objectId, named)));
}

/** Ids are given once, but settings of what is gone are nobody's. */
async function forgetSettings(tx: Transaction, type: 'term' | 'user', ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const { type: of, objectId } = seoObjectSettings;
  await tx.delete(seoObjectSettings).where(and(eq(of, type), inArray(objectId, [...ids])));
}

/** Authors have a page as soon as anything of theirs is published. */
async function followAuthors(
  tx: Transaction,
  ids: readonly number[],
  { areChanged }: { areChanged: boolean },
): Promise<void> {
  const wanted = [...new Set(ids)].filter((id) => id > 0);
  if (wanted.length === 0) return;
  const published = tx
    .select({ one: sql`1` })
    .from(content)
    .where(and(eq(content.authorId, user.id), eq(content.type, 'post'), eq(content.status, 'publish')));
  const rows = await tx
    .select()
    .from(user)
    .where(and(inArray(user.id, wanted), eq(user.active, true), exists(published)));
  const before = await findRecords(tx, 'user', wanted);
  const kept = new Set(rows.map(({ id }) => id));
  await removeRecords(
    tx,
    before.filter(({ objectId }) => !kept.has(objectId)),
  );
  const known = new Set(before.map(({ objectId }) => objectId));
  const written = rows.filter(({ id }) => areChanged || !known.has(id));
  if (written.length === 0) return;
  const meta = await readObjectMeta(
    tx,
    'user',
    written.map(({ id }) => id),
  );
  const records = await putRecords(
    tx,
    written.map((row) => {
      const settings = settingsOfMeta(meta.get(row.id) ?? {});
      return {
        ...recordOfSettings(settings),
        type: 'user',
        objectId: row.id,
        path: recordPath(linkAuthor(row, '')),
        isPublic: true,
        isIndexed: settings.index === 'default' ? null : settings.index === 'index',
      };
    }),
  );
  const formerPaths = pathsOf(before);
  const moved = records.filter(({ objectId, path }) => formerPaths.has(objectId) && formerPaths.get(objectId) !== path);
  await recountIncoming(
    tx,
    moved.map(({ id }) => id),
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

/** A record as it is written. Null for `isAnalysisDue`: as the site wants it. */
type WrittenRecord = Omit<NewRecord, 'isAnalysisDue'> & { isAnalysisDue?: boolean | null };

type PutRecord = Pick<SeoRecord, 'id' | 'objectId' | 'path' | 'authorId'> & { isAuthorListed: boolean };

/** Writes records over those of the same things, whose counts of links to them stay; those of new ones are counted. */
async function putRecords(tx: Transaction, records: readonly WrittenRecord[]): Promise<PutRecord[]> {
  const [first] = records;
  if (!first) return [];
  const updatedAt = new Date();
  const names = Object.keys(first) as (keyof NewRecord)[];
  return records.length === 1
    ? putStatement(tx, { ...first, updatedAt }, names)
    : putQuery(tx, names, records, updatedAt).execute();
}

/** One is built once, as it is written with each row of content. */
const putStatement = prepareOnce((db, names: readonly (keyof NewRecord)[]) => {
  const record = rowPlaceholders(names) as unknown as WrittenRecord;
  return putQuery(db, names, [record], sql.placeholder('updatedAt')).prepare('');
});

function putQuery(
  db: Database,
  names: readonly (keyof NewRecord)[],
  records: readonly WrittenRecord[],
  updatedAt: Date | Placeholder,
) {
  const columns = names.filter((name) => !['type', 'subType', 'objectId'].includes(name));
  const set = Object.fromEntries(columns.map((name) => [name, sql.raw(`excluded."${seoRecord[name].name}"`)]));
  const values = records.map((record) => ({
    ...record,
    ...('isAnalysisDue' in record
      ? { isAnalysisDue: sql`coalesce(${record.isAnalysisDue}::boolean, ${ANALYSES_ALL})` }
      : {}),
    incomingLinkCount: countIncoming(record.path ?? null),
  }));
  const { id, objectId, path, authorId } = seoRecord;
  return db
    .insert(seoRecord)
    .values(values as NewRecord[])
    .onConflictDoUpdate({
      target: [seoRecord.type, seoRecord.subType, seoRecord.objectId],
      set: { ...set, updatedAt: updatedAt as Date },
    })
    .returning({
      id,
      objectId,
      path,
      authorId,
      isAuthorListed: isAuthorListed(sql`seo_record.author_id`).mapWith(Boolean),
    });
}

/** Whether the site wants texts to be analysed that were not yet. */
const ANALYSES_ALL = sql`coalesce((select value -> 'analyse_on_save' = 'true' from option where name = ${SEO_OPTION}), false)`;

/** Whether somebody has a page. As text, as the query builder takes tables' names away from columns of what is written. */
export function isAuthorListed(author: SQL | Placeholder): SQL {
  return sql`exists (select 1 from seo_record author where author.type = 'user' and author.object_id = ${author})`;
}

async function removeRecords(tx: Transaction, records: readonly SeoRecord[]): Promise<void> {
  if (records.length === 0) return;
  const ids = records.map(({ id }) => id);
  await removeLinks(tx, ids);
  await tx.delete(seoRecord).where(inArray(seoRecord.id, ids));
}

/** Their heads have changed with something else. */
async function touch(tx: Transaction, condition: SQL | undefined): Promise<void> {
  await tx.update(seoRecord).set({ updatedAt: new Date() }).where(condition);
}

/** @param media ids of media items, and their files */
async function touchPictured(tx: Transaction, media: readonly (number | string)[]): Promise<void> {
  if (media.length > 0) await touch(tx, arrayOverlaps(seoRecord.pictures, media.map(String)));
}
