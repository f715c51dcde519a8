import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { page, post, type Page, type Post } from '#contracts/core/post.ts';
import { postRevision } from '#contracts/core/revision.ts';
import type { EpisodePage } from '#contracts/podcast/index.ts';
import type { ImportOutcome, ImportRecord } from '#contracts/import.ts';
import { getContentUrl, loadAncestors } from '#origin/platform/content/content-url.ts';
import { findFreeSlug } from '#origin/platform/content/slugs.ts';
import { writeContent, autosaveSlug, pickRevisionMeta, revisionSlug } from '#origin/platform/content/write-content.ts';
import { assignTerms, announceContent } from '#origin/platform/content/writing/create-content.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { replaceSiteUrl } from '#origin/platform/site/load-site.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content } from '#origin/platform/store/schema.ts';
import { type ImportJob, preserveId } from './import-job.ts';
import {
  digestContent,
  findImported,
  saveImportedRows,
  loadUnchanged,
  parseWire,
  toStoredTime,
} from './imported-rows.ts';
import { findReferences } from './references.ts';
import { rewriteAddresses } from './rewrite-addresses.ts';

const TRASHED = '__trashed';

/** Writes a post or a page with its terms and revisions. */
export function createArticleWriter(type: 'post' | 'page') {
  const contract = type === 'post' ? post : page;
  return (job: ImportJob, record: ImportRecord): Promise<Omit<ImportOutcome, 'id'>> => {
    const remote: Post | Page = parseWire(contract, record.wire);
    return writeContent(job.context.store.db, (tx) => writeArticle(tx, job, record, { kind: type, type, remote }));
  };
}

/** An article as the source returns it. */
export interface RemoteArticle {
  /** Kind of its import record. */
  kind: 'post' | 'page' | 'episode';
  type: ContentRow['type'];
  remote: Post | Page | EpisodePage;
}

/**
 * Writes an article unless it is unchanged or was edited here.
 *
 * @param also writes related data in the same transaction
 */
export async function writeArticle(
  tx: Transaction,
  job: ImportJob,
  record: ImportRecord,
  { kind, type, remote }: RemoteArticle,
  also?: (row: ContentRow) => Promise<string[]>,
): Promise<Omit<ImportOutcome, 'id'>> {
  const { site } = job.source;
  const [known] = await findImported(tx, site, kind, [record.id]);
  if (known?.digest === record.digest) return { outcome: 'unchanged' };
  const found = known && (await loadUnchanged(tx, known));
  if (found && 'note' in found) return { outcome: 'kept', note: found.note };
  const { row, waiting, notes } = await planRow(tx, job, remote, found?.row, type);
  const after = found ? await changeRow(tx, found.row, row) : await addRow(tx, job, remote, row);
  if ('tags' in remote) notes.push(...(await saveTerms(tx, job, after.id, remote)));
  notes.push(...((await also?.(after)) ?? []));
  const revisionNotes = await saveRevisions(tx, job, after, record.revisions ?? []);
  const ownDigest = await digestContent(tx, after);
  const { id: sourceId, digest } = record;
  await saveImportedRows(tx, [{ source: site, kind, sourceId, ownId: after.id, digest, ownDigest, waiting }]);
  await announceContent(tx, found?.row, after);
  const note = [...notes, ...revisionNotes].join('; ');
  return { outcome: found ? 'updated' : 'added', ...(note !== '' && { note }) };
}

type NewRow = Omit<typeof content.$inferInsert, 'id'> & { slug: string };

async function planRow(
  tx: Transaction,
  job: ImportJob,
  remote: RemoteArticle['remote'],
  before: ContentRow | undefined,
  type: ContentRow['type'],
): Promise<{ row: NewRow; waiting: Record<string, number>; notes: string[] }> {
  const references = {
    authorId: remote.author,
    featuredMedia: remote.featured_media,
    parentId: 'parent' in remote ? remote.parent : 0,
  };
  const { columns, waiting } = await findReferences(tx, job, references, before?.id);
  const texts = await rewriteAddresses(tx, job, {
    content: remote.content.raw ?? '',
    excerpt: 'excerpt' in remote ? (remote.excerpt.raw ?? '') : '',
  });
  const isTrash = remote.status === 'trash';
  const owner = { id: before?.id, type, parentId: columns.parentId, slug: remote.slug };
  const slug = remote.slug === '' ? '' : await findFreeSlug(tx, remote.slug, owner);
  const { meta, lost } = readMeta(remote.meta);
  const notes = [
    ...(slug === remote.slug ? [] : [`its slug "${remote.slug}" was taken; it is "${slug}" here`]),
    ...(lost.length === 0 ? [] : [`meta values that are not text were skipped: ${lost.join(', ')}`]),
  ];
  const date = toStoredTime(remote.date ?? remote.modified);
  // The interface doesn't say whether a draft's date floats. A floating date equals the date of the last save.
  const floats = ['draft', 'pending', 'auto-draft'].includes(remote.status) && remote.date === remote.modified;
  const row: NewRow = {
    type,
    status: remote.status,
    slug,
    title: remote.title.raw ?? remote.title.rendered,
    ...texts,
    ...columns,
    password: remote.password ?? '',
    menuOrder: 'menu_order' in remote ? remote.menu_order : 0,
    date,
    dateGmt: floats ? null : toStoredTime(remote.date_gmt ?? remote.modified_gmt),
    modified: toStoredTime(remote.modified),
    modifiedGmt: toStoredTime(remote.modified_gmt),
    commentStatus: remote.comment_status,
    pingStatus: remote.ping_status,
    format: 'format' in remote && remote.format !== 'standard' ? remote.format : '',
    template: remote.template,
    sticky: 'sticky' in remote && remote.sticky,
    meta,
    // The interface doesn't report the status before the trash either.
    statusBeforeTrash: isTrash ? 'draft' : '',
    slugBeforeTrash: isTrash && remote.slug.endsWith(TRASHED) ? remote.slug.slice(0, -TRASHED.length) : '',
  };
  return { row, waiting, notes };
}

