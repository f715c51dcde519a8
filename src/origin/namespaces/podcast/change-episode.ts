import { eq } from 'drizzle-orm';
import { canEdit } from '#origin/platform/content/content-rights.ts';
import { saveRevision, writeContent } from '#origin/platform/content/write-content.ts';
import { announceContent } from '#origin/platform/content/writing/present-written.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { ListenerContext } from '#origin/platform/registry/change-listener.ts';
import { loadSite, type Site } from '#origin/platform/site/load-site.ts';
import { toSiteTime } from '#contracts/site-clock.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content } from '#origin/platform/store/schema.ts';
import {
  evictEpisode,
  loadEpisode,
  type EpisodeRequest,
  type EpisodeRow,
  type EpisodeWithPage,
} from './find-episode.ts';
import { podcastEpisode } from './tables.ts';

interface EpisodeChange {
  episode?: Partial<EpisodeRow>;
  page?: Partial<Pick<ContentRow, 'title'>>;
  /** True if anything else of the episode was written, such as its tags or files. */
  isTouched?: boolean;
}

/**
 * Changes an episode and the modification date of its page, so that incremental readers find it. Writes nothing if
 * nothing changes.
 *
 * @param plan returns the changes; called in the transaction, possibly several times
 * @returns the changed episode
 */
export async function changeEpisode(
  call: EpisodeRequest,
  plan: (found: EpisodeWithPage, tx: Transaction) => EpisodeChange | Promise<EpisodeChange>,
): Promise<EpisodeWithPage> {
  const { episode } = await loadEpisode(call);
  const writer = { site: await loadSite(call), context: call.context, callerId: call.caller.user?.id ?? 0 };
  const changed = await writeContent(call.context.store.db, async (tx) => {
    const before = await lockEpisode(tx, call, episode);
    const { episode: values = {}, page: texts = {}, isTouched = false } = await plan(before, tx);
    if (!isTouched && Object.keys({ ...values, ...texts }).length === 0) return before;
    if (Object.keys(values).length > 0)
      await tx.update(podcastEpisode).set(values).where(eq(podcastEpisode.id, episode.id));
    const page = await touchPage(tx, before.page, writer, texts);
    return { episode: { ...before.episode, ...values }, page };
  });
  evictEpisode(call, changed);
  return changed;
}

/** Locks the episode against other writes. Authorizes again, as the author can have changed since. */
async function lockEpisode(
  tx: Transaction,
  call: EpisodeRequest,
  { id, contentId }: EpisodeRow,
): Promise<EpisodeWithPage> {
  const [page] = await tx.select().from(content).where(eq(content.id, contentId)).for('update');
  const [episode] = await tx.select().from(podcastEpisode).where(eq(podcastEpisode.id, id)).for('update');
  if (!episode || !page) throw call.refuse('rest_not_found', `The episode ${id} has been deleted.`);
  if (!canEdit(page, call.caller)) throw call.refuse('rest_forbidden', 'You are not allowed to edit this episode.');
  return { episode, page };
}

/** Writes texts of a page, sets its modification date, and announces the change. Call it inside `writeContent`. */
async function touchPage(
  tx: Transaction,
  page: ContentRow,
  { site, context, callerId }: { site: Site; context: ListenerContext; callerId: number },
  texts: Partial<Pick<ContentRow, 'title'>> = {},
): Promise<ContentRow> {
  const now = new Date();
  const values = { ...texts, modified: toSiteTime(now, site.timezone), modifiedGmt: toSiteTime(now, 'UTC') };
  await tx.update(content).set(values).where(eq(content.id, page.id));
  const after = { ...page, ...values };
  if (Object.keys(texts).length > 0) await saveRevision(tx, after, callerId);
  await announceContent(tx, context, page, after);
  return after;
}
