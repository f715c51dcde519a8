import type { MiddlewareHandler } from 'hono';
import { FEED_MIME_TYPE, writeFeed } from '#contracts/podcast/feed-document.ts';
import { isWebAddress } from '#contracts/podcast/shared-schemas.ts';
import { matchesEtag } from '#origin/platform/cache/response-cache.ts';
import { type OriginContext, Memo } from '#origin/platform/context/origin-context.ts';
import { addresses } from '#origin/platform/http/transport/call.ts';
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
import { createHash } from 'node:crypto';

const CONTENT_TYPE = `${FEED_MIME_TYPE}; charset=UTF-8`;

/** Highest valid page number of a feed. */
const MAX_PAGE = 10_000;

/** User agents of feed validators and redirect targets. They get the feed instead of its redirect. */
const CHECKERS = /feedvalidator|feedburner|w3c_validator|castfeedvalidator/i;

interface FeedResult {
  document: RenderedFeed;
  address: string;
  /** The feed redirects there. Validators get the document. */
  target?: { address: string; status: number } | undefined;
}

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
    const found = await (isOfPosts ? composePosts(context) : resolveFeed(context, request, { page, render }));
    if (!found) return c.notFound();
    if (!request.hasSlash) return redirectToSlash(found.address + url.search, found.document);
    const isChecked = url.searchParams.get('redirect') === 'no' || CHECKERS.test(c.req.header('user-agent') ?? '');
    if (found.target && !isChecked)
      return new Response(null, { status: found.target.status, headers: { Location: found.target.address } });
    return createResponse(c.req.raw, found);
  };
}

async function composePosts(context: OriginContext): Promise<FeedResult> {
  const document = withEtag(await composePostFeed(createFeedRequest(context)));
  return { document, address: `${context.publicUrl}/feed/` };
}

async function resolveFeed(
  context: OriginContext,
  request: FeedRequest,
  { page, render }: { page: number; render: RenderNotes },
): Promise<FeedResult | undefined> {
  const feedRequest = createFeedRequest(context);
  // In a new store, this creates the default feed.
  await loadPodcastRecord(feedRequest);
  const found = await findFeed(context.store.db, request);
  const made = found && (await composeFeed(feedRequest, found, page, render));
  if (!made) return undefined;
  const document = withEtag({ text: writeFeed(made), updated: made.channel.updated });
  const address = feedAddress(feedRequest, found.feed.slug, found.show?.slug);
  return { document, address, target: findRedirect(found, address) };
}

function createFeedRequest(context: OriginContext): FeedContext {
  const { publicUrl, restRoot, namespaces } = context;
  return { context, requestMemo: new Memo(), addresses: addresses(publicUrl, restRoot, namespaces) };
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

/** Redirects to the address with the slash, with the type of the feed. */
function redirectToSlash(location: string, { etag, updated }: RenderedFeed): Response {
  const headers = {
    Location: location,
    ETag: etag,
    'Last-Modified': updated.toUTCString(),
    'Content-Type': CONTENT_TYPE,
  };
  return new Response(null, { status: 301, headers });
}

function createResponse({ headers: requestHeaders }: Request, { document, target }: FeedResult): Response {
  const { text, etag, updated } = document;
  const modified = updated.toUTCString();
  const headers = new Headers({
    ETag: etag,
    'Last-Modified': modified,
    // Validators get a document where others are redirected, so that one must not be cached.
    'Cache-Control': target ? 'no-cache' : 'public, no-cache',
    // CORS: players on other sites read the feed.
    'Access-Control-Allow-Origin': '*',
    'X-Content-Type-Options': 'nosniff',
  });
  const tags = requestHeaders.get('if-none-match');
  // The exact date: two changes within a second only differ in the ETag.
  const isSame = tags === null ? requestHeaders.get('if-modified-since') === modified : matchesEtag(etag, tags);
  // `responseCache` compares the ETags of public responses.
  if (isSame && (target || tags === null)) return new Response(null, { status: 304, headers });
  headers.set('Content-Type', CONTENT_TYPE);
  return new Response(text, { headers });
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

interface RenderedFeed {
  text: string;
  /** Quoted ETag, derived from the text alone. */
  etag: string;
  updated: Date;
}

/** Adds an ETag derived from the text. */
function withEtag({ text, updated }: Pick<RenderedFeed, 'text' | 'updated'>): RenderedFeed {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return { text, updated, etag: `"${digest}"` };
}
