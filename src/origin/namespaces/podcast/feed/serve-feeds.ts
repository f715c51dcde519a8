import type { MiddlewareHandler } from 'hono';
import { FEED_MIME_TYPE, writeFeed } from '#contracts/podcast/feed-document.ts';
import { isWebAddress } from '#contracts/podcast/shared-schemas.ts';
import { EPISODE_PAGE_TYPE } from '#contracts/podcast/episode-routes.ts';
import { matchesEtag } from '#origin/platform/cache/response-cache.ts';
import { type OriginContext, Memo } from '#origin/platform/context/origin-context.ts';
import { addresses } from '#origin/platform/http/transport/call.ts';
import { runTextJob } from '#origin/platform/render/worker/run-text-job.ts';
import { feedAddress, loadPodcastRecord, PODCAST_OPTION } from '../podcast-record.ts';
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
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { SITE_OPTION } from '#origin/platform/site/load-site.ts';
import type { Database } from '#origin/platform/store/store.ts';

const CONTENT_TYPE = `${FEED_MIME_TYPE}; charset=UTF-8`;

/** Highest valid page number of a feed. */
const MAX_PAGE = 10_000;

/** User agents of feed validators and redirect targets. They get the feed instead of its redirect. */
const CHECKERS = /feedvalidator|feedburner|w3c_validator|castfeedvalidator/i;

type FeedResult =
  | { kind: 'feed'; document: RenderedFeed; address: string }
  /** The feed redirects. Validators get the document. */
  | { kind: 'moved'; document: RenderedFeed; address: string; target: { address: string; status: number } };

/** Serves the feeds of the podcast, of its shows, and of the site's posts. */
export function serveFeeds(context: OriginContext): MiddlewareHandler {
  const cache = new DocumentCache<FeedResult>(
    () => readFeedState(context.store.db),
    ({ document }) => document.text.length,
  );
  const render = createNotesCache();
  return async (c, next) => {
    const url = new URL(c.req.url);
    const isOfPosts = /^\/feed\/?$/.test(url.pathname);
    const request = isOfPosts ? { slug: '', hasSlash: url.pathname.endsWith('/') } : parseFeedAddress(url);
    if (!request) return next();
    const page = readPage(url.searchParams.get('paged'));
    if (page === undefined) return c.notFound();
    const key = JSON.stringify([isOfPosts, request.slug, request.show, page]);
    const found = await cache.get(key, () =>
      isOfPosts ? composePosts(context) : resolveFeed(context, request, { page, render }),
    );
    if (!found) return c.notFound();
    if (!request.hasSlash) return redirectToSlash(found.address + url.search, found.document);
    const isChecked = url.searchParams.get('redirect') === 'no' || CHECKERS.test(c.req.header('user-agent') ?? '');
    if (found.kind === 'moved' && !isChecked) {
      const { address, status } = found.target;
      return new Response(null, { status, headers: { Location: address } });
    }
    return createResponse(c.req.raw, found.document);
  };
}

