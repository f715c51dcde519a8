import { and, asc, eq } from 'drizzle-orm';
import { FILE_TYPES, type listFeeds } from '#contracts/podcast/index.ts';
import { item, type ResultOf, type AnyCall, type Call } from '#origin/platform/http/transport/index.ts';
import { feedAddress } from './feed/find-feed.ts';
import { loadPodcastRecord } from './podcast-record.ts';
import { podcastAsset, podcastFeed } from './tables.ts';

export type FeedRow = typeof podcastFeed.$inferSelect;

/** Loads the discoverable feeds in order. */
export function loadDiscoverableFeeds(call: Pick<AnyCall, 'context' | 'requestMemo'>): Promise<FeedRow[]> {
  return call.requestMemo.once('podcast feeds', async () => {
    await loadPodcastRecord(call);
    return call.context.store.db
      .select()
      .from(podcastFeed)
      .where(eq(podcastFeed.discoverable, true))
      .orderBy(asc(podcastFeed.position), asc(podcastFeed.id));
  });
}

/** Lists the public feeds. */
export async function handleListFeeds(call: Call<typeof listFeeds>): Promise<ResultOf<typeof listFeeds>> {
  const { title } = await loadPodcastRecord(call);
  const feeds = await call.context.store.db
    .select({ feed: podcastFeed, fileType: podcastAsset.fileType })
    .from(podcastFeed)
    .leftJoin(podcastAsset, eq(podcastAsset.id, podcastFeed.assetId))
    .where(and(eq(podcastFeed.discoverable, true), eq(podcastFeed.enabled, true), eq(podcastFeed.isProtected, false)))
    .orderBy(asc(podcastFeed.position), asc(podcastFeed.id));
  return item({
    _version: 'v2',
    results: feeds.map(({ feed: { id, slug, name, appendsName }, fileType }) => {
      const type = FILE_TYPES.find(({ extension }) => extension === fileType);
      return {
        id,
        title: title !== null && appendsName ? `${title} (${name})` : title,
        url: feedAddress(call, slug),
        content_type: 'application/rss+xml',
        ...(type ? { file_type: { name: type.name, extension: type.extension, mime_type: type.mimeType } } : {}),
      };
    }),
  });
}
