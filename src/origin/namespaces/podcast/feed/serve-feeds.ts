import type { MiddlewareHandler } from 'hono';
import { FEED_MIME_TYPE, writeFeed } from '#contracts/podcast/feed-document.ts';
import { isWebAddress } from '#contracts/podcast/shared-schemas.ts';
import { matchesEtag } from '#origin/platform/cache/response-cache.ts';
import { type OriginContext, Memo } from '#origin/platform/context/origin-context.ts';
import { runTextJob } from '#origin/platform/render/worker/text-jobs.ts';
import { feedAddress, loadPodcastRecord } from '../podcast-record.ts';
import {
  composeFeed,
  type RenderNotes,
  findFeed,
  parseFeedAddress,
  type FeedContext,
  type FeedRequest,
  type FeedWithShow,
  composePostFeed,
} from './compose-feed.ts';
import { hash } from 'node:crypto';

const CONTENT_TYPE = `${FEED_MIME_TYPE}; charset=UTF-8`;

/** Highest valid page number of a feed. */
const MAX_PAGE = 10_000;

/** User agents of feed validators and redirect targets. They get the feed instead of its redirect. */
const CHECKERS = /feedvalidator|feedburner|w3c_validator|castfeedvalidator/i;

/** Serves the feeds of the podcast, of its shows, and of the site's posts. */
export function serveFeeds(context: OriginContext): MiddlewareHandler {
  const render = createNotesCache();
  return async (c, next) => {
    const url = new URL(c.req.url);
    const isOfPosts = /^\/feed\/?$/.test(url.pathname);
    const request = isOfPosts ? { slug: '', hasSlash: url.pathname.endsWith('/') } : parseFeedAddress(url);
    if (!request) return next();
    const page = readPage(url.searchParams.get('paged'));
    if (page === undefined) return c.notFound();
    const scope = { context, requestMemo: new Memo() };
    const feed = await (isOfPosts ? composePostFeed(scope) : renderFeed(scope, request, page, render));
    if (!feed) return c.notFound();
    const isChecked = url.searchParams.get('redirect') === 'no' || CHECKERS.test(c.req.header('user-agent') ?? '');
    if (request.hasSlash && feed.target && !isChecked)
      return new Response(null, { status: feed.target.status, headers: { Location: feed.target.address } });
    // Derived from the text alone.
    const etag = `"${hash('sha256', feed.text).slice(0, 32)}"`;
    const headers = new Headers({
      ETag: etag,
      'Last-Modified': feed.updated.toUTCString(),
      'Content-Type': CONTENT_TYPE,
    });
    if (request.hasSlash) return createResponse(c.req.raw.headers, feed, headers);
    headers.set('Location', feed.address + url.search);
    return new Response(null, { status: 301, headers });
  };
}

async function renderFeed(scope: FeedContext, request: FeedRequest, page: number, render: RenderNotes) {
  // In a new store, this creates the default feed.
  await loadPodcastRecord(scope);
  const found = await findFeed(scope, request);
  const made = found && (await composeFeed(scope, found, page, render));
  if (!made) return undefined;
  const address = feedAddress(scope.context, found.feed.slug, found.show?.slug);
  return { text: writeFeed(made), updated: made.channel.updated, address, target: findRedirect(found, address) };
}

function readPage(text: string | null): number | undefined {
  const page = text === null ? 1 : /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return page >= 1 && page <= MAX_PAGE ? page : undefined;
}

/** Returns the redirect target of a feed, unless that is the feed itself. */
function findRedirect({ feed }: FeedWithShow, feedUrl: string): { address: string; status: number } | undefined {
  const { redirectUrl: address, redirectStatus: status } = feed;
  const isUsable = isWebAddress(address) && address.replace(/\/$/, '') !== feedUrl.replace(/\/$/, '');
  return isUsable && [301, 302, 307, 308].includes(status) ? { address, status } : undefined;
}

function createResponse(
  requestHeaders: Headers,
  { text, target }: { text: string; target: object | undefined },
  headers: Headers,
): Response {
  // Validators get a document where others are redirected, so that one must not be cached.
  headers.set('Cache-Control', target ? 'no-cache' : 'public, no-cache');
  // CORS: players on other sites read the feed.
  headers.set('Access-Control-Allow-Origin', '*');
  headers.set('X-Content-Type-Options', 'nosniff');
  const tags = requestHeaders.get('if-none-match');
  // The exact date: two changes within a second only differ in the ETag.
  const isSame =
    tags === null
      ? requestHeaders.get('if-modified-since') === headers.get('last-modified')
      : matchesEtag(headers.get('etag') ?? '', tags);
  // `responseCache` compares the ETags of public responses.
  if (!isSame || (!target && tags !== null)) return new Response(text, { headers });
  headers.delete('Content-Type');
  return new Response(null, { status: 304, headers });
}

/** Maximum rendered page texts in the cache. An edited episode changes only one text of a feed. */
const MAX_NOTES = 2000;
/** Longer texts are not cached, which bounds the memory of the cache. */
const MAX_NOTES_LENGTH = 20_000;

function createNotesCache(): RenderNotes {
  const cache = new Map<number, { source: string; html: string }>();
  return async (pageId, source) => {
    const cached = cache.get(pageId);
    if (cached?.source === source) return cached.html;
    const html = source.trim() === '' ? '' : await runTextJob('content', source);
    cache.delete(pageId);
    if (source.length + html.length > MAX_NOTES_LENGTH) return html;
    cache.set(pageId, { source, html });
    const [oldest] = cache.keys();
    if (cache.size > MAX_NOTES && oldest !== undefined) cache.delete(oldest);
    return html;
  };
}
