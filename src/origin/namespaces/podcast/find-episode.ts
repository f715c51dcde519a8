import { eq } from 'drizzle-orm';
import { findRow } from '#origin/platform/content/answer-item.ts';
import { mayDelete, mayEdit, mayRead, type OwnedRow } from '#origin/platform/content/content-rights.ts';
import type { Caller } from '#origin/platform/http/callers/caller.ts';
import type { AnyCall, RestError } from '#origin/platform/http/transport/index.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { episodePages } from './episode-pages.ts';
import { podcastEpisode } from './tables.ts';

export type EpisodeRow = typeof podcastEpisode.$inferSelect;

/** An episode and its page, which have different IDs. */
export interface FoundEpisode {
  episode: EpisodeRow;
  page: ContentRow;
}

/** Request to a route below an episode. */
export type EpisodeCall = AnyCall<'rest_not_found'> & { params: { id: number } };

/** Finds an episode by ID, loaded once for authorization and response. */
function findEpisode(call: Pick<AnyCall, 'context' | 'memo'>, id: number): Promise<FoundEpisode | undefined> {
  return call.memo.once(`episode ${id}`, async () => {
    const [episode] = await call.context.store.db.select().from(podcastEpisode).where(eq(podcastEpisode.id, id));
    const page = episode && (await findRow(call, episodePages, episode.contentId));
    return episode && page ? { episode, page } : undefined;
  });
}

/** Evicts an episode from the request memo after a write. */
export function forgetEpisode({ memo }: Pick<AnyCall, 'memo'>, { episode, page }: FoundEpisode): void {
  memo.forget(`episode ${episode.id}`);
  memo.forget(`content ${page.type} ${page.id}`);
}

/** Returns the episode of the request path. @throws `rest_not_found` */
export async function loadEpisode(call: EpisodeCall): Promise<FoundEpisode> {
  const found = await findEpisode(call, call.params.id);
  if (!found) throw createNotFoundError(call);
  return found;
}

/** Limits password-protected episodes to editors, as podcast routes accept no password. */
export function mayReadEpisode(page: OwnedRow & Pick<ContentRow, 'password'>, caller: Caller): boolean {
  return page.password === '' ? mayRead(page, caller) : mayEdit(page, caller);
}

/** Throws "not found" for anonymous callers, so that they can't detect unpublished episodes. */
export async function permitEpisode(call: EpisodeCall): Promise<void> {
  const { page } = await loadEpisode(call);
  if (mayReadEpisode(page, call.caller)) return;
  throw call.caller.user
    ? call.refuse('rest_forbidden', 'You are not allowed to read this episode.')
    : createNotFoundError(call);
}

export async function permitEpisodeWriting(call: EpisodeCall): Promise<void> {
  const { page } = await loadEpisode(call);
  if (!mayEdit(page, call.caller)) throw call.refuse('rest_forbidden', 'You are not allowed to edit this episode.');
}

export async function permitEpisodeDeletion(call: EpisodeCall): Promise<void> {
  const { page } = await loadEpisode(call);
  if (!mayDelete(page, call.caller)) throw call.refuse('rest_forbidden', 'You are not allowed to delete this episode.');
}

function createNotFoundError({ params, refuse }: EpisodeCall): RestError {
  return refuse('rest_not_found', `There is no episode with the id ${params.id}.`);
}