async function addRow(
  tx: Transaction,
  job: ImportJob,
  remote: RemoteArticle['remote'],
  row: NewRow,
): Promise<ContentRow> {
  const [added] = await tx
    .insert(content)
    .values({ ...(await preserveId(tx, content, remote.id)), ...row })
    .returning();
  if (!added) throw new Error('The store did not return the row it added.');
  const sourceGuid = remote.guid.raw ?? remote.guid.rendered;
  const guid =
    sourceGuid === ''
      ? getContentUrl(added, { site: job.home, kinds: job.context.kinds }, await loadAncestors(tx, [added]))
      : job.source.addresses.reduce((moving, from) => replaceSiteUrl(moving, from, job.home), sourceGuid);
  await tx.update(content).set({ guid }).where(eq(content.id, added.id));
  return { ...added, guid };
}

async function changeRow(tx: Transaction, before: ContentRow, row: NewRow): Promise<ContentRow> {
  const [after] = await tx.update(content).set(row).where(eq(content.id, before.id)).returning();
  if (!after) throw new Error('The store did not return the row it changed.');
  return after;
}

async function saveTerms(
  tx: Transaction,
  { source }: ImportJob,
  contentId: number,
  remote: Post | EpisodePage,
): Promise<string[]> {
  const notes: string[] = [];
  for (const { kind, taxonomy, ids } of [
    { kind: 'category', taxonomy: 'category', ids: 'categories' in remote ? remote.categories : [] },
    { kind: 'tag', taxonomy: 'post_tag', ids: remote.tags },
  ] as const) {
    const found = await findImported(tx, source.site, kind, ids);
    await assignTerms(
      tx,
      contentId,
      taxonomy,
      found.map(({ ownId }) => ownId),
    );
    const missing = ids.filter((id) => !found.some(({ sourceId }) => sourceId === id));
    if (missing.length > 0) notes.push(`a ${kind} was not imported: ${missing.join(', ')}`);
  }
  return notes;
}

function readMeta(remote: Readonly<Record<string, unknown>>): { meta: Record<string, string>; lost: string[] } {
  const values = Object.entries(remote).filter(([, value]) => value !== '' && value !== null);
  const texts = values.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const lost = values.filter(([, value]) => typeof value !== 'string' && !isEmpty(value));
  return { meta: Object.fromEntries(texts), lost: lost.map(([key]) => key) };
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Writes revisions that are not stored yet, oldest first. */
async function saveRevisions(
  tx: Transaction,
  job: ImportJob,
  parent: ContentRow,
  wires: readonly unknown[],
): Promise<string[]> {
  const remote = parseWire(z.array(postRevision), wires).toSorted((a, b) => a.id - b.id);
  const ids = remote.map(({ id }) => id);
  const known = new Set((await findImported(tx, job.source.site, 'revision', ids)).map(({ sourceId }) => sourceId));
  for (const revision of remote.filter(({ id }) => !known.has(id))) {
    const author = { authorId: revision.author, featuredMedia: 0, parentId: 0 };
    const { columns } = await findReferences(tx, job, author);
    const texts = await rewriteAddresses(tx, job, {
      content: revision.content.raw ?? '',
      excerpt: revision.excerpt.raw ?? '',
    });
    const meta = Object.entries(revision.meta).filter((entry): entry is [string, string] => {
      return typeof entry[1] === 'string' && entry[1] !== '';
    });
    const [added] = await tx
      .insert(content)
      .values({
        ...(await preserveId(tx, content, revision.id)),
        type: 'revision',
        status: 'inherit',
        slug: revision.slug.includes('autosave') ? autosaveSlug(parent.id) : revisionSlug(parent.id),
        parentId: parent.id,
        authorId: columns.authorId,
        title: revision.title.raw ?? revision.title.rendered,
        ...texts,
        meta: pickRevisionMeta(Object.fromEntries(meta)),
        date: toStoredTime(revision.date),
        dateGmt: toStoredTime(revision.date_gmt),
        modified: toStoredTime(revision.modified),
        modifiedGmt: toStoredTime(revision.modified_gmt),
      })
      .returning({ id: content.id });
    if (!added) throw new Error('The store did not return the revision it added.');
    const { site } = job.source;
    await saveImportedRows(tx, [{ source: site, kind: 'revision', sourceId: revision.id, ownId: added.id }]);
  }
  return [];
}
