import {
  disableEpisodeMedia,
  enableEpisodeMedia,
  listEpisodeMedia,
  verifyEpisodeMedia,
} from '#contracts/podcast/episode-routes.ts';
import { item, type ResultOf, type Call } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { loadEpisode, authorizeEpisodeRead, authorizeEpisodeWrite, type EpisodeRequest } from '../find-episode.ts';
import { loadPodcastRecord } from '../podcast-record.ts';
import { loadAssets, loadMediaFiles, locateMediaFile, type Asset } from './list-files.ts';
import { checkEpisodeFile, disableEpisodeFile, type EpisodeFileCheck } from './check-episode-files.ts';

/** Serves the files of an episode, one per asset. */
export function serveEpisodeMedia(registry: RouteRegistry): void {
  const rules = { permit: authorizeEpisodeWrite };
  registry.serve(listEpisodeMedia, listMedia, { permit: authorizeEpisodeRead });
  registry.serve(enableEpisodeMedia, enableMedia, rules);
  registry.serve(disableEpisodeMedia, disableMedia, rules);
  registry.serve(verifyEpisodeMedia, verifyMedia, rules);
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
