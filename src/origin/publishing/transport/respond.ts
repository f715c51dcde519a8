import { encodeJson, encodeLongJson } from './encode-json.ts';
import type { Outcome } from './dispatch.ts';

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

/** Puts an outcome into an HTTP response, or into an envelope inside one. */
export async function respond(outcome: Outcome, style: ResponseStyle): Promise<Response> {
  const own = ownHeaders(outcome);
  const body = style.envelope
    ? { body: outcome.body, status: outcome.status, headers: Object.keys(own).length > 0 ? own : [] }
    : outcome.body;
  const headers = new Headers({
    ...ALWAYS,
    ...(style.script ? { 'Content-Type': 'application/javascript; charset=UTF-8' } : {}),
    Link: `<${style.root}>; rel="https://api.w.org/"`,
    ...(style.envelope ? {} : printed(own)),
    ...crossOriginHeaders(style),
    ...(style.isSignedIn || style.isVolatile ? NEVER_CACHE : {}),
    ...style.extra,
  });
  const status = style.envelope ? 200 : outcome.status;
  return new Response(style.method === 'HEAD' ? null : await encodeBody(body, style), { status, headers });
}

/** The comment in front of a call keeps the answer from being taken for another kind of file. */
async function encodeBody(body: unknown, { script, pretty }: ResponseStyle): Promise<string> {
  if (!script) return pretty ? encodeJson(body, pretty) : encodeLongJson(body);
  const { callback } = script;
  return callback === undefined
    ? encodeJson(withoutData(body), pretty)
    : `/**/${callback}(${encodeJson(body, pretty)})`;
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
