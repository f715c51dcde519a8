import { and, desc, eq, gt, inArray, isNotNull, max, ne, or, asc, sql } from 'drizzle-orm';
import { chapterFormat, chaptersWithin } from '#contracts/podcast/chapter.ts';
import { copyrightLine, EPISODE_PAGE_TYPE } from '#contracts/podcast/episode-routes.ts';
import { directoryCategory } from '#contracts/podcast/record.ts';
import { isWebAddress } from '#contracts/podcast/shared-schemas.ts';
import { parsePlayTime } from '#contracts/podcast/play-time.ts';
import { type FeedChannel, type FeedItem, writePostFeed } from '#contracts/podcast/feed-document.ts';
import { readMediaFile } from '#origin/platform/content/read-media-file.ts';
import { fromSiteTime } from '#contracts/site-clock.ts';
import { loadSite, replaceSiteUrl } from '#origin/platform/site/load-site.ts';
import { content } from '#origin/platform/store/schema.ts';
import { isPublicEpisode, linkEpisode, type EpisodeRow, type EpisodeWithPage } from '../find-episode.ts';
import { isEnabled, loadAllFiles, publicMediaAddress, type EnabledFile } from '../media/list-files.ts';
import {
  feedAddress,
  isListed,
  loadFeeds,
  loadPodcastRecord,
  type Feed,
  type PodcastRecord,
} from '../podcast-record.ts';
import { findShow, type ShowRow } from '../shows.ts';
import { podcastEpisode, podcastMediaFile, podcastShow } from '../tables.ts';
import { removeUnstorable } from '#origin/platform/http/transport/rest-request.ts';
import type { AnyCall } from '#origin/platform/http/transport/call.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { getContentUrl } from '#origin/platform/content/content-url.ts';
import { runTextJob } from '#origin/platform/render/worker/text-jobs.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { decodePercent } from '#contracts/scan-text.ts';

/** Maximum episodes per page of a feed: apps fail on large documents. */
const MAX_ITEMS = 500;

/** Renders the text of a page or returns it from the cache. */
export type RenderNotes = (pageId: number, source: string) => Promise<string>;

/**
 * Composes a page of a feed: published episodes with an enabled file, newest first. Password-protected episodes are
 * left out, because the feed would expose their files.
 *
 * @returns undefined for a page after the last one
 */
export async function composeFeed(request: FeedContext, found: FeedWithShow, page: number, render: RenderNotes) {
  const record = await loadPodcastRecord(request);
  const { limitItems } = found.feed;
  const limit = limitItems === 0 ? record.limit_items : limitItems;
  const size = limit > 0 ? Math.min(limit, MAX_ITEMS) : MAX_ITEMS;
  const episodes = await loadEpisodes(request, found, size, (page - 1) * size);
  if (page > 1 && episodes.length === 0) return undefined;
  const pages = Math.max(1, Math.ceil((episodes[0]?.total ?? 0) / size));
  const channel = await composeChannel(request, found, record, { page, pages });
  return { channel, items: await composeItems(request, found, record, { episodes, render }) };
}

/** Loads a page of episodes, newest first. Each row has the total number of episodes. */
function loadEpisodes({ context }: FeedContext, { feed, show }: FeedWithShow, limit: number, offset: number) {
  return context.store.db
    .select({ episode: podcastEpisode, page: content, total: sql<number>`count(*) over ()`.mapWith(Number) })
    .from(podcastEpisode)
    .innerJoin(content, eq(content.id, podcastEpisode.contentId))
    .innerJoin(podcastMediaFile, eq(podcastMediaFile.episodeId, podcastEpisode.id))
    .where(
      and(
        isPublicEpisode,
        ne(podcastEpisode.slug, ''),
        eq(podcastMediaFile.assetId, feed.assetId ?? 0),
        eq(podcastMediaFile.active, true),
        gt(podcastMediaFile.size, 0),
        show && eq(podcastEpisode.showId, show.id),
      ),
    )
    .orderBy(desc(content.date), desc(content.id))
    .limit(limit)
    .offset(offset);
}

