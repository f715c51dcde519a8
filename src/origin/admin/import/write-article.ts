import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { page, post, type Page, type Post, postRevision } from '#contracts/core/post.ts';
import type { Media } from '#contracts/core/media.ts';
import type { EpisodePage } from '#contracts/podcast/episode-routes.ts';
import type { ImportRecord } from '#contracts/import.ts';
import { getContentUrl, loadAncestors } from '#origin/platform/content/content-url.ts';
import { findFreeSlug } from '#origin/platform/content/slugs.ts';
import { writeContent, autosaveSlug, pickRevisionMeta, revisionSlug } from '#origin/platform/content/write-content.ts';
import { assignTerms, announceContent } from '#origin/platform/content/writing/create-content.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { replaceSiteUrl } from '#origin/platform/site/load-site.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content } from '#origin/platform/store/schema.ts';
import {
  type ImportJob,
  digestContent,
  findImported,
  parseWire,
  planDates,
  saveImportedRows,
  writeRow,
  writeTracked,
  type Outcome,
} from './tracked-record.ts';
import { findFirstAdministrator, findReferences } from './references.ts';
import { rewriteAddresses } from './rewrite-addresses.ts';

const TRASHED = '__trashed';

/** Writes a post or a page with its terms and revisions. */
export function createArticleWriter(type: 'post' | 'page') {
  const contract = type === 'post' ? post : page;
  return (job: ImportJob, record: ImportRecord): Promise<Outcome> => {
    const remote: Post | Page = parseWire(contract, record.wire);
    return writeContent(job.context.store.db, (tx) => writeArticle(tx, job, record, { kind: type, type, remote }));
  };
}

/** An article as the source returns it. */
interface RemoteArticle {
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
export function writeArticle(
  tx: Transaction,
  job: ImportJob,
  record: ImportRecord,
  { kind, type, remote }: RemoteArticle,
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
        type,
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

/** Fields that only some kinds of content have. */
interface SomeFields {
  parent: number;
  texts: { content: string; excerpt: string };
  menu_order?: number;
  password?: string | undefined;
  format?: string;
  sticky?: boolean;
}

/** Plans the columns of an article or a media item. */
export async function planContentRow(
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
async function setGuid(
  tx: Transaction,
  job: ImportJob,
  remote: RemoteArticle['remote'],
  row: ContentRow,
): Promise<ContentRow> {
  const sourceGuid = remote.guid.raw ?? remote.guid.rendered;
  const guid =
    sourceGuid === ''
      ? getContentUrl(row, { site: job.home, kinds: job.context.kinds }, await loadAncestors(tx, [row]))
      : job.source.addresses.reduce((moving, from) => replaceSiteUrl(moving, from, job.home), sourceGuid);
  await tx.update(content).set({ guid }).where(eq(content.id, row.id));
  return { ...row, guid };
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
): Promise<void> {
  const remote = parseWire(z.array(postRevision), wires).toSorted((a, b) => a.id - b.id);
  const ids = remote.map(({ id }) => id);
  const known = new Set((await findImported(tx, job.source.site, 'revision', ids)).map(({ sourceId }) => sourceId));
  for (const revision of remote.filter(({ id }) => !known.has(id))) {
    const { columns } = await findReferences(tx, job.source.site, { authorId: revision.author });
    const texts = await rewriteAddresses(tx, job, {
      content: revision.content.raw ?? '',
      excerpt: revision.excerpt.raw ?? '',
    });
    const added = await writeRow(
      tx,
      content,
      { sourceId: revision.id },
      {
        type: 'revision',
        status: 'inherit',
        slug: revision.slug.includes('autosave') ? autosaveSlug(parent.id) : revisionSlug(parent.id),
        parentId: parent.id,
        authorId: columns.authorId ?? (await findFirstAdministrator(tx)),
        title: revision.title.raw ?? revision.title.rendered,
        ...texts,
        meta: pickRevisionMeta(readMeta(revision.meta).meta),
        ...planDates(revision),
      },
    );
    const { site } = job.source;
    await saveImportedRows(tx, [{ source: site, kind: 'revision', sourceId: revision.id, ownId: added.id }]);
  }
}
