import {
  publicFileAddress,
  type FileSource,
  FILE_TYPES,
  mediaFileAddress,
  mediaFileName,
  type FileType,
} from '#contracts/podcast/media-names.ts';
import type { EpisodeFile } from '#contracts/podcast/episode.ts';
import type { AnyCall } from '#origin/platform/http/transport/call.ts';
import { loadPodcastRecord, type PodcastRecord } from '../podcast-record.ts';
import { asc, inArray } from 'drizzle-orm';
import type { Database } from '#origin/platform/store/store.ts';
import { podcastAsset, podcastMediaFile } from '../tables.ts';

export interface EnabledFile {
  asset: Asset;
  file: MediaFileRow;
  place: MediaFileLocation;
}

interface WithFiles {
  id: number;
  slug: string | null;
}

/** Loads the enabled files by episode ID, in the order of their assets. */
export async function loadEnabledFiles(
  call: Pick<AnyCall, 'addresses' | 'context' | 'requestMemo'>,
  episodes: readonly WithFiles[],
): Promise<ReadonlyMap<number, EnabledFile[]>> {
  const { db } = call.context.store;
  const record = await loadPodcastRecord(call);
  const assets = await call.requestMemo.once('podcast assets', () => loadAssets(db));
  const files = await loadMediaFiles(
    db,
    episodes.map(({ id }) => id),
  );
  const offered = episodes.map(({ id, slug }): [number, EnabledFile[]] => [
    id,
    assets.flatMap((asset) => {
      const file = files.get(id)?.find(({ assetId, active }) => active && assetId === asset.id);
      const location = locateMediaFile(call, record, slug, asset);
      return file && location ? [{ asset, file, place: location }] : [];
    }),
  ]);
  return new Map(offered);
}

/** Returns the public address of a file; with tracking enabled, the one that counts downloads. */
export function publicMediaAddress(
  { addresses }: Pick<AnyCall, 'addresses'>,
  { tracking }: Pick<PodcastRecord, 'tracking'>,
  { file, place: location }: Pick<EnabledFile, 'file' | 'place'>,
  { source, context }: { source: FileSource; context?: string },
): string {
  const target = { siteUrl: addresses.site, address: location.address, fileName: location.name };
  return publicFileAddress(tracking, target, { id: file.id, source, context });
}

/** Loads the playable and the downloadable files of an episode. */
export async function loadEpisodeFiles(
  call: AnyCall,
  episode: WithFiles,
): Promise<{ audio: EpisodeFile[]; files: EpisodeFile[] }> {
  const record = await loadPodcastRecord(call);
  const offered = (await loadEnabledFiles(call, [episode])).get(episode.id) ?? [];
  const describe = (one: EnabledFile, title: string, context?: string): EpisodeFile => ({
    url: publicMediaAddress(call, record, one, { source: 'webplayer', ...(context === undefined ? {} : { context }) }),
    size: one.file.size,
    title,
    mimeType: one.asset.type.mimeType,
  });
  return {
    audio: choosePlayable(offered).map((one) =>
      describe(one, `${one.asset.title} (${one.asset.type.extension})`, 'website'),
    ),
    files: offered.filter(({ asset }) => asset.downloadable).map((one) => describe(one, one.asset.title)),
  };
}

/** Player slots by file extension. The first asset of a slot fills it. */
const SLOTS: Readonly<Record<string, string>> = {
  mp3: 'audio mp3',
  m4a: 'audio mp4',
  aac: 'audio mp4',
  ogg: 'audio ogg',
  oga: 'audio ogg',
  opus: 'audio opus',
  mp4: 'video mp4',
  m4v: 'video mp4',
  ogv: 'video ogg',
  webm: 'video webm',
};

/** Extensions in the order browsers should try them. Others come last. */
const PREFERRED = ['mp4', 'aac', 'opus', 'ogg'];

/** Chooses one file per slot. Video replaces audio, if there is any. */
function choosePlayable(offered: readonly EnabledFile[]): EnabledFile[] {
  const slots = new Map<string, EnabledFile>();
  for (const one of offered) {
    const slot = SLOTS[one.asset.type.extension];
    if (slot !== undefined && one.file.size > 0 && !slots.has(slot)) slots.set(slot, one);
  }
  const videos = [...slots].filter(([slot]) => slot.startsWith('video'));
  return (videos.length > 0 ? videos : [...slots])
    .map(([, one]) => one)
    .toSorted((a, b) => preference(a.asset) - preference(b.asset));
}

function preference({ type }: Asset): number {
  const index = PREFERRED.findIndex((extension) => type.mimeType.includes(extension));
  return index < 0 ? PREFERRED.length : index;
}

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
