import { hash } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { limitResults } from '#origin/platform/store/store-limits.ts';
import type { Store } from '#origin/platform/store/store.ts';

/** Values that the server passes along with a request. */
export interface OriginBindings extends HttpBindings {
  /** Caches the response. Defined for cacheable requests only. */
  offer?: CacheResponse | undefined;
  /** Sends a response without creating a `Response`. Defined for requests over HTTP. */
  send?: SendResponse | undefined;
}

export interface CachedListenerOptions {
  store: Pick<Store, 'version'>;
  /** Maximum size of the cache; 0 disables it. */
  cacheBytes: number;
}

/** Default of `cacheBytes`. */
export const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024;

/**
 * Creates a listener for node:http that responds from the cache until the store changes.
 *
 * A cached response is sent before the request is parsed; only the values of its cache key are read.
 */
export function cachedListener(
  handle: (request: Request, bindings: OriginBindings) => Response | Promise<Response>,
  { store, cacheBytes }: CachedListenerOptions,
): RequestListener {
  const offers = new WeakMap<object, CacheResponse>();
  const handleUncached = getRequestListener(
    (request, env) => {
      // The origin serves HTTP/1.1 only.
      const { incoming, outgoing } = env as HttpBindings;
      drainRequest(incoming, outgoing);
      const sendResponse: SendResponse = (status, headers, body) => {
        // A string is written together with the headers.
        outgoing.writeHead(status, headers).end(body ?? undefined, 'latin1');
        return RESPONSE_ALREADY_SENT;
      };
      const bindings = { incoming, outgoing, offer: offers.get(incoming), send: sendResponse };
      const isReading = request.method === 'GET' || request.method === 'HEAD';
      return isReading ? limitResults(() => handle(request, bindings)) : handle(request, bindings);
    },
    // The adapter's own cleanup closes the connection after half a second.
    { overrideGlobalObjects: false, autoCleanupIncoming: false },
  );
  if (cacheBytes === 0) return handleUncached;
  const cache = new ResponseCache(cacheBytes);
  const find = async (key: string, incoming: IncomingMessage): Promise<CachedResponse | undefined> => {
    const state = getStoreState(await store.version.read());
    const cached = cache.find(key, state);
    if (cached && (!cached.count || (await cached.count()))) return cached;
    offers.set(incoming, (response) => cache.put(key, state, response));
    return undefined;
  };
  return (incoming, outgoing) => {
    const key = cacheKey(incoming);
    if (key === undefined) return void handleUncached(incoming, outgoing);
    const lookup = find(key, incoming).catch(() => undefined);
    void lookup.then((cached) => (cached ? send(cached, incoming, outgoing) : handleUncached(incoming, outgoing)));
  };
}

/** Requests with these headers are not cached: browser sessions, overridden methods, bodies and ranges. */
const UNCACHED_HEADERS = ['cookie', 'x-wp-nonce', 'x-http-method-override', 'transfer-encoding', 'range'] as const;

/** Returns the cache key of a request. Undefined if it is not cacheable. */
function cacheKey({ method, url, headers }: IncomingMessage): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (UNCACHED_HEADERS.some((name) => headers[name] !== undefined) || Number(headers['content-length'] ?? 0) > 0)
    return undefined;
  // Responses of one address may differ by these headers. A header value can't contain a line break or NUL; NUL
  // represents a missing header.
  const { accept = '\0', origin = '\0', authorization = '\0' } = headers;
  const key = `${method} ${url}\n${accept}\n${origin}\n${authorization}`;
  // Secrets and overlong keys are hashed.
  return headers.authorization === undefined && key.length <= MAX_KEY_LENGTH ? key : hash('sha256', key, 'base64');
}

const MAX_KEY_LENGTH = 500;

/**
 * Maximum length of a body that is written together with the headers. Copying a longer one takes longer than a second
 * write.
 */
const MAX_COPIED_BYTES = 16 * 1024;

function send(
  { headers, body, unchanged }: CachedResponse,
  { headers: requestHeaders }: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const etag = unchanged?.['etag'];
  if (etag !== undefined && matchesEtag(etag, requestHeaders['if-none-match']))
    outgoing.writeHead(304, unchanged).end();
  else outgoing.writeHead(200, headers).end(body.length > MAX_COPIED_BYTES ? body : body.toString('latin1'), 'latin1');
}

/** Limits after which the connection is closed. */
const MAX_READ_MS = 60_000;
const MAX_READ_BYTES = 256 * 1024 * 1024;

/**
 * Reads the rest of a request body after the response, as most error responses are sent before the end of the body.
 *
 * Many clients read the response only after they have sent everything, and would see a closed connection instead.
 * Call it before responding; the body can't be read afterwards.
 */
