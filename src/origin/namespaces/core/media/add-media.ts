import { eq } from 'drizzle-orm';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { findFreeSlug } from '#origin/platform/content/find-free-slug.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import type { FileName } from './clean-file-name.ts';
import { resolveFiles, settleFiles } from './file-journal.ts';
import { mediaFiles } from './media-files.ts';
import { placeFiles, type PlacedMedia } from './place-files.ts';
import { planMedia, type PlanErrors, type MediaDefaults } from './plan-media.ts';
import type { PreparedMedia } from './prepare-media.ts';
import { tellMediaReaders } from './tell-media-readers.ts';
import type { WrittenMedia } from './upload-call.ts';

export interface NewMedia {
  prepared: PreparedMedia;
  /** Below the uploads folder. */
  folder: string;
  name: FileName;
  sent: WrittenMedia;
  /** Told how its file is called, of which it may make the title. */
  defaults(placed: PlacedMedia): MediaDefaults;
  /** More to keep in `media_details`. */
  more?: Record<string, unknown>;
}

/** Writes the files of a new medium, then its row: there is never a row without files, and files without a row go. */
export async function addMedia(call: AnyCall<PlanErrors>, medium: NewMedia): Promise<ContentRow> {
  const { context, caller, addresses } = call;
  const { db } = context.store;
  const files = mediaFiles(context);
  const site = await loadSite(call);
  const placed = await placeFiles(files, medium.prepared, medium);
  const scope = { caller, site, publicUrl: addresses.site, now: new Date(), refuse: call.refuse };
  let row: ContentRow;
  try {
    row = await writeContent(db, async (tx) => {
      const planned = await planMedia(tx, medium.sent, undefined, scope, medium.defaults(placed));
      const guid = `${site.url ?? addresses.site}/uploads/${placed.original}`;
      const about = {
        guid,
        file: placed.file,
        mimeType: medium.prepared.mimeType,
        mediaDetails: { ...placed.mediaDetails, ...medium.more },
      };
      const [added] = await tx
        .insert(content)
        .values({ ...planned, ...about })
        .returning();
      if (!added) throw new Error('The store did not return the row it added.');
      const named = added.slug === '' ? await nameById(added) : added;
      await tellMediaReaders(tx, undefined, named);
      return named;

      async function nameById(unnamed: ContentRow): Promise<ContentRow> {
        const owner = { id: unnamed.id, type: 'attachment', parentId: unnamed.parentId, slug: undefined } as const;
        const slug = await findFreeSlug(tx, String(unnamed.id), owner);
        await tx.update(content).set({ slug }).where(eq(content.id, unnamed.id));
        return { ...unnamed, slug };
      }
    });
  } catch (error) {
    // Whether a commit that broke off happened is for the store to say; until it can, the files stay listed.
    await resolveFiles(db, files, placed.original).catch(() => undefined);
    throw error;
  }
  await settleFiles(files, placed.original);
  return row;
}
