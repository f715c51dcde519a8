import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { page, post, type Page, type Post, postRevision } from '#contracts/core/post.ts';
import { type Media, media } from '#contracts/core/media.ts';
import { EPISODE_PAGE_TYPE, type EpisodePage } from '#contracts/podcast/episode-routes.ts';
import type { ImportRecord } from '#contracts/import.ts';
import { getContentUrl, loadAncestors } from '#origin/platform/content/content-url.ts';
import { findFreeSlug } from '#origin/platform/content/slugs.ts';
import { writeContent } from '#origin/platform/content/resources/resource.ts';
import {
  autosaveSlug,
  pickRevisionMeta,
  revisionSlug,
  assignTerms,
  announceContent,
} from '#origin/platform/content/writing/write-content.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content } from '#origin/platform/store/schema.ts';
import {
  type ImportJob,
  digestContent,
  findImported,
  findUploadPath,
  relocate,
  parseWire,
  planDates,
  saveImportedRow,
  writeRow,
  writeTracked,
  type Outcome,
  getStagingFolder,
  createRecordError,
} from './tracked-record.ts';
import { findFirstAdministrator, findReferences, rewriteAddresses } from './references.ts';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { resolvePendingFiles, removeEntry, storeMediaFiles } from '#origin/namespaces/core/media/store-media-files.ts';
import { cleanFileName } from '#origin/platform/media/media-files.ts';
import { prepareMedia } from '#origin/namespaces/core/media/prepare-media.ts';
import { detectUploadType } from '#origin/namespaces/core/media/plan-media.ts';
import { announceMedia } from '#origin/platform/media/regenerate-sizes.ts';
import { monthFolder } from '#origin/namespaces/core/media/upload-media.ts';

const TRASHED = '__trashed';

export function createArticleWriter(type: 'post' | 'page') {
  const contract = type === 'post' ? post : page;
  return (job: ImportJob, record: ImportRecord): Promise<Outcome> => {
    const remote: Post | Page = parseWire(contract, record.wire);
    return writeContent(job.context.store.db, (tx) => writeArticle(tx, job, record, type, remote));
  };
}

/** Writes an article and, by `also`, related data, unless it is unchanged or was edited here. */
export function writeArticle(
  tx: Transaction,
  job: ImportJob,
  record: ImportRecord,
  kind: 'post' | 'page' | 'episode',
  remote: Post | Page | EpisodePage,
  also?: (row: ContentRow) => Promise<string[]>,
): Promise<Outcome> {
  return writeTracked(tx, job, record, {
    kind,
    table: content,
    digest: digestContent,
    plan: (before) =>
      planContentRow(tx, job, remote, {
        parent: 0,
        ...remote,
        texts: { content: remote.content.raw ?? '', excerpt: ('excerpt' in remote && remote.excerpt.raw) || '' },
        before,
        type: kind === 'episode' ? EPISODE_PAGE_TYPE : kind,
      }),
    finish: async (before, row) => {
      const after = before ? row : await setGuid(tx, job, remote, row);
      const notes = 'tags' in remote ? await saveTerms(tx, job, after.id, remote) : [];
      notes.push(...((await also?.(after)) ?? []));
      await saveRevisions(tx, job, after, record.revisions ?? []);
      await announceContent(tx, before, after);
      return notes;
    },
  });
}

interface SomeFields {
  parent: number;
  texts: { content: string; excerpt: string };
  menu_order?: number;
  password?: string | undefined;
  format?: string;
  sticky?: boolean;
}

async function planContentRow(
  tx: Transaction,
  job: ImportJob,
  remote: Post | Page | EpisodePage | Media,
  { before, type, ...fields }: SomeFields & { before: ContentRow | undefined; type: ContentRow['type'] },
) {
  const { columns, waiting } = await findReferences(
    tx,
    job.source.site,
    { authorId: remote.author, featuredMedia: remote.featured_media ?? 0, parentId: fields.parent },
    before?.id,
  );
  const parentId = columns.parentId ?? 0;
  const isTrash = remote.status === 'trash';
  const owner = { id: before?.id, type, parentId, slug: remote.slug };
  const slug = remote.slug === '' ? '' : await findFreeSlug(tx, remote.slug, owner);
  const { meta, lost } = readMeta(remote.meta);
  const notes = [
    ...(slug === remote.slug ? [] : [`its slug "${remote.slug}" was taken; it is "${slug}" here`]),
    ...(lost.length === 0 ? [] : [`meta values that are not text were skipped: ${lost.join(', ')}`]),
  ];
  // The interface doesn't say whether a draft's date floats. A floating date equals the date of the last save.
  const floats = ['draft', 'pending', 'auto-draft'].includes(remote.status) && remote.date === remote.modified;
  const values = {
    type,
    status: remote.status,
    slug,
    title: remote.title.raw ?? remote.title.rendered,
    ...(await rewriteAddresses(tx, job, fields.texts)),
    authorId: columns.authorId ?? (await findFirstAdministrator(tx)),
    featuredMedia: columns.featuredMedia ?? 0,
    parentId,
    password: fields.password ?? '',
    menuOrder: fields.menu_order ?? 0,
    ...planDates(remote),
    ...(floats && { dateGmt: null }),
    commentStatus: remote.comment_status,
    pingStatus: remote.ping_status,
    format: fields.format === 'standard' ? '' : (fields.format ?? ''),
    template: remote.template,
    sticky: fields.sticky ?? false,
    meta,
    // The interface doesn't report the status before the trash either.
    statusBeforeTrash: isTrash && type !== 'attachment' ? 'draft' : '',
    slugBeforeTrash: isTrash && remote.slug.endsWith(TRASHED) ? remote.slug.slice(0, -TRASHED.length) : '',
  };
  return { values, waiting, notes };
}