export function drainRequest(request: IncomingMessage, response: ServerResponse): void {
  // Runs before Node's own listener, which calls `destroySoon` on connections for a single request.
  response.prependOnceListener('finish', () => {
    if (request.complete || request.destroyed) return;
    const { socket } = request;
    const timer = setTimeout(() => socket.destroy(), MAX_READ_MS).unref();
    let bytes = 0;
    // The previous consumer would pause the stream again.
    request.removeAllListeners('data').on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_READ_BYTES) socket.destroy();
    });
    request.resume();
    // Node sets its keep-alive timeout after `finish`; a client that pauses for longer would lose the response.
    let idleMs: number | undefined;
    setImmediate(() => {
      if (request.complete) return;
      idleMs = socket.timeout ?? 0;
      socket.setTimeout(MAX_READ_MS);
    });
    // Closes one half only: the response is flushed while the rest of the body arrives.
    const { destroySoon } = socket;
    let shouldClose = false;
    socket.destroySoon = () => {
      shouldClose = true;
      socket.end();
    };
    request.once('close', () => {
      clearTimeout(timer);
      if (idleMs !== undefined) socket.setTimeout(idleMs);
      socket.destroySoon = destroySoon;
      if (shouldClose) socket.destroy();
    });
  });
}

/** A complete response with status 200. */
export interface CachedResponse {
  /** By lower-case name. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  /** Headers of the 304 response, including `etag`. Without them 304 is never sent. */
  unchanged?: Readonly<Record<string, string>>;
  /** Counts the request. Resolves to false if the cached response must not be used. */
  count?: () => Promise<boolean>;
}

/** Sends a complete response; each character of the body is one byte. Returns a marker for the HTTP adapter. */
export type SendResponse = (status: number, headers: Readonly<Record<string, string>>, body: string | null) => Response;

/** Caches a response until the store changes. */
export type CacheResponse = (answer: CachedResponse) => void;

/** State of the store that a response was created from. */
interface StoreState {
  version: number;
  /** Quarters of an hour since 1970. */
  quarter: number;
}

/** UTC offsets, days and years change on a quarter of an hour, which invalidates all responses. */
const QUARTER_MS = 15 * 60 * 1000;

/** Returns the current state. Call it before reading anything: later reads are never older than this. */
export function getStoreState(version: number, now = Date.now()): StoreState {
  return { version, quarter: Math.floor(now / QUARTER_MS) };
}

/** A larger response would evict many others, and its transfer dominates the time anyway. */
const MAX_RESPONSE_BYTES = 1024 * 1024;

/** Maximum share of the cache for one response. */
const MAX_RESPONSE_SHARE = 1 / 16;

/** Approximate overhead of an entry. */
const ENTRY_OVERHEAD_BYTES = 1000;

/**
 * Cache of responses by request and credentials, all from the latest known state of the store. Bounded by bytes; the
 * least recently used entry is evicted first.
 */
export class ResponseCache {
  readonly #maxBytes: number;
  /** Least recently used first. */
  readonly #responses = new Map<string, CachedResponse>();
  #state: StoreState = getStoreState(-1, 0);
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  find(key: string, state: StoreState): CachedResponse | undefined {
    const cached = this.#advanceTo(state) ? this.#responses.get(key) : undefined;
    if (!cached) return undefined;
    this.#responses.delete(key);
    this.#responses.set(key, cached);
    return cached;
  }

  /** @param state state before anything was read for the response */
  put(key: string, state: StoreState, response: CachedResponse): void {
    const maxBytes = Math.min(MAX_RESPONSE_BYTES, this.#maxBytes * MAX_RESPONSE_SHARE);
    const bytes = entryBytes(key, response);
    if (bytes > maxBytes || !this.#advanceTo(state)) return;
    this.#evict(key);
    this.#responses.set(key, response);
    this.#bytes += bytes;
    for (const oldest of this.#responses.keys()) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#evict(oldest);
    }
  }

  /** Returns true if the cache holds responses of this state, after evicting those of older ones. */
  #advanceTo(state: StoreState): boolean {
    const { version, quarter } = this.#state;
    if (state.version === version && state.quarter === quarter) return true;
    // The request started before the latest change.
    if (state.version < version || state.quarter < quarter) return false;
    this.#state = state;
    this.#responses.clear();
    this.#bytes = 0;
    return true;
  }

  #evict(key: string): void {
    const cached = this.#responses.get(key);
    if (!cached || !this.#responses.delete(key)) return;
    this.#bytes -= entryBytes(key, cached);
  }
}

function entryBytes(key: string, { body }: CachedResponse): number {
  return ENTRY_OVERHEAD_BYTES + 2 * key.length + body.length;
}

/** Compares an ETag with `If-None-Match` by weak comparison (RFC 9110, section 13.1.2). */
export function matchesEtag(etag: string, ifNoneMatch: string | null | undefined): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch === null) return false;
  const plain = etag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((tag) => ['*', plain].includes(tag.trim().replace(/^W\//, '')));
}