async function composePosts(context: OriginContext): Promise<FeedResult> {
  const document = withEtag(await composePostFeed(createFeedRequest(context)));
  return { kind: 'feed', document, address: `${context.publicUrl}/feed/` };
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
  const target = findRedirect(found, address);
  return target ? { kind: 'moved', document, address, target } : { kind: 'feed', document, address };
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

function createResponse({ headers: requestHeaders }: Request, { text, etag, updated }: RenderedFeed): Response {
  const modified = updated.toUTCString();
  const headers = new Headers({
    ETag: etag,
    'Last-Modified': modified,
    'Cache-Control': 'no-cache',
    // CORS: players on other sites read the feed.
    'Access-Control-Allow-Origin': '*',
    'X-Content-Type-Options': 'nosniff',
  });
  if (isNotModified(requestHeaders, etag, modified)) return new Response(null, { status: 304, headers });
  headers.set('Content-Type', CONTENT_TYPE);
  return new Response(text, { headers });
}

/** Requires the exact date: two changes within a second only differ in the ETag. */
function isNotModified(requestHeaders: Headers, etag: string, modified: string): boolean {
  const tags = requestHeaders.get('if-none-match');
  if (tags === null) return requestHeaders.get('if-modified-since') === modified;
  return matchesEtag(etag, tags);
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

/** A rendered feed. */
interface RenderedFeed {
  text: string;
  /** Quoted ETag, derived from the text alone. */
  etag: string;
  updated: Date;
}

/** Maximum number of cached documents, each a page of a feed. */
const MAX_DOCUMENTS = 50;
/** Maximum characters of all cached documents together: episodes can have long notes. */
const MAX_CHARACTERS = 64_000_000;

interface CacheEntry<T> {
  state: string;
  document: Promise<T | undefined>;
  /** Length in characters; 0 until the document is ready. */
  size: number;
}

/** Caches documents made from the store. Makes them from scratch when the state of the store has changed. */
export class DocumentCache<T> {
  /** Least recently used first. */
  readonly #entries = new Map<string, CacheEntry<T>>();
  readonly #readState: () => Promise<string>;
  readonly #measure: (value: T) => number;

  /** @param read returns the state of the store: a different text after each write */
  constructor(read: () => Promise<string>, measure: (value: T) => number) {
    this.#readState = read;
    this.#measure = measure;
  }

  /** Returns the cached document or makes it. Undefined results of `make` are not cached. */
  async get(key: string, make: () => Promise<T | undefined>): Promise<T | undefined> {
    // Read the state before making the document, so that the next request notices a write in between.
    const state = await this.#readState();
    const cached = this.#entries.get(key);
    const entry = cached?.state === state ? cached : { state, document: make(), size: 0 };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (entry === cached) return entry.document;
    const evict = () => void (this.#entries.get(key) === entry && this.#entries.delete(key));
    void entry.document.then((value) => {
      if (value === undefined) return evict();
      entry.size = this.#measure(value);
      this.#evictOldest();
    }, evict);
    return entry.document;
  }

  /** Evicts the oldest documents above the limits. Pending documents don't count: they may not exist. */
  #evictOldest(): void {
    const ready = [...this.#entries].filter(([, { size }]) => size > 0);
    let sum = ready.reduce((all, [, { size }]) => all + size, 0);
    for (const [i, [key, { size }]] of ready.entries()) {
      const remaining = ready.length - i;
      if (remaining === 1 || (remaining <= MAX_DOCUMENTS && sum <= MAX_CHARACTERS)) return;
      this.#entries.delete(key);
      sum -= size;
    }
  }
}

/** Adds an ETag derived from the text. */
function withEtag({ text, updated }: Pick<RenderedFeed, 'text' | 'updated'>): RenderedFeed {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return { text, updated, etag: `"${digest}"` };
}

const stateRows = z.object({ rows: z.tuple([z.object({ state: z.string() })]) });

/**
 * Returns the state of the rows that feeds are made of: a different text after any write, by any program. It sums the
 * IDs of the writing transactions (`xmin`). This reads no texts and takes a millisecond.
 */
async function readFeedState(db: Database): Promise<string> {
  const sum = sql`concat(count(*), ':', coalesce(sum(xmin::text::bigint), 0))`;
  const isSource = sql`type in ('post', ${EPISODE_PAGE_TYPE})`;
  const result: unknown = await db.execute(sql`
    select concat_ws('/',
      (select ${sum} from content where ${isSource}),
      (select ${sum} from content where type = 'attachment'
        and id in (select featured_media from content where type = ${EPISODE_PAGE_TYPE} and featured_media > 0)),
      (select ${sum} from podcast_episode),
      (select ${sum} from podcast_media_file),
      (select ${sum} from podcast_asset),
      (select ${sum} from podcast_feed),
      (select ${sum} from podcast_show),
      (select ${sum} from option where name in (${PODCAST_OPTION}, ${SITE_OPTION}))) as state`);
  return stateRows.parse(result).rows[0].state;
}
