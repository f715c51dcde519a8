import { and, eq } from 'drizzle-orm';
import { formatPlayTime } from '#contracts/podcast/play-time.ts';
import { type AnyCall, item, type ResultOf, type Call } from '#origin/platform/http/transport/call.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { changeEpisode } from '../change-episode.ts';
import {
  loadEpisode,
  type EpisodeRequest,
  type EpisodeRow,
  authorizeEpisodeRead,
  authorizeEpisodeWrite,
} from '../find-episode.ts';
import { loadPodcastRecord } from '../podcast-record.ts';
import { podcastMediaFile } from '../tables.ts';
import {
  loadAssets,
  loadMediaFiles,
  locateMediaFile,
  type Asset,
  type MediaFileRow,
  type MediaFileLocation,
} from './list-files.ts';
import { isSortimentError } from '#contracts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { FileStore } from '#origin/platform/files/file-store.ts';
import { guardedFetch } from '#origin/platform/guarded-fetch/guarded-fetch.ts';
import { measureStoredAudio } from '#origin/platform/audio/measure-stored-audio.ts';
import type { AudioFormat } from '#files/media/audio.ts';
import {
  disableEpisodeMedia,
  enableEpisodeMedia,
  listEpisodeMedia,
  verifyEpisodeMedia,
} from '#contracts/podcast/episode-routes.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';

/** Result of checking a file, with its stored row. */
export interface EpisodeFileCheck {
  row: MediaFileRow;
  place: MediaFileLocation;
  checked: FileCheckResult;
  slugFrozen: boolean;
}

interface FindOptions {
  /** Decides if the file is enabled. Undefined keeps its state and enables new files. */
  active?: (checked: FileCheckResult, before: MediaFileRow | undefined) => boolean;
  /** True to freeze the slug once the file is found. */
  freezeSlug: boolean;
}

/** Checks a file of an episode and stores the result. Starts over if the slug changes during the check. */
export async function checkEpisodeFile(
  call: EpisodeRequest,
  asset: Asset,
  options: FindOptions,
): Promise<EpisodeFileCheck | undefined> {
  const { active, freezeSlug } = options;
  const { episode } = await loadEpisode(call);
  const record = await loadPodcastRecord(call);
  const location = locateMediaFile(call, record, episode.slug, asset);
  if (!location) return undefined;
  const stored = await findRow(call, episode.id, asset.id);
  const checked = await checkFile(call.context, location, asset, stored);
  let row: MediaFileRow | undefined;
  const changed = await changeEpisode(call, async (found, tx) => {
    row = undefined;
    if (found.episode.slug !== episode.slug) return {};
    const before = await lockRow(tx, episode.id, asset.id);
    row = await saveFile(tx, { episodeId: episode.id, assetId: asset.id }, checked, {
      active: active?.(checked, before) ?? before?.active ?? true,
    });
    const freeze = freezeSlug && checked.size > 0 && !found.episode.slugFrozen ? { slugFrozen: true } : {};
    return {
      isTouched: differs(row, before),
      episode: { ...freeze, ...(record.read_durations ? changedDuration(found.episode, before, checked) : {}) },
    };
  });
  // The slug has changed during the check, and the file name with it.
  if (!row) return checkEpisodeFile(call, asset, options);
  return { row, place: location, checked, slugFrozen: changed.episode.slugFrozen };
}

