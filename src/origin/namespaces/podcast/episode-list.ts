import { and, asc, desc, eq, inArray } from 'drizzle-orm';
import { EPISODE_PAGE_TYPE, type listEpisodes, type listEpisodesV1 } from '#contracts/podcast/index.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { item, type ResultOf, type AnyCall, type Call } from '#origin/platform/http/transport/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import { canReadEpisode } from './find-episode.ts';
import { episodeTitle } from './present-episode.ts';
import { loadPodcastRecord } from './podcast-record.ts';
import { findShow } from './shows.ts';
import { podcastEpisode } from './tables.ts';

/** Page statuses by filter value. Trashed episodes are never listed. */
const STATUSES = {
  publish: ['publish'],
  draft: ['draft'],
  all: ['publish', 'private', 'draft', 'pending', 'future'],
} as const;

interface ListQuery {
  status: keyof typeof STATUSES;
  showId?: number | undefined;
  guid?: string | undefined;
  sortBy: 'post_date' | 'post_id';
  direction: 'asc' | 'desc';
}

export function authorizeEpisodeList({ query, caller, refuse }: Call<typeof listEpisodes>): void {
  if (query.status !== 'publish' && !can(caller, 'edit_posts'))
    throw refuse('rest_forbidden', 'Only users who write episodes may list unpublished ones.');
}

/** Lists the episodes that the caller can read, without pagination. */
export async function handleListEpisodes(call: Call<typeof listEpisodes>): Promise<ResultOf<typeof listEpisodes>> {
  const { status, show: slug, guid, sort_by: sortBy, order_by } = call.query;
  const show = slug ? await findShow(call, slug) : undefined;
  if (slug && !show) throw call.refuse('rest_not_found', `There is no show with the slug "${slug}".`);
  const direction = order_by === 'asc' || order_by === 'ASC' ? 'asc' : 'desc';
  return item({
    results: await listRows(call, { status, showId: show?.id, guid: guid || undefined, sortBy, direction }),
    _version: 'v2',
  });
}

export async function handleListEpisodesV1(
  call: Call<typeof listEpisodesV1>,
): Promise<ResultOf<typeof listEpisodesV1>> {
  return item({
    results: await listRows(call, { status: 'publish', sortBy: 'post_date', direction: 'desc' }),
    _version: 'v1',
  });
}

async function listRows(call: AnyCall, { status, showId, guid, sortBy, direction }: ListQuery) {
  const record = await loadPodcastRecord(call);
  const order = direction === 'asc' ? asc : desc;
  const { id, type, title, password, authorId, parentId, statusBeforeTrash } = content;
  const rows = await call.context.store.db
    .select({
      episode: { id: podcastEpisode.id, title: podcastEpisode.title, number: podcastEpisode.number },
      page: { id, type, status: content.status, title, password, authorId, parentId, statusBeforeTrash },
    })
    .from(podcastEpisode)
    .innerJoin(content, eq(content.id, podcastEpisode.contentId))
    .where(
      and(
        eq(content.type, EPISODE_PAGE_TYPE),
        inArray(content.status, [...STATUSES[status]]),
        showId === undefined ? undefined : eq(podcastEpisode.showId, showId),
        guid === undefined ? undefined : eq(podcastEpisode.guid, guid),
      ),
    )
    .orderBy(...(sortBy === 'post_date' ? [order(content.date)] : []), order(content.id));
  return rows
    .filter(({ page }) => canReadEpisode(page, call.caller))
    .map((row) => ({ id: row.episode.id, title: episodeTitle(row, record) }));
}
