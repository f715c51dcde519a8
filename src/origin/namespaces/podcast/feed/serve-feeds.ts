import type { MiddlewareHandler } from 'hono';
import { FEED_MIME_TYPE, isWebAddress, writeFeed } from '#contracts/podcast/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { Memo } from '#origin/platform/context/memo.ts';
import { addresses } from '#origin/platform/http/transport/call.ts';
import { runAside } from '#origin/platform/render/aside/index.ts';
import { loadRecord } from '../record.ts';
import { composeFeed, type RenderNotes } from './compose-feed.ts';
import {
  feedAddress,
  findFeed,
  readFeedAddress,
  type FeedPlace,
  type FeedRequest,
  type FoundFeed,
} from './find-feed.ts';
import { Kept, readState, seal, type FeedText } from './kept-documents.ts';
import { composePostFeed } from './post-feed.ts';

const CONTENT_TYPE = `${FEED_MIME_TYPE}; charset=UTF-8`;

/** Highest page of a feed; none has more. */
const MAX_PAGE = 10_000;

/** Feed validators, and services that the feed redirects to: they get the feed itself. */
const CHECKERS = /feedvalidator|feedburner|w3c_validator|castfeedvalidator/i;

/** The response to a feed address. */
type Place =
  | { kind: 'feed'; document: FeedText; address: string }
  /** The feed redirects; validators get it here all the same. */
  | { kind: 'moved'; document: FeedText; address: string; target: { address: string; status: number } };

/** Answers the feeds of the podcast and of its shows, and the one of the site's posts. */
export function feedPages(context: OriginContext): MiddlewareHandler {
  const kept = new Kept<Place>(
    () => readState(context.store.db),
    ({ document }) => document.text.length,
  );
  const render = keptNotes();
  return async (c, next) => {
    const url = new URL(c.req.url);
    const isOfPosts = /^\/feed\/?$/.test(url.pathname);
    const request = isOfPosts ? { slug: '', hasSlash: url.pathname.endsWith('/') } : readFeedAddress(url);
    if (!request) return next();
    const page = readPage(url.searchParams.get('paged'));
    if (page === undefined) return c.notFound();
    const key = JSON.stringify([isOfPosts, request.slug, request.show, page]);
    const found = await kept.get(key, () =>
      isOfPosts ? findPosts(context) : findPlace(context, request, { page, render }),
    );
    if (!found) return c.notFound();
    if (!request.hasSlash) return describeMove(found.address + url.search, found.document);
    const isChecked = url.searchParams.get('redirect') === 'no' || CHECKERS.test(c.req.header('user-agent') ?? '');
    if (found.kind === 'moved' && !isChecked) {
      const { address, status } = found.target;
      return new Response(null, { status, headers: { Location: address } });
    }
    return answer(c.req.raw, found.document);
  };
}

async function findPosts(context: OriginContext): Promise<Place> {
  const place = placeOf(context);
  const document = seal(await composePostFeed(place));
  return { kind: 'feed', document, address: `${context.publicUrl}/feed/` };
}

async function findPlace(
  context: OriginContext,
  request: FeedRequest,
  { page, render }: { page: number; render: RenderNotes },
): Promise<Place | undefined> {
  const place = placeOf(context);
  // In a new store, this creates the default feed.
  await loadRecord(place);
  const found = await findFeed(context.store.db, request);
  const made = found && (await composeFeed(place, found, page, render));
  if (!made) return undefined;
  const document = seal({ text: writeFeed(made), updated: made.channel.updated });
  const address = feedAddress(place, found.feed.slug, found.show?.slug);
  const target = redirectOf(found, address);
  return target ? { kind: 'moved', document, address, target } : { kind: 'feed', document, address };
}

function placeOf(context: OriginContext): FeedPlace {
  const { publicUrl, restRoot, namespaces } = context;
  return { context, requestMemo: new Memo(), addresses: addresses(publicUrl, restRoot, namespaces) };
}

function readPage(text: string | null): number | undefined {
  const page = text === null ? 1 : /^\d{1,6}$/.test(text) ? Number(text) : 0;
  return page >= 1 && page <= MAX_PAGE ? page : undefined;
}

/** Redirect target of a feed, unless that is the feed itself. */
function redirectOf({ feed }: FoundFeed, own: string): { address: string; status: number } | undefined {
  const { redirectUrl: address, redirectStatus: status } = feed;
  const isUsable = isWebAddress(address) && address.replace(/\/$/, '') !== own.replace(/\/$/, '');
  return isUsable && [301, 302, 307, 308].includes(status) ? { address, status } : undefined;
}

/** Redirects to the address with the slash, with the type of the feed. */
function describeMove(location: string, { etag, updated }: FeedText): Response {
  const about = { ETag: etag, 'Last-Modified': updated.toUTCString(), 'Content-Type': CONTENT_TYPE };
  return new Response(null, { status: 301, headers: { Location: location, ...about } });
}

function answer({ headers: asked }: Request, { text, etag, updated }: FeedText): Response {
  const modified = updated.toUTCString();
  const headers = new Headers({
    ETag: etag,
    'Last-Modified': modified,
    'Cache-Control': 'no-cache',
    // Players on other sites read it too (CORS).
    'Access-Control-Allow-Origin': '*',
    'X-Content-Type-Options': 'nosniff',
  });
  if (isKnown(asked, etag, modified)) return new Response(null, { status: 304, headers });
  headers.set('Content-Type', CONTENT_TYPE);
  return new Response(text, { headers });
}

/** Only the exact date matches: two changes in a second differ by the ETag. */
function isKnown(asked: Headers, etag: string, modified: string): boolean {
  const tags = asked.get('if-none-match');
  if (tags === null) return asked.get('if-modified-since') === modified;
  return tags.split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag);
}

/** Most rendered page texts in the cache: most of a feed stays the same when an episode changes. */
const MAX_NOTES = 2000;
/** Of a longer one nothing is kept, so that all of them together have room. */
const MAX_NOTES_LETTERS = 20_000;

function keptNotes(): RenderNotes {
  const kept = new Map<number, { source: string; html: string }>();
  return async (pageId, source) => {
    const known = kept.get(pageId);
    if (known?.source === source) return known.html;
    const html = source.trim() === '' ? '' : await runAside('content', source);
    kept.delete(pageId);
    if (source.length + html.length > MAX_NOTES_LETTERS) return html;
    kept.set(pageId, { source, html });
    const [oldest] = kept.keys();
    if (kept.size > MAX_NOTES && oldest !== undefined) kept.delete(oldest);
    return html;
  };
}
