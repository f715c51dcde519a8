import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { eq } from 'drizzle-orm';
import { media, type Media } from '#contracts/core/media.ts';
import type { ImportOutcome, ImportRecord, StagedFile } from '#contracts/import.ts';
import { resolvePendingFiles, removeEntry, storeMediaFiles } from '#origin/namespaces/core/media/store-media-files.ts';
import { cleanFileName, mediaFiles, uploadPath } from '#origin/platform/media/media-files.ts';
import { prepareMedia } from '#origin/namespaces/core/media/prepare-media.ts';
import { detectUploadType } from '#origin/namespaces/core/media/plan-media.ts';
import { announceMedia } from '#origin/platform/media/regenerate-sizes.ts';
import { monthFolder } from '#origin/namespaces/core/media/upload-media.ts';
import { findFreeSlug } from '#origin/platform/content/slugs.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content } from '#origin/platform/store/schema.ts';
import { getStagingFolder, type ImportJob, preserveId } from './import-job.ts';
import {
  digestContent,
  findImported,
  saveImportedRows,
  loadUnchanged,
  parseWire,
  createRecordError,
  toStoredTime,
} from './imported-rows.ts';
import { findReferences } from './references.ts';
import { rewriteAddresses } from './rewrite-addresses.ts';

type Outcome = Omit<ImportOutcome, 'id'>;
type FileColumns = Pick<typeof content.$inferInsert, 'guid' | 'file' | 'mimeType' | 'mediaDetails'>;

/**
 * Writes a media item: the original as received, with sizes generated here. Updates only texts and dates of an existing
 * one.
 */
export async function writeImportedMedia(job: ImportJob, record: ImportRecord): Promise<Outcome> {
  const remote = parseWire(media, record.wire);
  const { db } = job.context.store;
  if (!record.file) return writeContent(db, (tx) => writeRow(tx, job, record, remote));
  const files = mediaFiles(job.context);
  const prepared = await prepareFile(job, record.file);
  const stored = await storeMediaFiles(files, prepared.media, {
    folder: chooseFolder(job, remote),
    name: prepared.name,
  });
  const fileColumns: FileColumns = {
    guid: `${job.home}/uploads/${stored.original}`,
    file: stored.file,
    mimeType: prepared.media.mimeType,
    mediaDetails: stored.mediaDetails,
  };
  try {
    const outcome = await writeContent(db, (tx) => writeRow(tx, job, record, remote, fileColumns));
    if (outcome.outcome === 'added') await removeEntry(files, stored.original);
    else await resolvePendingFiles(db, files, stored.original);
    return outcome;
  } catch (error) {
    await resolvePendingFiles(db, files, stored.original).catch(() => undefined);
    throw error;
  }
}

async function prepareFile({ context }: ImportJob, { staged, name: originalName }: StagedFile) {
  const bytes = await readFile(join(getStagingFolder(context), staged));
  const name = await detectUploadType(bytes, cleanFileName(originalName));
  if (!name) throw createRecordError('import_file_type', `has an unsupported file type: ${originalName}`);
  return { name, media: await prepareMedia(bytes, name, { generateSizes: true, refuse: createRecordError }) };
}

/** Returns the month folder at the source, or the one of its date. */
function chooseFolder({ source }: ImportJob, remote: Media): string {
  const folder = dirname(sourcePath(source.addresses, remote));
  return /^\d{4}\/\d\d$/.test(folder) ? folder : monthFolder(remote.date ?? remote.modified);
}

/** Returns the original's path below the source's uploads folder; empty if it is elsewhere. */
function sourcePath(addresses: readonly string[], { source_url: address, media_details: details }: Media): string {
  const path = addresses.map((site) => uploadPath(address, site)).find((found) => found !== undefined);
  if (path === undefined) return '';
  const original = details['original_image'];
  return typeof original === 'string' ? `${dirname(path)}/${original}` : path;
}

async function writeRow(
  tx: Transaction,
  job: ImportJob,
  { id: sourceId, digest }: ImportRecord,
  remote: Media,
  fileColumns?: FileColumns,
): Promise<Outcome> {
  const { source } = job;
  const [known] = await findImported(tx, source.site, 'media', [sourceId]);
  if (known?.digest === digest) return { outcome: 'unchanged' };
  const found = known && (await loadUnchanged(tx, known));
  if (found && 'note' in found) return { outcome: 'kept', note: found.note };
  if (!found && !fileColumns) throw createRecordError('import_no_file', 'was sent without its file');
  const { row, waiting } = await planRow(tx, job, remote, found?.row);
  const after = found ? await changeRow(tx, found.row.id, row) : await addRow(tx, sourceId, { ...row, ...fileColumns });
  const path = sourcePath(source.addresses, remote);
  const ownDigest = await digestContent(tx, after);
  await saveImportedRows(tx, [
    {
      source: source.site,
      kind: 'media',
      sourceId,
      ownId: after.id,
      digest,
      ownDigest,
      waiting,
      path: known?.path ?? path,
    },
  ]);
  await announceMedia(tx, found?.row, after);
  const isReplaced = known !== undefined && known.path !== path;
  return {
    outcome: found ? 'updated' : 'added',
    ...(isReplaced && { note: `its file was replaced at the source (${path}) and is the previous one here` }),
    ...(row.slug !== remote.slug && { note: `its slug "${remote.slug}" was taken; it is "${row.slug}" here` }),
  };
}

async function planRow(tx: Transaction, job: ImportJob, remote: Media, before: ContentRow | undefined) {
  const references = {
    authorId: remote.author,
    featuredMedia: remote.featured_media ?? 0,
    parentId: remote.post ?? 0,
  };
  const { columns, waiting } = await findReferences(tx, job, references, before?.id);
  const texts = await rewriteAddresses(tx, job, {
    content: remote.description.raw ?? '',
    excerpt: remote.caption.raw ?? '',
  });
  const owner = { id: before?.id, type: 'attachment', parentId: columns.parentId, slug: remote.slug } as const;
  const meta = Object.entries(remote.meta).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  const row = {
    type: 'attachment' as const,
    status: remote.status,
    slug: remote.slug === '' ? '' : await findFreeSlug(tx, remote.slug, owner),
    title: remote.title.raw ?? remote.title.rendered,
    ...texts,
    ...columns,
    date: toStoredTime(remote.date ?? remote.modified),
    dateGmt: toStoredTime(remote.date_gmt ?? remote.modified_gmt),
    modified: toStoredTime(remote.modified),
    modifiedGmt: toStoredTime(remote.modified_gmt),
    commentStatus: remote.comment_status,
    pingStatus: remote.ping_status,
    template: remote.template,
    altText: remote.alt_text,
    meta: Object.fromEntries(meta),
  };
  return { row, waiting };
}

async function addRow(tx: Transaction, id: number, row: typeof content.$inferInsert): Promise<ContentRow> {
  const [added] = await tx
    .insert(content)
    .values({ ...(await preserveId(tx, content, id)), ...row })
    .returning();
  if (!added) throw new Error('The store did not return the row it added.');
  return added;
}

async function changeRow(tx: Transaction, id: number, row: Partial<typeof content.$inferInsert>): Promise<ContentRow> {
  const [after] = await tx.update(content).set(row).where(eq(content.id, id)).returning();
  if (!after) throw new Error('The store did not return the row it changed.');
  return after;
}
