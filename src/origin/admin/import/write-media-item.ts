import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { media, type Media } from '#contracts/core/media.ts';
import type { ImportRecord, StagedFile } from '#contracts/import.ts';
import { resolvePendingFiles, removeEntry, storeMediaFiles } from '#origin/namespaces/core/media/store-media-files.ts';
import { cleanFileName, mediaFiles, uploadPath } from '#origin/platform/media/media-files.ts';
import { prepareMedia } from '#origin/namespaces/core/media/prepare-media.ts';
import { detectUploadType } from '#origin/namespaces/core/media/plan-media.ts';
import { announceMedia } from '#origin/platform/media/regenerate-sizes.ts';
import { monthFolder } from '#origin/namespaces/core/media/upload-media.ts';
import { writeContent } from '#origin/platform/content/resources/resource.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content } from '#origin/platform/store/schema.ts';
import {
  getStagingFolder,
  type ImportJob,
  createRecordError,
  digestContent,
  parseWire,
  writeTracked,
  type Outcome,
} from './tracked-record.ts';
import { planContentRow } from './write-article.ts';

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

function writeRow(
  tx: Transaction,
  job: ImportJob,
  record: ImportRecord,
  remote: Media,
  fileColumns?: FileColumns,
): Promise<Outcome> {
  return writeTracked(tx, job, record, {
    kind: 'media',
    table: content,
    digest: digestContent,
    plan: async (before, known) => {
      if (!before && !fileColumns) throw createRecordError('import_no_file', 'was sent without its file');
      const path = sourcePath(job.source.addresses, remote);
      const planned = await planContentRow(tx, job, remote, {
        parent: remote.post ?? 0,
        texts: { content: remote.description.raw ?? '', excerpt: remote.caption.raw ?? '' },
        before,
        type: 'attachment',
      });
      if (known && known.path !== path)
        planned.notes.push(`its file was replaced at the source (${path}) and is the previous one here`);
      const values = { ...planned.values, altText: remote.alt_text, ...(!before && fileColumns) };
      return { ...planned, values, path: known?.path ?? path };
    },
    finish: async (before, after) => {
      await announceMedia(tx, before, after);
    },
  });
}