/** Checks the files of all assets under the current slug of an episode. */
export async function checkEpisodeFiles(call: EpisodeRequest): Promise<void> {
  const { episode } = await loadEpisode(call);
  const [record, assets] = [await loadPodcastRecord(call), await loadAssets(call.context.store.db)];
  const stored = (await loadMediaFiles(call.context.store.db, [episode.id])).get(episode.id) ?? [];
  const found = await Promise.all(
    assets.map(async (asset) => {
      const location = locateMediaFile(call, record, episode.slug, asset);
      const row = stored.find(({ assetId }) => assetId === asset.id);
      return { asset, checked: location && (await checkFile(call.context, location, asset, row)) };
    }),
  );
  await changeEpisode(call, async (locked, tx) => {
    // The request that changed the slug checks the files of the new slug.
    if (locked.episode.slug !== episode.slug) return {};
    let isTouched = false;
    let values: Partial<EpisodeRow> = {};
    for (const { asset, checked = { size: 0, etag: '', durationMs: null } } of found) {
      const before = await lockRow(tx, episode.id, asset.id);
      const key = { episodeId: episode.id, assetId: asset.id };
      isTouched = differs(await saveFile(tx, key, checked, { active: before?.active ?? true }), before) || isTouched;
      if (record.read_durations) values = { ...changedDuration(locked.episode, before, checked), ...values };
    }
    return { isTouched, episode: values };
  });
}

/** Disables a file. Returns undefined if it was not enabled. */
export async function disableEpisodeFile(call: EpisodeRequest, asset: Asset): Promise<MediaFileRow | undefined> {
  const { episode } = await loadEpisode(call);
  let row: MediaFileRow | undefined;
  await changeEpisode(call, async (_, tx) => {
    const before = await lockRow(tx, episode.id, asset.id);
    row = before?.active ? { ...before, active: false } : undefined;
    if (row) await tx.update(podcastMediaFile).set({ active: false }).where(eq(podcastMediaFile.id, row.id));
    return { isTouched: row !== undefined };
  });
  return row;
}

async function findRow({ context }: Pick<AnyCall, 'context'>, episodeId: number, assetId: number) {
  const rows = (await loadMediaFiles(context.store.db, [episodeId])).get(episodeId) ?? [];
  return rows.find((row) => row.assetId === assetId);
}

/** Reads the row and locks it against other writes. */
async function lockRow(tx: Transaction, episodeId: number, assetId: number): Promise<MediaFileRow | undefined> {
  const isMatch = and(eq(podcastMediaFile.episodeId, episodeId), eq(podcastMediaFile.assetId, assetId));
  const [row] = await tx.select().from(podcastMediaFile).where(isMatch).for('update');
  return row;
}

export async function saveFile(
  tx: Transaction,
  key: { episodeId: number; assetId: number },
  { size, etag, durationMs }: FileCheckResult,
  { active }: { active: boolean },
): Promise<MediaFileRow> {
  const values = { size, etag, durationMs, active, checkedAt: new Date() };
  const [row] = await tx
    .insert(podcastMediaFile)
    .values({ ...key, ...values })
    .onConflictDoUpdate({ target: [podcastMediaFile.episodeId, podcastMediaFile.assetId], set: values })
    .returning();
  if (!row) throw new Error('The store did not return the saved file.');
  return row;
}

/** Returns the duration of the file for its episode, unless an editor has set one. */
function changedDuration(
  { duration }: EpisodeRow,
  before: MediaFileRow | undefined,
  { durationMs }: FileCheckResult,
): Pick<EpisodeRow, 'duration'> | undefined {
  const isFromFile =
    duration === null || (before?.durationMs != null && duration === formatPlayTime(before.durationMs));
  if (durationMs === null || !isFromFile || duration === formatPlayTime(durationMs)) return undefined;
  return { duration: formatPlayTime(durationMs) };
}

/** True if the change is visible in the episode. */
function differs(after: MediaFileRow, before: MediaFileRow | undefined): boolean {
  return (
    after.size !== (before?.size ?? 0) ||
    after.etag !== (before?.etag ?? '') ||
    (after.active && after.size > 0) !== (before !== undefined && before.active && before.size > 0)
  );
}

export interface FileCheckResult {
  /** Bytes; 0 for a missing or unusable file, 1 if unknown. */
  size: number;
  etag: string;
  durationMs: number | null;
  /** Problem with the file, as shown to editors. */
  problem?: string;
}

