import type { buildSlug, freezeSlug, unfreezeSlug } from '#contracts/podcast/index.ts';
import { normaliseSlug } from '#origin/platform/content/slugs.ts';
import { item, type ResultOf, type Call } from '#origin/platform/http/transport/index.ts';
import { loadEpisode } from './find-episode.ts';
import { plainEpisodeTitle } from './present-episode.ts';
import { loadPodcastRecord } from './podcast-record.ts';
import { changeEpisode } from './change-episode.ts';

/** Suggests a slug for file names from a title. Stores nothing. */
export async function handleBuildSlug(call: Call<typeof buildSlug>): Promise<ResultOf<typeof buildSlug>> {
  const title = call.query.title ?? plainEpisodeTitle(await loadEpisode(call), await loadPodcastRecord(call));
  // Clients expect status 201, as other servers send it.
  return { status: 201, body: { slug: normaliseSlug(title) } };
}

/** Creates a handler that freezes or unfreezes the slug. */
export function createFreezeHandler(slugFrozen: boolean) {
  return async (
    call: Call<typeof freezeSlug | typeof unfreezeSlug>,
  ): Promise<ResultOf<typeof freezeSlug | typeof unfreezeSlug>> => {
    await changeEpisode(call, ({ episode }) => (episode.slugFrozen === slugFrozen ? {} : { episode: { slugFrozen } }));
    return item({ status: 'ok', slug_frozen: slugFrozen });
  };
}
