import { eq } from 'drizzle-orm';
import { findRow } from '#origin/platform/content/answer-item.ts';
import { mayDelete, mayEdit, mayRead, type OwnedRow } from '#origin/platform/content/content-rights.ts';
import type { Caller } from '#origin/platform/http/callers/caller.ts';
import type { AnyCall, RestError } from '#origin/platform/http/transport/index.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { episodePages } from './episode-pages.ts';
import { podcastEpisode } from './tables.ts';

export type EpisodeRow = typeof podcastEpisode.$inferSelect;

/** An episode and its page, which have different ids. */
export interface FoundEpisode {
  episode: EpisodeRow;
  page: ContentRow;
}

/** A call of a route below an episode. */
export type EpisodeCall = AnyCall<'rest_not_found'> & { params: { id: number } };

/** The episode of an id, loaded once for permission and answer; undefined when there is none. */
function findEpisode(call: Pick<AnyCall, 'context' | 'memo'>, id: number): Promise<FoundEpisode | undefined> {
  return call.memo.once(`episode ${id}`, async () => {
    const [episode] = await call.context.store.db.select().from(podcastEpisode).where(eq(podcastEpisode.id, id));
    const page = episode && (await findRow(call, episodePages, episode.contentId));
    return episode && page ? { episode, page } : undefined;
  });
}

/** After a write: the episode is read again on the next use. */
export function forgetEpisode({ memo }: Pick<AnyCall, 'memo'>, { episode, page }: FoundEpisode): void {
  memo.forget(`episode ${episode.id}`);
  memo.forget(`content ${page.type} ${page.id}`);
}

/** The episode that a path names. @throws when there is none */
export async function loadEpisode(call: EpisodeCall): Promise<FoundEpisode> {
  const found = await findEpisode(call, call.params.id);
  if (!found) throw noEpisode(call);
  return found;
}

/** Password-protected episodes are for editors: routes of podcasts accept no password. */
export function mayReadEpisode(page: OwnedRow & Pick<ContentRow, 'password'>, caller: Caller): boolean {
  return page.password === '' ? mayRead(page, caller) : mayEdit(page, caller);
}

/** A stranger does not learn that an unreadable episode exists. */
export async function permitEpisode(call: EpisodeCall): Promise<void> {
  const { page } = await loadEpisode(call);
  if (mayReadEpisode(page, call.caller)) return;
  throw call.caller.user ? call.refuse('rest_forbidden', 'You may not see this episode.') : noEpisode(call);
}

export async function permitEpisodeWriting(call: EpisodeCall): Promise<void> {
  const { page } = await loadEpisode(call);
  if (!mayEdit(page, call.caller)) throw call.refuse('rest_forbidden', 'You may not edit this episode.');
}

export async function permitEpisodeDeletion(call: EpisodeCall): Promise<void> {
  const { page } = await loadEpisode(call);
  if (!mayDelete(page, call.caller)) throw call.refuse('rest_forbidden', 'You may not delete this episode.');
}

function noEpisode({ params, refuse }: EpisodeCall): RestError {
  return refuse('rest_not_found', `There is no episode with the id ${params.id}.`);
}
