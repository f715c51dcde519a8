import { asc, inArray } from 'drizzle-orm';
import { FILE_TYPES, mediaFileAddress, mediaFileName, type FileType } from '#contracts/podcast/index.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import type { Database } from '#origin/platform/store/index.ts';
import type { PodcastRecord } from '../record.ts';
import { podcastAsset, podcastMediaFile } from '../tables.ts';

/** Folder of uploads that belong to episodes; files of episodes are looked for there. */
export const EPISODE_FILES_FOLDER = 'podcast';

export type MediaFileRow = typeof podcastMediaFile.$inferSelect;

/** A kind of file that every episode may have one of. */
export type Asset = Omit<typeof podcastAsset.$inferSelect, 'fileType'> & { type: FileType };

/** Name and place of the file of an asset. */
export interface PlacedFile {
  name: string;
  /** Public address. */
  address: string;
  /** Path below the uploads folder, for files stored here. */
  path: string | undefined;
}

/** The assets of the podcast in their order. */
export async function loadAssets(db: Database): Promise<Asset[]> {
  const rows = await db.select().from(podcastAsset).orderBy(asc(podcastAsset.position), asc(podcastAsset.id));
  return rows.flatMap(({ fileType, ...row }) => {
    const type = FILE_TYPES.find(({ extension }) => extension === fileType);
    return type ? [{ ...row, type }] : [];
  });
}

/** The files of episodes, by the id of the episode: one statement. */
export async function loadMediaFiles(
  db: Database,
  episodeIds: readonly number[],
): Promise<ReadonlyMap<number, MediaFileRow[]>> {
  if (episodeIds.length === 0) return new Map();
  const rows = await db
    .select()
    .from(podcastMediaFile)
    .where(inArray(podcastMediaFile.episodeId, [...episodeIds]));
  return Map.groupBy(rows, ({ episodeId }) => episodeId);
}

/** The file of an asset by the slug of its episode; without a slug it has no name. */
export function placeFile(
  { addresses }: Pick<AnyCall, 'addresses'>,
  { media_base: base }: Pick<PodcastRecord, 'media_base'>,
  slug: string | null,
  asset: Asset,
): PlacedFile | undefined {
  if (!slug) return undefined;
  const name = mediaFileName(slug, { suffix: asset.suffix, extension: asset.type.extension });
  const own = `${addresses.site}/uploads/${EPISODE_FILES_FOLDER}/`;
  return {
    name,
    address: mediaFileAddress(base ?? own, name),
    path: base === null ? `${EPISODE_FILES_FOLDER}/${name}` : undefined,
  };
}