async function composeChannel(
  request: FeedContext,
  found: FeedWithShow,
  record: PodcastRecord,
  { page, pages }: { page: number; pages: number },
): Promise<FeedChannel> {
  const { feed, show } = found;
  const site = await loadSite(request);
  const described = describeShow(record, show);
  const about = { ...described, title: described.title || site.name };
  const self = feedAddress(request.context, feed.slug, show?.slug);
  const pageAddress = (n: number) => (n === 1 ? self : `${self}?paged=${n}`);
  const updated = await lastChange(request, record);
  const alternates = await findAlternates(request.context.store.db, found);
  const owner = { copyright: about.copyright, author: about.author, title: about.title };
  return {
    ...about,
    title: feed.appendsName ? `${about.title} (${feed.name})` : about.title,
    link: request.context.publicUrl,
    tagline: site.description,
    updated,
    copyright: copyrightLine(owner, updated.getUTCFullYear()),
    generator: 'Sortiment',
    address: {
      self: pageAddress(page),
      name: feed.name,
      first: self,
      previous: page > 1 ? pageAddress(page - 1) : undefined,
      next: page < pages ? pageAddress(page + 1) : undefined,
      last: pages > 1 ? pageAddress(pages) : undefined,
      alternates: alternates.map((other) => {
        const { title, language } = describeShow(record, other.show);
        return {
          title: `${title} (${other.feed.name})`,
          href: feedAddress(request.context, other.feed.slug, other.show?.slug),
          language,
        };
      }),
      movedTo: [301, 308].includes(feed.redirectStatus) ? feed.redirectUrl : undefined,
    },
  };
}

/** Describes the podcast or one of its shows. Missing values of a show fall back to the podcast. */
function describeShow(record: PodcastRecord, show: FeedWithShow['show']) {
  const category = show?.category ?? record.category;
  return {
    title: show?.title ?? record.title ?? '',
    subtitle: (show ? show.subtitle : record.subtitle) ?? undefined,
    summary: (show ? show.summary : record.summary) ?? undefined,
    language: show?.language ?? record.language ?? undefined,
    guid: show?.guid ?? record.guid,
    copyright: show?.copyright ?? record.copyright ?? undefined,
    author: show?.authorName ?? record.author_name ?? undefined,
    email: show?.email ?? record.podcast_email ?? undefined,
    type: show?.itunesType ?? record.itunes_type ?? undefined,
    category: category === null ? undefined : directoryCategory(category),
    image: show?.image ?? record.cover_image ?? undefined,
    isExplicit: show?.explicit ?? record.explicit,
    funding: linkOf(show?.fundingLabel ?? record.funding_label, show?.fundingUrl ?? record.funding_url),
    license: linkOf(show?.licenseName ?? record.license_name, show?.licenseUrl ?? record.license_url),
  };
}

function linkOf(name: string | null, href: string | null): { name: string; href: string } | undefined {
  return href && isWebAddress(href) ? { name: name ?? '', href } : undefined;
}

/**
 * Returns when the feed last changed: the podcast, or any page that is or was published. Pages that left the feed
 * count too, so that the date never moves back.
 */
async function lastChange({ context }: FeedContext, record: PodcastRecord): Promise<Date> {
  const isPublished = eq(content.status, 'publish');
  const date = sql`${max(content.dateGmt)} filter (where ${isPublished})`.mapWith(content.dateGmt);
  const [row] = await context.store.db
    .select({ modified: max(content.modifiedGmt), date })
    .from(content)
    .where(
      and(
        eq(content.type, EPISODE_PAGE_TYPE),
        or(inArray(content.status, ['publish', 'private', 'trash']), isNotNull(content.dateGmt)),
        ne(content.status, 'future'),
      ),
    );
  const dates = [row?.modified, row?.date].flatMap((text) => (text ? [fromSiteTime(text, 'UTC')] : []));
  const latest = Math.max(Date.parse(record.modified), ...dates.map((date) => date.getTime()));
  // HTTP and RSS dates have whole seconds.
  return new Date(Math.floor(latest / 1000) * 1000);
}

