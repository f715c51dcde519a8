import { eq } from 'drizzle-orm';
import pLimit from 'p-limit';
import type { createMedia as declaration } from '#contracts/core/routes.ts';
import { findFreeSlug } from '#origin/platform/content/slugs.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { presentWritten } from '#origin/platform/content/writing/present-written.ts';
import { created, type ResultOf, type AnyCall } from '#origin/platform/http/transport/index.ts';
import { CONTENT_KINDS, type ContentRow } from '#origin/platform/registry/content-kind.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { toSiteTime } from '#contracts/site-clock.ts';
import { content } from '#origin/platform/store/schema.ts';
import { resolvePendingFiles, removeEntry } from './file-journal.ts';
import { cleanFileName, type FileName, mediaFiles } from '#origin/platform/media/media-files.ts';
import { authorizeParent } from './authorize-media.ts';
import { storeMediaFiles, type StoredMedia } from './store-media-files.ts';
import { planMedia, type MediaErrorCode, type MediaDefaults } from './plan-media.ts';
import { prepareMedia, type PreparedMedia } from './prepare-media.ts';
import { presentMedia } from '#origin/platform/media/present-media.ts';
import { readUpload, createUploadError, type Upload } from './read-upload.ts';
import { detectUploadType } from './detect-upload-type.ts';
import { announceMedia } from '#origin/platform/media/update-media-details.ts';
import type { UploadCall, MediaInput } from './media-calls.ts';

const kind = CONTENT_KINDS.attachment;

/** Limits the number of files in memory. Others wait on disk. */
const inMemory = pLimit(2);

/** Stores an uploaded file and its sizes, and returns the media item in the edit context. */
export async function createMedia(call: UploadCall): Promise<ResultOf<typeof declaration>> {
  const upload = await readUpload(call);
  try {
    return await inMemory(() => storeUpload(call, upload));
  } finally {
    await upload.close();
  }
}

async function storeUpload(
  call: UploadCall,
  { read, name, title, fields, refusal }: Upload,
): Promise<ResultOf<typeof declaration>> {
  const { addresses } = call;
  const bytes = await read();
  await authorizeParent(call, fields.post);
  const file = await detectUploadType(bytes, cleanFileName(name));
  if (!file) throw createUploadError(call, refusal, 'Files of this type cannot be uploaded.');
  if (fields.featured_media && file.mimeType.startsWith('image/'))
    throw call.refuse('rest_no_featured_media', 'Images cannot have a featured image.');
  const prepared = await prepareMedia(bytes, file, { generateSizes: fields.generate_sub_sizes, refuse: call.refuse });
  const row = await insertMedia(call, {
    prepared,
    folder: await findFolder(call, fields.post),
    name: file,
    sent: fields,
    defaults: ({ base }) => ({
      title: prepared.title || (title ?? base),
      caption: prepared.caption,
      description: '',
      altText: '',
    }),
  });
  return created(await presentWritten(call, kind, row, presentMedia), addresses.rest(`${kind.base}/${row.id}`));
}

/** Returns the upload folder of the parent's kind, else the month of the parent post, else the current month. */
async function findFolder(call: UploadCall, post: number | undefined): Promise<string> {
  const { timezone } = await loadSite(call);
  const now = toSiteTime(new Date(), timezone);
  const { db } = call.context.store;
  const [parent] = post
    ? await db.select({ type: content.type, date: content.date }).from(content).where(eq(content.id, post)).limit(1)
    : [];
  const { uploadFolder } = (parent && call.context.kinds.get(parent.type)) ?? {};
  return uploadFolder ?? monthFolder(parent && parent.type !== 'page' ? parent.date : now);
}

/** Formats the month of a site time as `2026/11`. */
export function monthFolder(siteTime: string): string {
  return siteTime.slice(0, 7).replace('-', '/');
}

interface NewMedia {
  prepared: PreparedMedia;
  /** Path relative to the uploads folder. */
  folder: string;
  name: FileName;
  sent: MediaInput;
  /** Derives the default texts, for example the title from the file name. */
  defaults(stored: StoredMedia): MediaDefaults;
  /** Additional fields of `media_details`. */
  details?: Record<string, unknown>;
}

/** Writes the files of a media item, then its row. If the row fails, the files are removed. */
export async function insertMedia(call: AnyCall<MediaErrorCode>, mediaItem: NewMedia): Promise<ContentRow> {
  const { context, caller, addresses } = call;
  const { db } = context.store;
  const files = mediaFiles(context);
  const site = await loadSite(call);
  const stored = await storeMediaFiles(files, mediaItem.prepared, mediaItem);
  const { kinds } = context;
  const scope = { caller, site, kinds, publicUrl: addresses.site, refuse: call.refuse };
  let row: ContentRow;
  try {
    row = await writeContent(db, async (tx, now) => {
      const planned = await planMedia(tx, mediaItem.sent, undefined, { ...scope, now }, mediaItem.defaults(stored));
      const guid = `${site.url ?? addresses.site}/uploads/${stored.original}`;
      const fileColumns = {
        guid,
        file: stored.file,
        mimeType: mediaItem.prepared.mimeType,
        mediaDetails: { ...stored.mediaDetails, ...mediaItem.details },
      };
      const [added] = await tx
        .insert(content)
        .values({ ...planned, ...fileColumns })
        .returning();
      if (!added) throw new Error('The store did not return the row it added.');
      const slugged = added.slug === '' ? await assignIdSlug(added) : added;
      await announceMedia(tx, undefined, slugged);
      return slugged;

      async function assignIdSlug(unslugged: ContentRow): Promise<ContentRow> {
        const owner = { id: unslugged.id, type: 'attachment', parentId: unslugged.parentId, slug: undefined } as const;
        const slug = await findFreeSlug(tx, String(unslugged.id), owner);
        await tx.update(content).set({ slug }).where(eq(content.id, unslugged.id));
        return { ...unslugged, slug };
      }
    });
  } catch (error) {
    // The commit may have succeeded despite the error. The journal entry stays until the store can tell.
    await resolvePendingFiles(db, files, stored.original).catch(() => undefined);
    throw error;
  }
  await removeEntry(files, stored.original);
  return row;
}
