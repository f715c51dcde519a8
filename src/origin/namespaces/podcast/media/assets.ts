import { asc, inArray } from 'drizzle-orm';
import { FILE_TYPES, mediaFileAddress, mediaFileName, type FileType } from '#contracts/podcast/index.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import type { Database } from '#origin/platform/store/store.ts';
import type { PodcastRecord } from '../podcast-record.ts';
import { podcastAsset, podcastMediaFile } from '../tables.ts';

/** Uploads folder of episode files. */
export const EPISODE_FILES_FOLDER = 'podcast';

export type MediaFileRow = typeof podcastMediaFile.$inferSelect;

/** File format of episodes. An episode has at most one file per asset. */
export type Asset = Omit<typeof podcastAsset.$inferSelect, 'fileType'> & { type: FileType };

/** Name and location of an asset's file. */
export interface MediaFileLocation {
  name: string;
  /** Public address. */
  address: string;
  /** Path below the uploads folder; undefined for files on other hosts. */
  path: string | undefined;
}

/** Loads the podcast's assets in order. */
export async function loadAssets(db: Database): Promise<Asset[]> {
  const rows = await db.select().from(podcastAsset).orderBy(asc(podcastAsset.position), asc(podcastAsset.id));
  return rows.flatMap(({ fileType, ...row }) => {
    const type = FILE_TYPES.find(({ extension }) => extension === fileType);
    return type ? [{ ...row, type }] : [];
  });
}

/** Loads files by episode ID, in one statement. */
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

/** Returns name and location of an asset's file; undefined if the episode has no slug. */
export function locateMediaFile(
  { addresses }: Pick<AnyCall, 'addresses'>,
  { media_base: base }: Pick<PodcastRecord, 'media_base'>,
  slug: string | null,
  asset: Asset,
): MediaFileLocation | undefined {
  if (!slug) return undefined;
  const name = mediaFileName(slug, { suffix: asset.suffix, extension: asset.type.extension });
  const siteBase = `${addresses.site}/uploads/${EPISODE_FILES_FOLDER}/`;
  return {
    name,
    address: mediaFileAddress(base ?? siteBase, name),
    path: base === null ? `${EPISODE_FILES_FOLDER}/${name}` : undefined,
  };
}