async function composeItems(
  request: FeedContext,
  { feed, show }: FeedWithShow,
  record: PodcastRecord,
  { episodes, render }: { episodes: readonly EpisodeWithPage[]; render: RenderNotes },
): Promise<FeedItem[]> {
  const site = await loadSite(request);
  const stored = await loadAllFiles(
    request,
    episodes.map(({ episode }) => episode),
  );
  const covers = await loadCovers(request, episodes);
  const language = show?.language ?? record.language ?? undefined;
  const items = await Promise.all(
    episodes.map(async ({ episode, page }): Promise<FeedItem | undefined> => {
      const files = (stored.get(episode.id) ?? []).filter(isEnabled);
      const file = files.find(({ asset }) => asset.id === feed.assetId);
      if (!file) return undefined;
      const link = linkEpisode(page, request.context);
      const durationMs = parsePlayTime(episode.duration ?? '') ?? 0;
      const notes = feed.showsContent
        ? await render(page.id, replaceSiteUrl(page.content, site.url, request.context.publicUrl))
        : '';
      return {
        title: episode.title ?? page.title,
        link,
        guid: episode.guid,
        published: page.dateGmt === null ? fromSiteTime(page.date, site.timezone) : fromSiteTime(page.dateGmt, 'UTC'),
        subtitle: episode.subtitle?.trim(),
        summary: episode.summary?.trim(),
        notes: notes.trim(),
        file: {
          href: publicMediaAddress(request.context, record, file, { source: 'feed', context: feed.slug }),
          bytes: file.file.size,
          mimeType: file.asset.type.mimeType,
        },
        durationMs,
        number: episode.number ?? undefined,
        season: episode.season ?? undefined,
        type: episode.type,
        isExplicit: episode.explicit,
        image: episode.poster ?? covers.get(page.featuredMedia),
        chapters: chaptersWithin(episode.chapters, durationMs),
        chaptersHref: `${link}${link.includes('?') ? '&' : '?'}chapters_format=${chapterFormat.enum.pijson}`,
        transcripts: transcriptsOf(files, language),
        soundbite: soundbiteOf(episode),
        license: linkOf(episode.licenseName, episode.licenseUrl),
      };
    }),
  );
  return items.filter((item) => item !== undefined);
}

/** Loads cover images: addresses by media ID. */
async function loadCovers({ context }: FeedContext, episodes: readonly EpisodeWithPage[]) {
  const ids = [...new Set(episodes.map(({ page }) => page.featuredMedia).filter((id) => id > 0))];
  if (ids.length === 0) return new Map<number, string>();
  const rows = await context.store.db
    .select()
    .from(content)
    .where(and(inArray(content.id, ids), eq(content.type, 'attachment')));
  return new Map(rows.map((row) => [row.id, readMediaFile(row, `${context.publicUrl}/uploads`).url]));
}

function transcriptsOf(files: readonly EnabledFile[], language: string | undefined): FeedItem['transcripts'] {
  return files
    .filter(({ asset, file }) => ['transcript', 'captions'].includes(asset.type.kind) && file.size > 0)
    .map(({ asset, place: location }) => ({ href: location.address, mimeType: asset.type.mimeType, language }));
}

function soundbiteOf({ soundbiteStart, soundbiteDuration, soundbiteTitle }: EpisodeRow): FeedItem['soundbite'] {
  const [startMs, durationMs] = [soundbiteStart, soundbiteDuration].map((time) => parsePlayTime(time ?? ''));
  if (startMs === undefined || !durationMs) return undefined;
  return { startMs, durationMs, title: soundbiteTitle ?? undefined };
}

/** Parts of a request that composing a feed needs. */
export type FeedContext = Pick<AnyCall, 'context' | 'requestMemo'>;

