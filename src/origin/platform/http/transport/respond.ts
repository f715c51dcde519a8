import { hash } from 'node:crypto';
import { MAX_RESPONSE_BYTES } from '#contracts/index.ts';
import { matchesEtag, type CacheResponse, type SendResponse } from '#origin/platform/cache/cached-listener.ts';
import { encodeJson } from './encode-json.ts';
import { errorResponse, type RestResponse } from './dispatch.ts';
import { RestError } from './rest-error.ts';

export interface ResponseOptions {
  /** Address of the REST root, linked if the response has no link of its type. */
  root: string;
  method: string;
  isSignedIn: boolean;
  /** The `Origin` header of the request. */
  origin?: string | undefined;
  envelope: boolean;
  pretty: boolean;
  /** True if anonymous responses must not be cached. */
  isVolatile: boolean;
  /** Wraps the body in a JSONP call. Without a callback, the body reports its invalid name. */
  script?: { callback: string | undefined };
  extra?: Readonly<Record<string, string>>;
  /** The `If-None-Match` header of the request. */
  ifNoneMatch?: string | undefined;
  /** Caches the response. Defined for cacheable requests only. */
  offer?: CacheResponse | undefined;
  /** Sends the response directly. Without it, a `Response` is created. */
  send?: SendResponse | undefined;
}

const ALWAYS = {
  'Content-Type': 'application/json; charset=UTF-8',
  'X-Robots-Tag': 'noindex',
  'X-Content-Type-Options': 'nosniff',
  'Access-Control-Expose-Headers': 'X-WP-Total, X-WP-TotalPages, Link',
  'Access-Control-Allow-Headers': 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type',
};

const NO_STORE_HEADERS = {
  'Cache-Control': 'no-cache, must-revalidate, max-age=0, no-store, private',
  Expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
};

/**
 * Headers of anonymous responses, which any cache may store but must revalidate. Credentials change the response; a
 * cookie without a nonce doesn't.
 */
const PUBLIC_HEADERS = {
  'Cache-Control': 'public, max-age=0, must-revalidate',
  Vary: 'Origin, Authorization, X-WP-Nonce',
};

/** Up to this size, copying is faster than a stream. */
const MAX_COPIED_BYTES = 1024 * 1024;

/** Creates the HTTP response, optionally with an envelope. */
export async function respond(response: RestResponse, style: ResponseOptions): Promise<Response> {
  const specificHeaders = responseHeaders(response);
  const isPublic = response.isKept === true && !style.isSignedIn;
  const body = style.envelope
    ? {
        body: response.body,
        status: response.status,
        headers: Object.keys(specificHeaders).length > 0 ? specificHeaders : [],
      }
    : response.body;
  const headers = lowerCaseNames({
    ...ALWAYS,
    ...(style.script ? { 'Content-Type': 'application/javascript; charset=UTF-8' } : {}),
    Link: `<${style.root}>; rel="https://api.w.org/"`,
    ...(style.envelope ? {} : asStrings(specificHeaders)),
    ...crossOriginHeaders(style),
    ...(isPublic ? PUBLIC_HEADERS : {}),
    ...(style.isSignedIn || style.isVolatile ? NO_STORE_HEADERS : {}),
    ...style.extra,
  });
  const status = style.envelope ? 200 : response.status;
  if (style.method === 'HEAD') {
    if (response.isKept) style.offer?.({ headers, body: Buffer.alloc(0) });
    return new Response(null, { status, headers });
  }
  let pieces: string[];
  try {
    pieces = await encodeBody(body, style, isBounded(response, style) ? MAX_RESPONSE_BYTES : Infinity);
  } catch (error) {
    if (error instanceof RestError) return respond(errorResponse(error), style);
    throw error;
  }
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
  // Joining a long body would copy it repeatedly.
  const whole = pieces.length === 1 || bytes <= MAX_COPIED_BYTES ? pieces.join('') : undefined;
  if (whole === undefined)
    return new Response(streamOf(pieces), { status, headers: { ...headers, 'content-length': String(bytes) } });
  // Weak, as proxies may compress the body.
  const etag = isPublic ? `W/"${hash('sha256', whole, 'base64url').slice(0, 22)}"` : undefined;
  const { 'content-type': _, ...repeated } = headers;
  const unchanged = etag === undefined ? undefined : { ...repeated, etag };
  const allHeaders = { ...headers, ...(etag === undefined ? {} : { etag }), 'content-length': String(bytes) };
  if (response.isKept)
    style.offer?.({ headers: allHeaders, body: Buffer.from(whole, 'latin1'), ...(unchanged ? { unchanged } : {}) });
  const send = style.send ?? toResponse;
  return unchanged && matchesEtag(unchanged.etag, style.ifNoneMatch)
    ? send(304, unchanged, null)
    : send(status, allHeaders, whole);
}

const toResponse: SendResponse = (status, headers, body) => new Response(body, { status, headers });

function lowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
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

/**
 * True for lists, which can be split into smaller pages. Completed writes must not fail because of their response.
 */
function isBounded({ body }: RestResponse, { method }: ResponseOptions): boolean {
  return method === 'GET' && Array.isArray(body) && body.length > 1;
}

/** The comment before the call prevents other interpretations of the file type. */
async function encodeBody(body: unknown, { script, pretty }: ResponseOptions, maxBytes: number): Promise<string[]> {
  const { callback } = script ?? {};
  const json = await encodeJson(script && callback === undefined ? withoutData(body) : body, pretty, maxBytes);
  return callback === undefined ? json : [`/**/${callback}(`, ...json, ')'];
}

function withoutData(refusal: unknown): unknown {
  if (typeof refusal !== 'object' || refusal === null || !('data' in refusal)) return refusal;
  const { data: _, ...rest } = refusal;
  return rest;
}

/** Headers of the response itself. Numbers remain numbers in an envelope. */
function responseHeaders({
  total,
  totalPages,
  link,
  allow,
  location,
  retryAfterSeconds,
}: RestResponse): Record<string, string | number> {
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

function asStrings(headers: Record<string, string | number>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** Any origin may read: private data needs credentials that browsers don't send automatically. */
function crossOriginHeaders({ origin, method, isSignedIn }: ResponseOptions): Record<string, string> {
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
