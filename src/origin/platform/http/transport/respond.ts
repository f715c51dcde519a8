import { setImmediate } from 'node:timers/promises';
import { MAX_RESPONSE_BYTES, type HttpMethod } from '#contracts/index.ts';
import { createCommonError, RestError } from './rest-error.ts';

/** Status, body and header values of a response. */
export interface RestResponse {
  status: number;
  body: unknown;
  allow?: readonly HttpMethod[];
  total?: number;
  totalPages?: number;
  link?: string;
  location?: string;
  retryAfterSeconds?: number;
  /** True if the response is cacheable until the next write. */
  isKept?: boolean;
}

/** Converts an error into a response. */
export function errorResponse({ status, body, options: { retryAfterSeconds } }: RestError): RestResponse {
  return { status, body, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

export interface ResponseOptions {
  /** Address of the REST root, linked if the response has no link of its type. */
  root: string;
  method: string;
  isSignedIn: boolean;
  /** The `Origin` header of the request. */
  origin: string | null;
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
  const { status, body, total, totalPages, link, location, allow, retryAfterSeconds } = response;
  const { origin, method, isSignedIn, envelope, script } = style;
  // Headers of the response itself. Numbers remain numbers in an envelope.
  const specific: Record<string, string | number> = {};
  if (total !== undefined) specific['X-WP-Total'] = total;
  if (totalPages !== undefined) specific['X-WP-TotalPages'] = totalPages;
  if (location !== undefined) specific['Location'] = location;
  if (link !== undefined) specific['Link'] = link;
  if (allow) specific['Allow'] = allow.join(', ');
  if (retryAfterSeconds !== undefined) specific['Retry-After'] = retryAfterSeconds;
  const headers: Record<string, string> = { ...ALWAYS, Link: `<${style.root}>; rel="https://api.w.org/"` };
  if (script) headers['Content-Type'] = 'application/javascript; charset=UTF-8';
  if (!envelope) for (const name in specific) headers[name] = String(specific[name]);
  // Any origin may read: private data needs credentials that browsers don't send automatically.
  if (origin !== null) {
    headers['Access-Control-Allow-Origin'] = origin;
    headers['Access-Control-Allow-Methods'] = 'OPTIONS, GET, POST, PUT, PATCH, DELETE';
    headers['Access-Control-Allow-Credentials'] = 'true';
  }
  if (origin !== null || (method === 'GET' && !isSignedIn)) headers['Vary'] = 'Origin';
  if (response.isKept && !isSignedIn) Object.assign(headers, PUBLIC_HEADERS);
  if (isSignedIn || style.isVolatile) Object.assign(headers, NO_STORE_HEADERS);
  Object.assign(headers, style.extra);
  const httpStatus = envelope ? 200 : status;
  if (method === 'HEAD') return new Response(null, { status: httpStatus, headers });
  const shown = envelope ? { body, status, headers: Object.keys(specific).length > 0 ? specific : [] } : body;
  // Lists can be split into smaller pages. Completed writes must not fail because of their response.
  const isBounded = method === 'GET' && Array.isArray(body) && body.length > 1;
  try {
    let json = await encodeJson(
      script && script.callback === undefined ? withoutData(shown) : shown,
      style.pretty,
      isBounded ? MAX_RESPONSE_BYTES : Infinity,
    );
    // The comment before the call prevents other interpretations of the file type.
    if (script?.callback !== undefined) json = `/**/${script.callback}(${json})`;
    headers['Content-Length'] = String(json.length);
    return new Response(json, { status: httpStatus, headers });
  } catch (error) {
    if (error instanceof RestError) return respond(errorResponse(error), style);
    throw error;
  }
}

function withoutData(refusal: unknown): unknown {
  if (typeof refusal !== 'object' || refusal === null || !('data' in refusal)) return refusal;
  const { data: _, ...rest } = refusal;
  return rest;
}

const INDENT = 4;

/** Number of characters after which other requests run. Encoding a megabyte takes a tenth of a second. */
const TURN_LENGTH = 256 * 1024;

/**
 * Encodes JSON as servers of this interface do: escapes slashes and everything beyond ASCII, so that it survives any
 * charset and can be embedded in HTML.
 *
 * Lists are encoded row by row, and other requests run in between.
 *
 * @throws RestError `rest_response_too_large` as soon as a list exceeds `maxBytes`
 */
export async function encodeJson(value: unknown, pretty = false, maxBytes = Infinity): Promise<string> {
  const space = pretty ? INDENT : undefined;
  const rows: readonly unknown[] = Array.isArray(value) && value.length > 0 ? value : [value];
  const line = pretty ? `\n${' '.repeat(INDENT)}` : '';
  const encoded: string[] = [];
  let bytes = 0;
  let turn = 0;
  for (const row of rows) {
    const json = escapeJson(JSON.stringify(row, undefined, space) ?? 'null');
    if (rows !== value) return json;
    bytes += json.length;
    checkResponseSize(bytes, maxBytes);
    encoded.push(line + (pretty ? json.replaceAll('\n', line) : json));
    if (bytes < turn + TURN_LENGTH) continue;
    turn = bytes;
    await setImmediate();
  }
  return `[${encoded.join(',')}${pretty ? '\n' : ''}]`;
}

const [SLASH, BACKSLASH, LETTER_U, FIRST_BEYOND_ASCII] = [0x2f, 0x5c, 0x75, 0x80];
const HEX = '0123456789abcdef';

/** Writes bytes. Joining pieces of text takes four times as long, a regular expression ten times. */
function escapeJson(json: string): string {
  let length = json.length;
  for (let n = 0; n < json.length; n += 1) {
    const code = json.charCodeAt(n);
    if (code === SLASH) length += 1;
    else if (code >= FIRST_BEYOND_ASCII) length += 5;
  }
  if (length === json.length) return json;
  const escaped = Buffer.allocUnsafe(length);
  let at = 0;
  for (let n = 0; n < json.length; n += 1) {
    const code = json.charCodeAt(n);
    if (code === SLASH || code >= FIRST_BEYOND_ASCII) escaped[at++] = BACKSLASH;
    if (code < FIRST_BEYOND_ASCII) escaped[at++] = code;
    else {
      escaped[at++] = LETTER_U;
      for (let shift = 12; shift >= 0; shift -= 4) escaped[at++] = HEX.charCodeAt((code >> shift) & 15);
    }
  }
  return escaped.toString('latin1');
}

function checkResponseSize(bytes: number, maxBytes = MAX_RESPONSE_BYTES): void {
  if (bytes > maxBytes) throw createResponseTooLargeError();
}

export function createResponseTooLargeError(): RestError {
  return createCommonError(
    'rest_response_too_large',
    `The response would be larger than ${MAX_RESPONSE_BYTES / 1024 / 1024} MB. Ask for fewer items with "per_page".`,
  );
}

/**
 * Presents rows one at a time, so that a list needs no more memory than its largest row.
 *
 * @throws RestError `rest_response_too_large` as soon as several rows exceed the limit
 */
export async function presentRows<Row, Shown>(
  rows: readonly Row[],
  present: (row: Row) => Shown | Promise<Shown>,
): Promise<Shown[]> {
  const presented: Shown[] = [];
  let letters = 0;
  for (const row of rows) {
    const shown = await present(row);
    letters += countLetters(shown);
    if (presented.length > 0) checkResponseSize(letters);
    presented.push(shown);
  }
  return presented;
}

function countLetters(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, inner) => sum + countLetters(inner), 0);
}
