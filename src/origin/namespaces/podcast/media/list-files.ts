import {
  publicFileAddress,
  type FileSource,
  FILE_TYPES,
  mediaFileAddress,
  mediaFileName,
  type FileType,
} from '#contracts/podcast/media-names.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { AnyCall } from '#origin/platform/http/transport/call.ts';
import { loadPodcastRecord, type PodcastRecord } from '../podcast-record.ts';
import { asc, inArray } from 'drizzle-orm';
import type { Database } from '#origin/platform/store/store.ts';
import { podcastAsset, podcastMediaFile } from '../tables.ts';

/** The file of an asset: its row, and its location unless the episode has no slug. */
type AssetFile = Awaited<ReturnType<typeof loadFiles>>[number];

export type EnabledFile = { [K in keyof AssetFile]: NonNullable<AssetFile[K]> };

interface WithFiles {
  id: number;
  slug: string | null;
}

/** Loads the files of episodes by episode ID, one for each asset, in the order of the assets. */
export async function loadAllFiles(call: Pick<AnyCall, 'context' | 'requestMemo'>, episodes: readonly WithFiles[]) {
  const { db } = call.context.store;
  const record = await loadPodcastRecord(call);
  const assets = await call.requestMemo.once('podcast assets', () => loadAssets(db));
  const ids = episodes.map(({ id }) => id);
  const rows = await db.select().from(podcastMediaFile).where(inArray(podcastMediaFile.episodeId, ids));
  const files = Map.groupBy(rows, ({ episodeId }) => episodeId);
  const filesOf = ({ id, slug }: WithFiles) =>
    assets.map((asset) => ({
      asset,
      file: files.get(id)?.find(({ assetId }) => assetId === asset.id),
      place: locateMediaFile(call.context, record, slug, asset),
    }));
  return new Map(episodes.map((episode) => [episode.id, filesOf(episode)]));
}

/** Loads the files of an episode, one for each asset. */
export async function loadFiles(call: Pick<AnyCall, 'context' | 'requestMemo'>, episode: WithFiles) {
  return (await loadAllFiles(call, [episode])).get(episode.id) ?? [];
}

export function isEnabled(one: AssetFile): one is EnabledFile {
  return one.file?.active === true && one.place !== undefined;
}

/** Returns the public address of a file; with tracking enabled, the one that counts downloads. */
export function publicMediaAddress(
  { publicUrl: siteUrl }: Pick<OriginContext, 'publicUrl'>,
  { tracking }: Pick<PodcastRecord, 'tracking'>,
  { file, place: { address, name: fileName } }: Pick<EnabledFile, 'file' | 'place'>,
  { source, context }: { source: FileSource; context: string | undefined },
): string {
  return publicFileAddress(tracking, { siteUrl, address, fileName }, { id: file.id, source, context });
}

/** Loads the playable and the downloadable files of an episode. */
export async function loadEpisodeFiles(call: AnyCall, episode: WithFiles) {
  const record = await loadPodcastRecord(call);
  const offered = (await loadFiles(call, episode)).filter(isEnabled);
  const describe = (one: EnabledFile, title: string, context?: string) => ({
    url: publicMediaAddress(call.context, record, one, { source: 'webplayer', context }),
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
  const preference = ({ asset }: EnabledFile) => {
    const index = PREFERRED.findIndex((extension) => asset.type.mimeType.includes(extension));
    return index < 0 ? PREFERRED.length : index;
  };
  const videos = [...slots].filter(([slot]) => slot.startsWith('video'));
  return (videos.length > 0 ? videos : [...slots])
    .map(([, one]) => one)
    .toSorted((a, b) => preference(a) - preference(b));
}

/** Uploads folder of episode files. */
export const EPISODE_FILES_FOLDER = 'podcast';

export type MediaFileRow = typeof podcastMediaFile.$inferSelect;

/** File format of episodes. An episode has at most one file per asset. */
export type Asset = Omit<typeof podcastAsset.$inferSelect, 'fileType'> & { type: FileType };

export type MediaFileLocation = NonNullable<ReturnType<typeof locateMediaFile>>;

/** Loads the podcast's assets in order. */
export async function loadAssets(db: Database): Promise<Asset[]> {
  const rows = await db.select().from(podcastAsset).orderBy(asc(podcastAsset.position), asc(podcastAsset.id));
  return rows.flatMap(({ fileType, ...row }) => {
    const type = FILE_TYPES.find(({ extension }) => extension === fileType);
    return type ? [{ ...row, type }] : [];
  });
}

/** Returns name and location of an asset's file; undefined if the episode has no slug. */
export function locateMediaFile(
  { publicUrl }: Pick<OriginContext, 'publicUrl'>,
  { media_base: base }: Pick<PodcastRecord, 'media_base'>,
  slug: string | null,
  asset: Asset,
) {
  if (!slug) return undefined;
  const name = mediaFileName(slug, { suffix: asset.suffix, extension: asset.type.extension });
  const siteBase = `${publicUrl}/uploads/${EPISODE_FILES_FOLDER}/`;
  return {
    name,
    /** Public address. */
    address: mediaFileAddress(base ?? siteBase, name),
    /** Path below the uploads folder; undefined for files on other hosts. */
    path: base === null ? `${EPISODE_FILES_FOLDER}/${name}` : undefined,
  };
}
