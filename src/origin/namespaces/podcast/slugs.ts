import type { buildSlug, freezeSlug, unfreezeSlug } from '#contracts/podcast/index.ts';
import { normaliseSlug } from '#origin/platform/content/slugs.ts';
import { item, type AnswerOf, type Call } from '#origin/platform/http/transport/index.ts';
import { loadEpisode } from './find-episode.ts';
import { plainTitle } from './present-episode.ts';
import { loadRecord } from './record.ts';
import { changeEpisode } from './change-episode.ts';

/** Suggests a slug for file names from a title. Stores nothing. */
export async function answerSlug(call: Call<typeof buildSlug>): Promise<AnswerOf<typeof buildSlug>> {
  const title = call.query.title ?? plainTitle(await loadEpisode(call), await loadRecord(call));
  // Clients expect status 201, as other servers send it.
  return { status: 201, body: { slug: normaliseSlug(title) } };
}

/** Creates a handler that freezes or unfreezes the slug. */
export function setFrozen(slugFrozen: boolean) {
  return async (
    call: Call<typeof freezeSlug | typeof unfreezeSlug>,
  ): Promise<AnswerOf<typeof freezeSlug | typeof unfreezeSlug>> => {
    await changeEpisode(call, ({ episode }) => (episode.slugFrozen === slugFrozen ? {} : { episode: { slugFrozen } }));
    return item({ status: 'ok', slug_frozen: slugFrozen });
  };
}
