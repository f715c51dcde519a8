import {
  copyrightLine,
  displayCategory,
  displayLanguage,
  type getPodcast,
  type getShow,
  type updatePodcast,
  FILE_TYPES,
  type listFeeds,
} from '#contracts/podcast/index.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { item, type ResultOf, type AnyCall, type Call } from '#origin/platform/http/transport/index.ts';
import { feedAddress } from './feed/find-feed.ts';
import { updatePodcastRecord, loadPodcastRecord, type PodcastRecord } from './podcast-record.ts';
import { omitUndefined, podcastAsset, podcastFeed } from './tables.ts';
import { and, asc, eq } from 'drizzle-orm';

/** Returns the podcast for version 1. */
export async function handleGetPodcastV1(call: Call<typeof getShow>): Promise<ResultOf<typeof getShow>> {
  return item({ _version: 'v1', ...presentHead(await loadPodcastRecord(call), call) });
}

export async function handleGetPodcast(call: Call<typeof getPodcast>): Promise<ResultOf<typeof getPodcast>> {
  const record = await loadPodcastRecord(call);
  const feeds = await loadDiscoverableFeeds(call);
  const { guid, author_name: author, title, copyright } = record;
  const owner = { copyright: copyright ?? undefined, author: author ?? undefined, title: title ?? undefined };
  return item({
    _version: 'v2',
    guid,
    ...presentHead(record, call),
    podcast_email: record.podcast_email,
    funding_url: record.funding_url,
    funding_label: record.funding_label,
    copyright: copyrightLine(owner, new Date().getUTCFullYear()),
    explicit: record.explicit,
    category: displayCategory(record.category ?? undefined),
    language: displayLanguage(record.language ?? undefined),
    license_url: record.license_url,
    license_name: record.license_name,
    feeds: feeds.map(({ slug }) => ({ [slug]: feedAddress(call, slug) })),
  });
}

function presentHead(record: PodcastRecord, { addresses }: Pick<AnyCall, 'addresses'>) {
  const { title, subtitle, summary, mnemonic, itunes_type, author_name, cover_image } = record;
  return { title, subtitle, summary, mnemonic, itunes_type, author_name, poster: cover_image, link: addresses.site };
}

export function authorizePodcastWrite({ caller, refuse }: AnyCall): void {
  if (!can(caller, 'manage_options'))
    throw refuse('rest_forbidden', 'Only users who manage the site may set up the podcast.');
}

/** Updates the sent fields of the podcast. */
export async function handleUpdatePodcast(call: Call<typeof updatePodcast>): Promise<ResultOf<typeof updatePodcast>> {
  const values = omitUndefined<PodcastRecord>(call.body);
  if (Object.keys(values).length > 0) await updatePodcastRecord(call, values);
  return item({ status: 'ok' });
}

type FeedRow = typeof podcastFeed.$inferSelect;

/** Loads the discoverable feeds in order. */
function loadDiscoverableFeeds(call: Pick<AnyCall, 'context' | 'requestMemo'>): Promise<FeedRow[]> {
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
