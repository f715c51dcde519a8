import { and, eq } from 'drizzle-orm';
import type { FileType } from '#contracts/podcast/media-names.ts';
import { formatPlayTime } from '#contracts/podcast/play-time.ts';
import { item } from '#origin/platform/http/transport/call.ts';
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
import { isEnabled, loadFiles, type Asset, type MediaFileRow, type MediaFileLocation } from './list-files.ts';
import { isSortimentError } from '#contracts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { FileStore } from '#origin/platform/files/file-store.ts';
import { guardedFetch } from '#origin/platform/guarded-fetch/guarded-fetch.ts';
import { measureStoredAudio } from '#origin/platform/audio/measure-stored-audio.ts';
import type { AudioFormat } from '#files/media/audio.ts';
import * as routes from '#contracts/podcast/episode-routes.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';

/**
 * Checks the files of an episode and stores the results.
 *
 * @param options.assetId checks only the file of this asset, and freezes the slug once it is found
 * @param options.isEnabling enables the file if it exists
 * @returns the stored files; none, and nothing is stored, if the slug changes during the check
 */
export async function checkEpisodeFiles(
  call: EpisodeRequest,
  { assetId, isEnabling = false }: { assetId?: number; isEnabling?: boolean } = {},
) {
  const { episode } = await loadEpisode(call);
  const record = await loadPodcastRecord(call);
  const files = (await loadFiles(call, episode)).filter(({ asset }) => assetId === undefined || asset.id === assetId);
  const checks = await Promise.all(
    files.map(async ({ asset, file, place }) => ({
      key: { episodeId: episode.id, assetId: asset.id },
      checked: place ? await checkFile(call.context, place, asset, file) : MISSING,
    })),
  );
  let stored: { row: MediaFileRow; checked: FileCheckResult }[] = [];
  const changed = await changeEpisode(call, async (locked, tx) => {
    stored = [];
    if (locked.episode.slug !== episode.slug) return {};
    let isTouched = false;
    let values: Partial<EpisodeRow> = {};
    for (const { key, checked } of checks) {
      const [before] = await tx.select().from(podcastMediaFile).where(matchesKey(key)).for('update');
      const active = (isEnabling && checked.size > 0) || (before?.active ?? !isEnabling);
      const row = await saveFile(tx, { ...key, active }, checked);
      stored.push({ row, checked });
      isTouched ||= differs(row, before);
      if (record.read_durations) values = { ...changedDuration(locked.episode, before, checked), ...values };
      if (assetId !== undefined && checked.size > 0 && !locked.episode.slugFrozen) values.slugFrozen = true;
    }
    return { isTouched, episode: values };
  });
  return stored.map((one) => ({ ...one, slugFrozen: changed.episode.slugFrozen }));
}

type FileKey = Pick<MediaFileRow, 'episodeId' | 'assetId'>;

function matchesKey({ episodeId, assetId }: FileKey) {
  return and(eq(podcastMediaFile.episodeId, episodeId), eq(podcastMediaFile.assetId, assetId));
}

export async function saveFile(
  tx: Transaction,
  { active, ...key }: FileKey & { active: boolean },
  { size, etag, durationMs }: FileCheckResult,
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
  location: MediaFileLocation,
  { type }: Pick<Asset, 'type'>,
  before: FileCheckResult = MISSING,
): Promise<FileCheckResult> {
  return location.path === undefined
    ? checkRemote(readRemote, location, type, before)
    : checkStored(files.uploads, location.path, location.name, type);
}

async function checkStored(files: FileStore, path: string, name: string, type: FileType): Promise<FileCheckResult> {
  const opened = await files.open(path);
  await opened?.close();
  if (!opened || opened.bytes === 0) {
    const advice = 'Upload it under this name, with the page of the episode as "post".';
    return missing(`${name} ${opened ? 'is empty' : 'is not in the folder of the podcast'}. ${advice}`);
  }
  const { bytes, etag } = opened;
  if (bytes > MAX_FILE_BYTES) return missing(tooLarge(name, bytes));
  const format = MEASURED_FORMATS[type.extension];
  const audio = format && (await measureStoredAudio(files, path));
  if (format && audio?.format !== format)
    return missing(`${name} is not a file of the type ${type.name}. Upload the right file.`);
  return { size: bytes, etag, durationMs: audio?.durationMs ?? null };
}

