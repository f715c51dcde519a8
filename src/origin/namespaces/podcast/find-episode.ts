import { eq } from 'drizzle-orm';
import { findRow } from '#origin/platform/content/get-item.ts';
import { canDelete, canEdit, canRead, type RightsRow } from '#origin/platform/content/content-rights.ts';
import type { Caller } from '#origin/platform/http/callers/caller.ts';
import type { AnyCall, RestError } from '#origin/platform/http/transport/index.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { episodePages } from './episode-pages.ts';
import { podcastEpisode } from './tables.ts';

export type EpisodeRow = typeof podcastEpisode.$inferSelect;

/** An episode and its page, which have different IDs. */
export interface EpisodeWithPage {
  episode: EpisodeRow;
  page: ContentRow;
}

/** Request to a route below an episode. */
export type EpisodeRequest = AnyCall<'rest_not_found'> & { params: { id: number } };

/** Finds an episode by ID, loaded once for authorization and response. */
function findEpisode(call: Pick<AnyCall, 'context' | 'memo'>, id: number): Promise<EpisodeWithPage | undefined> {
  return call.memo.once(`episode ${id}`, async () => {
    const [episode] = await call.context.store.db.select().from(podcastEpisode).where(eq(podcastEpisode.id, id));
    const page = episode && (await findRow(call, episodePages, episode.contentId));
    return episode && page ? { episode, page } : undefined;
  });
}

/** Evicts an episode from the request memo after a write. */
export function evictEpisode({ memo }: Pick<AnyCall, 'memo'>, { episode, page }: EpisodeWithPage): void {
  memo.forget(`episode ${episode.id}`);
  memo.forget(`content ${page.type} ${page.id}`);
}

/** Returns the episode of the request path. @throws `rest_not_found` */
export async function loadEpisode(call: EpisodeRequest): Promise<EpisodeWithPage> {
  const found = await findEpisode(call, call.params.id);
  if (!found) throw createNotFoundError(call);
  return found;
}

/** Limits password-protected episodes to editors, as podcast routes accept no password. */
export function canReadEpisode(page: RightsRow & Pick<ContentRow, 'password'>, caller: Caller): boolean {
  return page.password === '' ? canRead(page, caller) : canEdit(page, caller);
}

/** Throws "not found" for anonymous callers, so that they can't detect unpublished episodes. */
export async function authorizeEpisodeRead(call: EpisodeRequest): Promise<void> {
  const { page } = await loadEpisode(call);
  if (canReadEpisode(page, call.caller)) return;
  throw call.caller.user
    ? call.refuse('rest_forbidden', 'You are not allowed to read this episode.')
    : createNotFoundError(call);
}

export async function authorizeEpisodeWrite(call: EpisodeRequest): Promise<void> {
  const { page } = await loadEpisode(call);
  if (!canEdit(page, call.caller)) throw call.refuse('rest_forbidden', 'You are not allowed to edit this episode.');
}

export async function authorizeEpisodeDelete(call: EpisodeRequest): Promise<void> {
  const { page } = await loadEpisode(call);
  if (!canDelete(page, call.caller)) throw call.refuse('rest_forbidden', 'You are not allowed to delete this episode.');
}

function createNotFoundError({ params, refuse }: EpisodeRequest): RestError {
  return refuse('rest_not_found', `There is no episode with the id ${params.id}.`);
}
