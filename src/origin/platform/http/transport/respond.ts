import { MAX_RESPONSE_BYTES } from '#contracts/index.ts';
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
  const headers = {
    ...ALWAYS,
    ...(style.script ? { 'Content-Type': 'application/javascript; charset=UTF-8' } : {}),
    Link: `<${style.root}>; rel="https://api.w.org/"`,
    ...(style.envelope ? {} : asStrings(specificHeaders)),
    ...crossOriginHeaders(style),
    ...(isPublic ? PUBLIC_HEADERS : {}),
    ...(style.isSignedIn || style.isVolatile ? NO_STORE_HEADERS : {}),
    ...style.extra,
  };
  const status = style.envelope ? 200 : response.status;
  if (style.method === 'HEAD') return new Response(null, { status, headers });
  try {
    const json = await encodeBody(body, style, isBounded(response, style) ? MAX_RESPONSE_BYTES : Infinity);
    return new Response(json, { status, headers: { ...headers, 'Content-Length': String(json.length) } });
  } catch (error) {
    if (error instanceof RestError) return respond(errorResponse(error), style);
    throw error;
  }
}

/**
 * True for lists, which can be split into smaller pages. Completed writes must not fail because of their response.
 */
function isBounded({ body }: RestResponse, { method }: ResponseOptions): boolean {
  return method === 'GET' && Array.isArray(body) && body.length > 1;
}

/** The comment before the call prevents other interpretations of the file type. */
async function encodeBody(body: unknown, { script, pretty }: ResponseOptions, maxBytes: number): Promise<string> {
  const { callback } = script ?? {};
  const json = await encodeJson(script && callback === undefined ? withoutData(body) : body, pretty, maxBytes);
  return callback === undefined ? json : `/**/${callback}(${json})`;
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
