import { publicFileAddress, type EpisodeFile, type FileSource } from '#contracts/podcast/index.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import { loadRecord, type PodcastRecord } from '../record.ts';
import { loadAssets, loadMediaFiles, placeFile, type Asset, type MediaFileRow, type PlacedFile } from './assets.ts';

/** An enabled file of an episode. */
export interface OfferedFile {
  asset: Asset;
  file: MediaFileRow;
  place: PlacedFile;
}

interface WithFiles {
  id: number;
  slug: string | null;
}

/** The enabled files of episodes, in the order of their assets, by the id of the episode. */
export async function loadOfferedFiles(
  call: Pick<AnyCall, 'addresses' | 'context' | 'requestMemo'>,
  episodes: readonly WithFiles[],
): Promise<ReadonlyMap<number, OfferedFile[]>> {
  const { db } = call.context.store;
  const record = await loadRecord(call);
  const assets = await call.requestMemo.once('podcast assets', () => loadAssets(db));
  const files = await loadMediaFiles(
    db,
    episodes.map(({ id }) => id),
  );
  const offered = episodes.map(({ id, slug }): [number, OfferedFile[]] => [
    id,
    assets.flatMap((asset) => {
      const file = files.get(id)?.find(({ assetId, active }) => active && assetId === asset.id);
      const place = placeFile(call, record, slug, asset);
      return file && place ? [{ asset, file, place }] : [];
    }),
  ]);
  return new Map(offered);
}

/** The public address of a file: the one that counts downloads, where tracking is on. */
export function publicAddress(
  { addresses }: Pick<AnyCall, 'addresses'>,
  { tracking }: Pick<PodcastRecord, 'tracking'>,
  { file, place }: Pick<OfferedFile, 'file' | 'place'>,
  { source, context }: { source: FileSource; context?: string },
): string {
  const about = { siteUrl: addresses.site, address: place.address, fileName: place.name };
  return publicFileAddress(tracking, about, { id: file.id, source, context });
}

/** What can be played of an episode, and what can be downloaded. */
export async function loadEpisodeFiles(
  call: AnyCall,
  episode: WithFiles,
): Promise<{ audio: EpisodeFile[]; files: EpisodeFile[] }> {
  const record = await loadRecord(call);
  const offered = (await loadOfferedFiles(call, [episode])).get(episode.id) ?? [];
  const describe = (one: OfferedFile, title: string, context?: string): EpisodeFile => ({
    url: publicAddress(call, record, one, { source: 'webplayer', ...(context === undefined ? {} : { context }) }),
    size: one.file.size,
    title,
    mimeType: one.asset.type.mimeType,
  });
  return {
    audio: choosePlayed(offered).map((one) =>
      describe(one, `${one.asset.title} (${one.asset.type.extension})`, 'website'),
    ),
    files: offered.filter(({ asset }) => asset.downloadable).map((one) => describe(one, one.asset.title)),
  };
}

/** Extension -> slot in the player; the first asset of a slot takes it. */
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

/** Extensions in the order in which a browser should try them; others follow. */
const PREFERRED = ['mp4', 'aac', 'opus', 'ogg'];

/** One file of each type; video is played instead of audio where there is some. */
function choosePlayed(offered: readonly OfferedFile[]): OfferedFile[] {
  const slots = new Map<string, OfferedFile>();
  for (const one of offered) {
    const slot = SLOTS[one.asset.type.extension];
    if (slot !== undefined && one.file.size > 0 && !slots.has(slot)) slots.set(slot, one);
  }
  const films = [...slots].filter(([slot]) => slot.startsWith('video'));
  return (films.length > 0 ? films : [...slots])
    .map(([, one]) => one)
    .toSorted((a, b) => preference(a.asset) - preference(b.asset));
}

function preference({ type }: Asset): number {
  const found = PREFERRED.findIndex((word) => type.mimeType.includes(word));
  return found < 0 ? PREFERRED.length : found;
}