/** A feed of the whole podcast, or of one of its shows. */
export interface FeedWithShow {
  feed: Feed;
  show?: ShowRow | undefined;
}

/** Feed and show named by an address. */
export interface FeedRequest {
  slug: string;
  show?: string | undefined;
  /** True if the path ends with a slash. */
  hasSlash: boolean;
}

const PATH = /^\/(?:show\/([^/]{1,200})\/)?feed\/([^/]{1,200})(\/?)$/;

/** Parses `/feed/mp3/`, `/show/<show>/feed/mp3/` or `/?feed=mp3`. Returns undefined for other addresses. */
export function parseFeedAddress({ pathname, searchParams }: URL): FeedRequest | undefined {
  const query = searchParams.get('feed');
  if (pathname === '/' && query !== null) return { slug: removeUnstorable(query), hasSlash: true };
  const [, show, slug, slash] = PATH.exec(pathname) ?? [];
  if (slug === undefined) return undefined;
  return { slug: decode(slug), hasSlash: slash === '/', ...(show === undefined ? {} : { show: decode(show) }) };
}

function decode(part: string): string {
  return removeUnstorable(decodePercent(part));
}

/** Finds the requested feed. Protected feeds are never found, as no route accepts their password. */
export async function findFeed({ context }: FeedContext, { slug, show }: FeedRequest) {
  const feeds = await loadFeeds(context.store.db);
  const feed = feeds.find((one) => one.slug === slug && one.enabled && !one.isProtected);
  if (!feed || show === undefined) return feed && { feed, show: undefined };
  const found = await findShow({ context }, eq(podcastShow.slug, show));
  return found && { feed, show: found };
}

/** Finds the other discoverable feeds: the same episodes in other formats, and the other shows. */
async function findAlternates(db: Database, { feed, show }: FeedWithShow): Promise<FeedWithShow[]> {
  const feeds = (await loadFeeds(db)).filter(isListed);
  const shows = await db.select().from(podcastShow).orderBy(asc(podcastShow.id));
  return [
    ...feeds.filter(({ id }) => id !== feed.id).map((other) => ({ feed: other, show })),
    ...[undefined, ...shows].filter((other) => other?.id !== show?.id).map((other) => ({ feed, show: other })),
  ];
}

/** Maximum posts in the feed of the site. */
const MAX_POSTS = 10;

/** Composes the feed of the site's newest posts, without password-protected ones. */
export async function composePostFeed(request: FeedContext) {
  const { store, publicUrl, kinds } = request.context;
  const site = await loadSite(request);
  const rows = await store.db
    .select()
    .from(content)
    .where(and(eq(content.type, 'post'), eq(content.status, 'publish'), eq(content.password, '')))
    .orderBy(desc(content.date), desc(content.id))
    .limit(MAX_POSTS);
  const withCurrentUrl = (text: string) => replaceSiteUrl(text, site.url, publicUrl);
  const posts = await Promise.all(
    rows.map(async (row) => {
      const link = getContentUrl(row, { site: publicUrl, kinds }, new Map());
      const excerpt = await runTextJob('excerpt', withCurrentUrl(row.excerpt), withCurrentUrl(row.content));
      return {
        title: plainText(row.title),
        link,
        guid: row.guid || link,
        published: fromSiteTime(row.dateGmt ?? row.date, 'UTC'),
        summary: plainText(excerpt),
        notes: await runTextJob('content', withCurrentUrl(row.content)),
      };
    }),
  );
  const changes = rows.map(({ modifiedGmt }) => fromSiteTime(modifiedGmt, 'UTC').getTime());
  const updated = new Date(Math.max(0, ...changes));
  const address = `${publicUrl}/feed/`;
  const channel = {
    title: plainText(site.name),
    link: publicUrl,
    description: plainText(site.description),
    self: address,
    updated,
  };
  return { text: writePostFeed(channel, posts), updated, address, target: undefined };
}