/** Remote files are checked by HEAD with a short timeout. */
const TIMEOUT_MS = 3000;
/** Larger files are no episodes, and apps fail to download them. */
const MAX_FILE_BYTES = 2 * 1024 ** 3;

/** Audio formats whose duration is measured, by file extension. */
const MEASURED_FORMATS: Readonly<Record<string, AudioFormat>> = {
  mp3: 'mp3',
  ogg: 'ogg',
  oga: 'ogg',
  opus: 'ogg',
  m4a: 'mp4',
};

/** Checks a file: stored files by their content, remote files by HEAD. */
export function checkFile(
  { files, readRemote = guardedFetch }: Pick<OriginContext, 'files' | 'readRemote'>,
  { name, address, path }: MediaFileLocation,
  asset: Asset,
  previous: Pick<MediaFileRow, 'size' | 'etag' | 'durationMs'> | undefined,
): Promise<FileCheckResult> {
  if (path !== undefined) return checkStored(files.uploads, path, { name, asset });
  return checkRemote(readRemote, address, { name, asset, previous });
}

async function checkStored(
  files: FileStore,
  path: string,
  { name, asset }: { name: string; asset: Asset },
): Promise<FileCheckResult> {
  const opened = await files.open(path);
  await opened?.close();
  if (!opened || opened.bytes === 0) {
    const advice = 'Upload it under this name, with the page of the episode as "post".';
    return missing(`${name} ${opened ? 'is empty' : 'is not in the folder of the podcast'}. ${advice}`);
  }
  const { bytes, etag } = opened;
  if (bytes > MAX_FILE_BYTES) return missing(tooLarge(name, bytes));
  const format = MEASURED_FORMATS[asset.type.extension];
  const audio = format && (await measureStoredAudio(files, path));
  if (format && audio?.format !== format)
    return missing(`${name} is not a file of the type ${asset.type.name}. Upload the right file.`);
  return { size: bytes, etag, durationMs: audio?.durationMs ?? null };
}

interface RemoteFile {
  name: string;
  asset: Asset;
  previous: Pick<MediaFileRow, 'size' | 'etag' | 'durationMs'> | undefined;
}

async function checkRemote(
  read: typeof guardedFetch,
  address: string,
  { name, asset, previous }: RemoteFile,
): Promise<FileCheckResult> {
  const before = { size: previous?.size ?? 0, etag: previous?.etag ?? '', durationMs: previous?.durationMs ?? null };
  try {
    const { status, headers } = await read(address, {
      method: 'HEAD',
      maxBytes: 0,
      timeoutMs: TIMEOUT_MS,
      ...(before.size > 0 && before.etag !== '' ? { ifNoneMatch: before.etag } : {}),
    });
    if (status === 304) return before;
    if (status < 200 || status > 299)
      return missing(`The server responded with ${status} for ${name}. Check its address.`);
    const type = headers['content-type'] ?? '';
    if (/^text\/html|^application\/xhtml/i.test(type))
      return missing(
        `The server sent ${name} as ${type}, a web page instead of a file of the type ${asset.type.name}. Check its address.`,
      );
    const length = headers['content-length'] ?? '';
    const bytes = /^\d{1,15}$/.test(length) ? Number(length) : 1;
    if (bytes > MAX_FILE_BYTES) return missing(tooLarge(name, bytes));
    if (bytes === 0) return missing(`${name} is empty.`);
    return { size: bytes, etag: (headers['etag'] ?? '').slice(0, 200), durationMs: before.durationMs };
  } catch (error) {
    if (!isSortimentError(error)) throw error;
    // An outage of the server must not remove the episode from the feed.
    return { ...before, problem: `${name} could not be checked. ${error.message}` };
  }
}

function missing(problem: string): FileCheckResult {
  return { size: 0, etag: '', durationMs: null, problem };
}

function tooLarge(name: string, bytes: number): string {
  return `${name} has ${bytes} bytes; at most ${MAX_FILE_BYTES} are allowed. Upload a smaller file.`;
}

