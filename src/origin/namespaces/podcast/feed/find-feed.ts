import { and, asc, eq, desc } from 'drizzle-orm';
import { removeUnstorable } from '#origin/platform/http/transport/rest-request.ts';
import type { AnyCall } from '#origin/platform/http/transport/call.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { podcastFeed, podcastShow } from '../tables.ts';
import { writePostFeed } from '#contracts/podcast/feed-document.ts';
import { getContentUrl } from '#origin/platform/content/content-url.ts';
import { runTextJob } from '#origin/platform/render/worker/run-text-job.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { loadSite, replaceSiteUrl } from '#origin/platform/site/load-site.ts';
import { content } from '#origin/platform/store/schema.ts';

/** Parts of a request that composing a feed needs. */
export type FeedContext = Pick<AnyCall, 'addresses' | 'context' | 'requestMemo'>;

type FeedRow = typeof podcastFeed.$inferSelect;
type ShowRow = typeof podcastShow.$inferSelect;

/** A feed of the whole podcast, or of one of its shows. */
export interface FeedWithShow {
  feed: FeedRow;
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
  try {
    return removeUnstorable(decodeURIComponent(part));
  } catch {
    return part;
  }
}

/** Finds the requested feed. Protected feeds are never found, as no route accepts their password. */
export async function findFeed(db: Database, { slug, show }: FeedRequest): Promise<FeedWithShow | undefined> {
  const isOpen = and(eq(podcastFeed.slug, slug), eq(podcastFeed.enabled, true), eq(podcastFeed.isProtected, false));
  const [feed] = await db.select().from(podcastFeed).where(isOpen);
  if (!feed || show === undefined) return feed && { feed };
  const [found] = await db.select().from(podcastShow).where(eq(podcastShow.slug, show));
  return found && { feed, show: found };
}

/** Returns the address of a feed of the podcast or one of its shows, with a trailing slash. */
export function feedAddress(
  { addresses }: { addresses: Pick<AnyCall['addresses'], 'site'> },
  slug: string,
  showSlug?: string,
): string {
  const below = showSlug === undefined ? '' : `/show/${encodeURIComponent(showSlug)}`;
  return `${addresses.site}${below}/feed/${encodeURIComponent(slug)}/`;
}

/** Finds the other discoverable feeds: the same episodes in other formats, and the other shows. */
export async function findAlternates(db: Database, { feed, show }: FeedWithShow): Promise<FeedWithShow[]> {
  const isShown = and(
    eq(podcastFeed.enabled, true),
    eq(podcastFeed.discoverable, true),
    eq(podcastFeed.isProtected, false),
  );
  const feeds = await db
    .select()
    .from(podcastFeed)
    .where(isShown)
    .orderBy(asc(podcastFeed.position), asc(podcastFeed.id));
  const shows = await db.select().from(podcastShow).orderBy(asc(podcastShow.id));
  return [
    ...feeds.filter(({ id }) => id !== feed.id).map((other) => ({ feed: other, show })),
    ...[undefined, ...shows].filter((other) => other?.id !== show?.id).map((other) => ({ feed, show: other })),
  ];
}

/** Maximum posts in the feed of the site. */
const MAX_POSTS = 10;

/** Composes the feed of the site's newest posts, without password-protected ones. */
export async function composePostFeed(request: FeedContext): Promise<{ text: string; updated: Date }> {
  const { context, addresses } = request;
  const site = await loadSite(request);
  const rows = await context.store.db
    .select()
    .from(content)
    .where(and(eq(content.type, 'post'), eq(content.status, 'publish'), eq(content.password, '')))
    .orderBy(desc(content.date), desc(content.id))
    .limit(MAX_POSTS);
  const withCurrentUrl = (text: string) => replaceSiteUrl(text, site.url, addresses.site);
  const posts = await Promise.all(
    rows.map(async (row) => {
      const link = getContentUrl(row, { site: addresses.site, kinds: context.kinds }, new Map());
      const [notes, excerpt] = [
        await runTextJob('content', withCurrentUrl(row.content)),
        await runTextJob('excerpt', withCurrentUrl(row.excerpt), withCurrentUrl(row.content)),
      ];
      const guid = row.guid || link;
      return {
        title: plainText(row.title),
        link,
        guid,
        published: parseUtc(row.dateGmt ?? row.date),
        summary: plainText(excerpt),
        notes,
      };
    }),
  );
  const changes = rows.map(({ modifiedGmt }) => parseUtc(modifiedGmt).getTime());
  const updated = new Date(Math.max(0, ...changes));
  const channel = {
    title: plainText(site.name),
    link: addresses.site,
    description: plainText(site.description),
    self: `${addresses.site}/feed/`,
    updated,
  };
  return { text: writePostFeed(channel, posts), updated };
}

function parseUtc(text: string): Date {
  return new Date(`${text.slice(0, 19).replace(' ', 'T')}Z`);
}
