import { hash } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { limitResults } from '#origin/platform/store/store-limits.ts';
import type { Store } from '#origin/platform/store/store.ts';
import {
  matchesEtag,
  ResponseCache,
  getStoreState,
  type CachedResponse,
  type CacheResponse,
  type SendResponse,
} from './response-cache.ts';

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
