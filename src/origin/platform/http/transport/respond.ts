import { hash } from 'node:crypto';
import { MAX_RESPONSE_BYTES } from '#contracts/index.ts';
import { isKnown, type Offer, type Send } from '#origin/platform/cache/response-cache.ts';
import { encodeJson } from './encode-json.ts';
import { refusal, type Outcome } from './dispatch.ts';
import { RestError } from './rest-error.ts';

/** How an outcome travels. */
export interface ResponseStyle {
  /** Address of the REST root, linked when the outcome has no link of its own. */
  root: string;
  method: string;
  isSignedIn: boolean;
  /** The `Origin` header of the request. */
  origin?: string | undefined;
  envelope: boolean;
  pretty: boolean;
  /** Whether caches must not keep the answer although nobody signed in. */
  isVolatile: boolean;
  /** Sent as a script: a call of the function, or what is wrong with its name. */
  script?: { callback: string | undefined };
  extra?: Readonly<Record<string, string>>;
  /** The `If-None-Match` header of the request. */
  ifNoneMatch?: string | undefined;
  /** Takes the answer where it may be kept. */
  offer?: Offer | undefined;
  /** Sends a whole answer at once; without it, it becomes a response. */
  send?: Send | undefined;
}

const ALWAYS = {
  'Content-Type': 'application/json; charset=UTF-8',
  'X-Robots-Tag': 'noindex',
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Expose-Headers': 'X-WP-Total, X-WP-TotalPages, Link',
  'Access-Control-Allow-Headers': 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type',
};

const NEVER_CACHE = {
  'Cache-Control': 'no-cache, must-revalidate, max-age=0, no-store, private',
  Expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
};

/**
 * What anybody gets without credentials may lie in any cache, which has to ask each time whether it is still right.
 * Credentials lead to other answers; a cookie alone, without what goes with it, does not.
 */
const SHARED = { 'Cache-Control': 'public, max-age=0, must-revalidate', Vary: 'Origin, Authorization, X-WP-Nonce' };

/** A stream takes longer than copying so many bytes. */
const MAX_COPIED = 1024 * 1024;

/** Puts an outcome into an HTTP response, or into an envelope inside one. */
export async function respond(outcome: Outcome, style: ResponseStyle): Promise<Response> {
  const own = ownHeaders(outcome);
  const isShared = outcome.isKept === true && !style.isSignedIn;
  const body = style.envelope
    ? { body: outcome.body, status: outcome.status, headers: Object.keys(own).length > 0 ? own : [] }
    : outcome.body;
  const headers = inSmallLetters({
    ...ALWAYS,
    ...(style.script ? { 'Content-Type': 'application/javascript; charset=UTF-8' } : {}),
    Link: `<${style.root}>; rel="https://api.w.org/"`,
    ...(style.envelope ? {} : printed(own)),
    ...crossOriginHeaders(style),
    ...(isShared ? SHARED : {}),
    ...(style.isSignedIn || style.isVolatile ? NEVER_CACHE : {}),
    ...style.extra,
  });
  const status = style.envelope ? 200 : outcome.status;
  if (style.method === 'HEAD') {
    if (outcome.isKept) style.offer?.({ headers, body: Buffer.alloc(0) });
    return new Response(null, { status, headers });
  }
  let pieces: string[];
  try {
    pieces = await encodeBody(body, style, isBounded(outcome, style) ? MAX_RESPONSE_BYTES : Infinity);
  } catch (error) {
    if (error instanceof RestError) return respond(refusal(error), style);
    throw error;
  }
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
  // Put together, a long one would be copied again and again.
  const whole = pieces.length === 1 || bytes <= MAX_COPIED ? pieces.join('') : undefined;
  if (whole === undefined)
    return new Response(streamOf(pieces), { status, headers: { ...headers, 'content-length': String(bytes) } });
  // A weak one, as what lies between may compress the body.
  const etag = isShared ? `W/"${hash('sha256', whole, 'base64url').slice(0, 22)}"` : undefined;
  const { 'content-type': _, ...repeated } = headers;
  const unchanged = etag === undefined ? undefined : { ...repeated, etag };
  const sent = { ...headers, ...(etag === undefined ? {} : { etag }), 'content-length': String(bytes) };
  if (outcome.isKept)
    style.offer?.({ headers: sent, body: Buffer.from(whole, 'latin1'), ...(unchanged ? { unchanged } : {}) });
  const send = style.send ?? toResponse;
  return unchanged && isKnown(unchanged.etag, style.ifNoneMatch)
    ? send(304, unchanged, null)
    : send(status, sent, whole);
}

const toResponse: Send = (status, headers, body) => new Response(body, { status, headers });

/** As they are kept and compared. */
function inSmallLetters(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function streamOf(pieces: readonly string[]): ReadableStream<Uint8Array> {
  const rest = pieces.values();
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = rest.next();
      if (done) controller.close();
      else controller.enqueue(Buffer.from(value, 'latin1'));
    },
  });
}

/** True for lists, which can be asked for in smaller pages. A write that was carried out is not reported as refused. */
function isBounded({ body }: Outcome, { method }: ResponseStyle): boolean {
  return method === 'GET' && Array.isArray(body) && body.length > 1;
}

/** The comment in front of a call keeps the answer from being taken for another kind of file. */
async function encodeBody(body: unknown, { script, pretty }: ResponseStyle, maxBytes: number): Promise<string[]> {
  const { callback } = script ?? {};
  const json = await encodeJson(script && callback === undefined ? withoutData(body) : body, pretty, maxBytes);
  return callback === undefined ? json : [`/**/${callback}(`, ...json, ')'];
}

function withoutData(refusal: unknown): unknown {
  if (typeof refusal !== 'object' || refusal === null || !('data' in refusal)) return refusal;
  const { data: _, ...rest } = refusal;
  return rest;
}

/** What the outcome itself has to say in headers; numbers stay numbers inside an envelope. */
function ownHeaders({
  total,
  totalPages,
  link,
  allow,
  location,
  retryAfterSeconds,
}: Outcome): Record<string, string | number> {
  const headers = {
    'X-WP-Total': total,
    'X-WP-TotalPages': totalPages,
    Location: location,
    Link: link,
    Allow: allow?.join(', '),
    'Retry-After': retryAfterSeconds,
  };
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function printed(headers: Record<string, string | number>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** Any origin may read: what is private needs credentials that a browser does not add by itself. */
function crossOriginHeaders({ origin, method, isSignedIn }: ResponseStyle): Record<string, string> {
  if (origin !== undefined) {
    return {
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Methods': 'OPTIONS, GET, POST, PUT, PATCH, DELETE',
      'Access-Control-Allow-Credentials': 'true',
      Vary: 'Origin',
    };
  }
  return method === 'GET' && !isSignedIn ? { Vary: 'Origin' } : {};
}
