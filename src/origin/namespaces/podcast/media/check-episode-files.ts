import { and, eq } from 'drizzle-orm';
import { formatPlayTime } from '#contracts/podcast/index.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { changeEpisode } from '../change-episode.ts';
import { loadEpisode, type EpisodeRequest, type EpisodeRow } from '../find-episode.ts';
import { loadPodcastRecord } from '../podcast-record.ts';
import { podcastMediaFile } from '../tables.ts';
import {
  loadAssets,
  loadMediaFiles,
  locateMediaFile,
  type Asset,
  type MediaFileRow,
  type MediaFileLocation,
} from './assets.ts';
import { checkFile, type FileCheckResult } from './check-file.ts';

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

async function saveFile(
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
