import { and, eq } from 'drizzle-orm';
import { formatPlayTime } from '#contracts/podcast/index.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { changeEpisode } from '../change-episode.ts';
import { loadEpisode, type EpisodeCall, type EpisodeRow } from '../find-episode.ts';
import { loadRecord } from '../record.ts';
import { podcastMediaFile } from '../tables.ts';
import { loadAssets, loadMediaFiles, placeFile, type Asset, type MediaFileRow, type PlacedFile } from './assets.ts';
import { checkFile, type CheckedFile } from './check-file.ts';

/** A checked file, and its row now. */
export interface FoundFile {
  row: MediaFileRow;
  place: PlacedFile;
  checked: CheckedFile;
  slugFrozen: boolean;
}

interface FindOptions {
  /** Whether to enable the file. Undefined keeps its state; a new one is enabled. */
  active?: (checked: CheckedFile, before: MediaFileRow | undefined) => boolean;
  /** Whether to freeze the slug once the file was found. */
  freezes: boolean;
}

/** Checks a file of an episode, and stores the result, for the slug that the episode has when it is stored. */
export async function findFile(call: EpisodeCall, asset: Asset, options: FindOptions): Promise<FoundFile | undefined> {
  const { active, freezes } = options;
  const { episode } = await loadEpisode(call);
  const record = await loadRecord(call);
  const place = placeFile(call, record, episode.slug, asset);
  if (!place) return undefined;
  const known = await findRow(call, episode.id, asset.id);
  const checked = await checkFile(call.context, place, asset, known);
  let row: MediaFileRow | undefined;
  const changed = await changeEpisode(call, async (found, tx) => {
    row = undefined;
    if (found.episode.slug !== episode.slug) return {};
    const before = await lockRow(tx, episode.id, asset.id);
    row = await keepFile(tx, { episodeId: episode.id, assetId: asset.id }, checked, {
      active: active?.(checked, before) ?? before?.active ?? true,
    });
    const freeze = freezes && checked.size > 0 && !found.episode.slugFrozen ? { slugFrozen: true } : {};
    return {
      isTouched: differs(row, before),
      episode: { ...freeze, ...(record.read_durations ? measured(found.episode, before, checked) : {}) },
    };
  });
  // The episode got another slug meanwhile, and its files other names.
  if (!row) return findFile(call, asset, options);
  return { row, place, checked, slugFrozen: changed.episode.slugFrozen };
}

/** Checks the files of all assets under the current slug of an episode. */
export async function findFilesOfSlug(call: EpisodeCall): Promise<void> {
  const { episode } = await loadEpisode(call);
  const [record, assets] = [await loadRecord(call), await loadAssets(call.context.store.db)];
  const known = (await loadMediaFiles(call.context.store.db, [episode.id])).get(episode.id) ?? [];
  const found = await Promise.all(
    assets.map(async (asset) => {
      const place = placeFile(call, record, episode.slug, asset);
      const row = known.find(({ assetId }) => assetId === asset.id);
      return { asset, checked: place && (await checkFile(call.context, place, asset, row)) };
    }),
  );
  await changeEpisode(call, async (locked, tx) => {
    // Whoever has written another slug meanwhile checks the files of that one.
    if (locked.episode.slug !== episode.slug) return {};
    let isTouched = false;
    let values: Partial<EpisodeRow> = {};
    for (const { asset, checked = { size: 0, etag: '', durationMs: null } } of found) {
      const before = await lockRow(tx, episode.id, asset.id);
      const place = { episodeId: episode.id, assetId: asset.id };
      isTouched = differs(await keepFile(tx, place, checked, { active: before?.active ?? true }), before) || isTouched;
      if (record.read_durations) values = { ...measured(locked.episode, before, checked), ...values };
    }
    return { isTouched, episode: values };
  });
}

/** Disables a file. @returns undefined when it was not enabled */
export async function withdrawFile(call: EpisodeCall, asset: Asset): Promise<MediaFileRow | undefined> {
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

/** The row, locked against other writes. */
async function lockRow(tx: Transaction, episodeId: number, assetId: number): Promise<MediaFileRow | undefined> {
  const isIt = and(eq(podcastMediaFile.episodeId, episodeId), eq(podcastMediaFile.assetId, assetId));
  const [row] = await tx.select().from(podcastMediaFile).where(isIt).for('update');
  return row;
}

async function keepFile(
  tx: Transaction,
  place: { episodeId: number; assetId: number },
  { size, etag, durationMs }: CheckedFile,
  { active }: { active: boolean },
): Promise<MediaFileRow> {
  const values = { size, etag, durationMs, active, checkedAt: new Date() };
  const [row] = await tx
    .insert(podcastMediaFile)
    .values({ ...place, ...values })
    .onConflictDoUpdate({ target: [podcastMediaFile.episodeId, podcastMediaFile.assetId], set: values })
    .returning();
  if (!row) throw new Error('The store did not return the file that it keeps.');
  return row;
}

/** Sets the duration of an episode to that of its file, unless an editor has set one. */
function measured(
  { duration }: EpisodeRow,
  before: MediaFileRow | undefined,
  { durationMs }: CheckedFile,
): Pick<EpisodeRow, 'duration'> | undefined {
  const isOfFile = duration === null || (before?.durationMs != null && duration === formatPlayTime(before.durationMs));
  if (durationMs === null || !isOfFile || duration === formatPlayTime(durationMs)) return undefined;
  return { duration: formatPlayTime(durationMs) };
}

/** Whether the change is visible in the episode. */
function differs(after: MediaFileRow, before: MediaFileRow | undefined): boolean {
  return (
    after.size !== (before?.size ?? 0) ||
    after.etag !== (before?.etag ?? '') ||
    (after.active && after.size > 0) !== (before !== undefined && before.active && before.size > 0)
  );
}