/** Preserves the source's GUID. Its address becomes a local one. */
async function setGuid(tx: Transaction, job: ImportJob, remote: Pick<Post, 'guid'>, row: ContentRow) {
  const sourceGuid = remote.guid.raw ?? remote.guid.rendered;
  const guid =
    sourceGuid === ''
      ? getContentUrl(row, { site: job.home, kinds: job.context.kinds }, await loadAncestors(tx, [row]))
      : relocate(job, sourceGuid);
  await tx.update(content).set({ guid }).where(eq(content.id, row.id));
  return { ...row, guid };
}

async function saveTerms(tx: Transaction, { source }: ImportJob, contentId: number, remote: Post | EpisodePage) {
  const notes: string[] = [];
  for (const { kind, taxonomy, ids } of [
    { kind: 'category', taxonomy: 'category', ids: 'categories' in remote ? remote.categories : [] },
    { kind: 'tag', taxonomy: 'post_tag', ids: remote.tags },
  ] as const) {
    const found = new Map((await findImported(tx, source.site, kind, ids)).map((row) => [row.sourceId, row.ownId]));
    await assignTerms(tx, contentId, taxonomy, [...found.values()]);
    const missing = ids.filter((id) => !found.has(id));
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
async function saveRevisions(tx: Transaction, job: ImportJob, parent: ContentRow, wires: readonly unknown[]) {
  const remote = parseWire(z.array(postRevision), wires).toSorted((a, b) => a.id - b.id);
  const ids = remote.map(({ id }) => id);
  const known = new Set((await findImported(tx, job.source.site, 'revision', ids)).map(({ sourceId }) => sourceId));
  for (const revision of remote.filter(({ id }) => !known.has(id))) {
    const { columns } = await findReferences(tx, job.source.site, { authorId: revision.author });
    const texts = await rewriteAddresses(tx, job, {
      content: revision.content.raw ?? '',
      excerpt: revision.excerpt.raw ?? '',
    });
    const values = {
      type: 'revision' as const,
      status: 'inherit',
      slug: revision.slug.includes('autosave') ? autosaveSlug(parent.id) : revisionSlug(parent.id),
      parentId: parent.id,
      authorId: columns.authorId ?? (await findFirstAdministrator(tx)),
      title: revision.title.raw ?? revision.title.rendered,
      ...texts,
      meta: pickRevisionMeta(readMeta(revision.meta).meta),
      ...planDates(revision),
    };
    const added = await writeRow(tx, content, { sourceId: revision.id }, values);
    const { site } = job.source;
    await saveImportedRow(tx, { source: site, kind: 'revision', sourceId: revision.id, ownId: added.id });
  }
}

type FileColumns = Pick<typeof content.$inferInsert, 'guid' | 'file' | 'mimeType' | 'mediaDetails'>;

/**
 * Writes a media item: the original as received, with sizes generated here. Updates only texts and dates of an existing
 * one.
 */
export async function writeImportedMedia(job: ImportJob, record: ImportRecord): Promise<Outcome> {
  const remote = parseWire(media, record.wire);
  const { db } = job.context.store;
  if (!record.file) return writeContent(db, (tx) => writeMediaRow(tx, job, record, remote));
  const files = job.context.files.uploads;
  const bytes = await readFile(join(getStagingFolder(job.context), record.file.staged));
  const name = await detectUploadType(bytes, cleanFileName(record.file.name));
  if (!name) throw createRecordError('import_file_type', `has an unsupported file type: ${record.file.name}`);
  const prepared = await prepareMedia(bytes, name, { generateSizes: true, refuse: createRecordError });
  // The month folder at the source, or the one of its date.
  const sourceFolder = dirname(sourcePath(job, remote));
  const folder = /^\d{4}\/\d\d$/.test(sourceFolder) ? sourceFolder : monthFolder(remote.date ?? remote.modified);
  const { original, file, mediaDetails } = await storeMediaFiles(files, prepared, { folder, name });
  const guid = `${job.home}/uploads/${original}`;
  const fileColumns = { guid, file, mimeType: prepared.mimeType, mediaDetails };
  try {
    const outcome = await writeContent(db, (tx) => writeMediaRow(tx, job, record, remote, fileColumns));
    if (outcome.outcome === 'added') await removeEntry(files, original);
    else await resolvePendingFiles(db, files, original);
    return outcome;
  } catch (error) {
    await resolvePendingFiles(db, files, original).catch(() => undefined);
    throw error;
  }
}

/** Returns the original's path below the source's uploads folder; empty if it is elsewhere. */
function sourcePath(job: ImportJob, { source_url: address, media_details: details }: Media): string {
  const path = findUploadPath(job, address);
  const original = details['original_image'];
  return path !== '' && typeof original === 'string' ? `${dirname(path)}/${original}` : path;
}

function writeMediaRow(
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
      const path = sourcePath(job, remote);
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