async function checkRemote(
  read: typeof guardedFetch,
  { name, address }: MediaFileLocation,
  type: FileType,
  { size, etag, durationMs }: FileCheckResult,
): Promise<FileCheckResult> {
  try {
    const { status, headers } = await read(address, {
      method: 'HEAD',
      maxBytes: 0,
      timeoutMs: TIMEOUT_MS,
      ...(size > 0 && etag !== '' ? { ifNoneMatch: etag } : {}),
    });
    if (status === 304) return { size, etag, durationMs };
    if (status < 200 || status > 299)
      return missing(`The server responded with ${status} for ${name}. Check its address.`);
    const sent = headers['content-type'] ?? '';
    if (/^text\/html|^application\/xhtml/i.test(sent))
      return missing(
        `The server sent ${name} as ${sent}, a web page instead of a file of the type ${type.name}. Check its address.`,
      );
    const length = headers['content-length'] ?? '';
    const bytes = /^\d{1,15}$/.test(length) ? Number(length) : 1;
    if (bytes > MAX_FILE_BYTES) return missing(tooLarge(name, bytes));
    if (bytes === 0) return missing(`${name} is empty.`);
    return { size: bytes, etag: (headers['etag'] ?? '').slice(0, 200), durationMs };
  } catch (error) {
    if (!isSortimentError(error)) throw error;
    // An outage of the server must not remove the episode from the feed.
    return { size, etag, durationMs, problem: `${name} could not be checked. ${error.message}` };
  }
}

const MISSING: FileCheckResult = { size: 0, etag: '', durationMs: null };

function missing(problem: string): FileCheckResult {
  return { ...MISSING, problem };
}

function tooLarge(name: string, bytes: number): string {
  return `${name} has ${bytes} bytes; at most ${MAX_FILE_BYTES} are allowed. Upload a smaller file.`;
}

/** Serves the files of an episode, one per asset. */
export function serveEpisodeMedia(registry: RouteRegistry): void {
  const serve = registry.with({ permit: authorizeEpisodeWrite });
  registry.with({ permit: authorizeEpisodeRead })(routes.listEpisodeMedia, async (call) => {
    const { episode } = await loadEpisode(call);
    const results = (await loadFiles(call, episode)).map((one) => {
      const common = { asset_id: one.asset.id, asset: one.asset.title };
      return isEnabled(one)
        ? { ...common, url: one.place.address, size: one.file.size, enable: true as const }
        : { ...common, enable: false as const };
    });
    return item({ _version: 'v2', results });
  });
  // A missing file stays disabled: players could not play it.
  serve(routes.enableEpisodeMedia, async (call) => item(await checkMedia(call, true)));
  serve(routes.verifyEpisodeMedia, async (call) => item(await checkMedia(call, false)));
  serve(routes.disableEpisodeMedia, async (call) => {
    const { episode, asset, place } = await loadFile(call);
    let row: MediaFileRow | undefined;
    await changeEpisode(call, async (_, tx) => {
      const key = matchesKey({ episodeId: episode.id, assetId: asset.id });
      [row] = await tx
        .update(podcastMediaFile)
        .set({ active: false })
        .where(and(key, eq(podcastMediaFile.active, true)))
        .returning();
      return { isTouched: row !== undefined };
    });
    if (!row) throw call.refuse('rest_not_found', `The episode has no enabled file of the asset ${asset.id}.`);
    return item({ status: 'ok', file_size: row.size, file_url: place?.address ?? '', active: false });
  });
}

type MediaCall = EpisodeRequest & { params: { asset_id: number } };

async function checkMedia(call: MediaCall, isEnabling: boolean) {
  const { episode, asset, place } = await loadFile(call);
  const status = 'ok' as const;
  if (!place) {
    const message = 'The episode has no slug, so its files have no names. Set the slug first.';
    return { status, message, active: false, slug_frozen: episode.slugFrozen };
  }
  const [found] = await checkEpisodeFiles(call, { assetId: asset.id, isEnabling });
  // The slug has changed during the check, and the file name with it.
  if (!found) return checkMedia(call, isEnabling);
  const { row, checked, slugFrozen } = found;
  const common = { file_url: place.address, active: row.active, slug_frozen: slugFrozen };
  if (row.size > 0) return { status, file_size: row.size, ...common };
  const message = checked.problem ?? '';
  return isEnabling ? { status, message, active: row.active } : { status, message, ...common };
}

async function loadFile(call: MediaCall) {
  const { episode } = await loadEpisode(call);
  const { asset_id: id } = call.params;
  const file = (await loadFiles(call, episode)).find(({ asset }) => asset.id === id);
  if (!file) throw call.refuse('rest_not_found', `There is no asset with the id ${id}.`);
  return { episode, ...file };
}