/** Serves the files of an episode, one per asset. */
export function serveEpisodeMedia(registry: RouteRegistry): void {
  const serve = registry.with({ permit: authorizeEpisodeWrite });
  registry.serve(listEpisodeMedia, listMedia, { permit: authorizeEpisodeRead });
  serve(enableEpisodeMedia, enableMedia);
  serve(disableEpisodeMedia, disableMedia);
  serve(verifyEpisodeMedia, verifyMedia);
}

async function listMedia(call: Call<typeof listEpisodeMedia>): Promise<ResultOf<typeof listEpisodeMedia>> {
  const { episode } = await loadEpisode(call);
  const [record, assets] = [await loadPodcastRecord(call), await loadAssets(call.context.store.db)];
  const rows = (await loadMediaFiles(call.context.store.db, [episode.id])).get(episode.id) ?? [];
  return item({
    _version: 'v2',
    results: assets.map((asset) => {
      const row = rows.find(({ assetId, active }) => active && assetId === asset.id);
      const location = row && locateMediaFile(call, record, episode.slug, asset);
      const common = { asset_id: asset.id, asset: asset.title };
      return row && location
        ? { ...common, url: location.address, size: row.size, enable: true as const }
        : { ...common, enable: false as const };
    }),
  });
}

type MediaCall = EpisodeRequest & { params: { asset_id: number } };

/** Enables a file that exists. A missing one stays disabled: players could not play it. */
async function enableMedia(call: Call<typeof enableEpisodeMedia>): Promise<ResultOf<typeof enableEpisodeMedia>> {
  const found = await checkEpisodeFile(call, await loadAsset(call), {
    active: ({ size }, before) => size > 0 || (before?.active ?? false),
    freezeSlug: true,
  });
  if (!found) return item(await describeMissingSlug(call));
  const { row, place: location, checked, slugFrozen } = found;
  if (row.size === 0) return item({ status: 'ok', message: checked.problem ?? '', active: row.active });
  const common = { file_size: row.size, file_url: location.address, active: row.active };
  return item({ status: 'ok', ...common, slug_frozen: slugFrozen });
}

async function verifyMedia(call: Call<typeof verifyEpisodeMedia>): Promise<ResultOf<typeof verifyEpisodeMedia>> {
  const found = await checkEpisodeFile(call, await loadAsset(call), { freezeSlug: true });
  if (!found) return item(await describeMissingSlug(call));
  const { row, place: location, checked, slugFrozen }: EpisodeFileCheck = found;
  const common = { file_url: location.address, active: row.active, slug_frozen: slugFrozen };
  if (row.size === 0) return item({ status: 'ok', message: checked.problem ?? '', ...common });
  return item({ status: 'ok', file_size: row.size, ...common });
}

async function disableMedia(call: Call<typeof disableEpisodeMedia>): Promise<ResultOf<typeof disableEpisodeMedia>> {
  const asset = await loadAsset(call);
  const { episode } = await loadEpisode(call);
  const row = await disableEpisodeFile(call, asset);
  if (!row) throw call.refuse('rest_not_found', `The episode has no enabled file of the asset ${asset.id}.`);
  const location = locateMediaFile(call, await loadPodcastRecord(call), episode.slug, asset);
  return item({ status: 'ok', file_size: row.size, file_url: location?.address ?? '', active: false });
}

async function loadAsset(call: MediaCall): Promise<Asset> {
  const { params, context, refuse } = call;
  const asset = (await loadAssets(context.store.db)).find(({ id }) => id === params.asset_id);
  if (!asset) throw refuse('rest_not_found', `There is no asset with the id ${params.asset_id}.`);
  return asset;
}

async function describeMissingSlug(call: EpisodeRequest) {
  const { episode } = await loadEpisode(call);
  const message = 'The episode has no slug, so its files have no names. Set the slug first.';
  return { status: 'ok' as const, message, active: false, slug_frozen: episode.slugFrozen };
}
