import { hash } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { limitResults } from '#origin/platform/store/result-limit.ts';
import type { Store } from '#origin/platform/store/store.ts';
import { readRest } from './read-rest.ts';
import { isKnown, ResponseCache, stateAt, type KeptAnswer, type Offer, type Send } from './response-cache.ts';

/** What a request brings with it besides itself. */
export interface OriginBindings extends HttpBindings {
  /** There for requests whose answer can be kept. */
  offer?: Offer | undefined;
  /** There for requests over HTTP: spares what it takes to make a response and to read it again. */
  send?: Send | undefined;
}

export interface CachedListenerOptions {
  store: Pick<Store, 'version'>;
  /** 0 keeps nothing. */
  cacheBytes: number;
}

/** @default of `cacheBytes` */
export const CACHE_BYTES = 64 * 1024 * 1024;

/**
 * Answers for a server in node:http. What it has answered before and was offered to be kept is sent again, before
 * anything of the request is looked at but what tells answers apart, as long as the store has not changed.
 */
export function cachedListener(
  answer: (request: Request, bindings: OriginBindings) => Response | Promise<Response>,
  { store, cacheBytes }: CachedListenerOptions,
): RequestListener {
  const offers = new WeakMap<object, Offer>();
  const answerAnew = getRequestListener(
    (request, given) => {
      // The origin speaks HTTP/1.1 only.
      const { incoming, outgoing } = given as HttpBindings;
      readRest(incoming, outgoing);
      const sendNow: Send = (status, headers, body) => {
        // As a text it goes out with the headers.
        outgoing.writeHead(status, headers).end(body ?? undefined, 'latin1');
        return RESPONSE_ALREADY_SENT;
      };
      const bindings = { incoming, outgoing, offer: offers.get(incoming), send: sendNow };
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      return isRead ? limitResults(() => answer(request, bindings)) : answer(request, bindings);
    },
    // Its own way to read the rest of a body closes the connection after half a second.
    { overrideGlobalObjects: false, autoCleanupIncoming: false },
  );
  if (cacheBytes === 0) return answerAnew;
  const cache = new ResponseCache(cacheBytes);
  const find = async (key: string, incoming: IncomingMessage): Promise<KeptAnswer | undefined> => {
    const state = stateAt(await store.version.read());
    const kept = cache.find(key, state);
    if (kept && (!kept.count || (await kept.count()))) return kept;
    offers.set(incoming, (offered) => cache.put(key, state, offered));
    return undefined;
  };
  return (incoming, outgoing) => {
    const key = keyOf(incoming);
    if (key === undefined) return void answerAnew(incoming, outgoing);
    const found = find(key, incoming).catch(() => undefined);
    void found.then((kept) => (kept ? send(kept, incoming, outgoing) : answerAnew(incoming, outgoing)));
  };
}

/** Requests with these are answered anew: browser sessions, other methods than they seem to have. */
const PASSING = ['cookie', 'x-wp-nonce', 'x-http-method-override', 'transfer-encoding', 'range'] as const;

/** What tells the answer to a request from all others; nothing for requests whose answers aren't kept. */
function keyOf({ method, url, headers }: IncomingMessage): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (PASSING.some((name) => headers[name] !== undefined) || Number(headers['content-length'] ?? 0) > 0)
    return undefined;
  // By these headers answers of one address may differ. None has a line break, nor a zero, which stands for no header.
  const { accept = '\0', origin = '\0', authorization = '\0' } = headers;
  const key = `${method} ${url}\n${accept}\n${origin}\n${authorization}`;
  // Secrets aren't kept, nor what is as long as its sender likes.
  return headers.authorization === undefined && key.length <= MAX_KEY ? key : hash('sha256', key, 'base64');
}

const MAX_KEY = 500;

/** As a text, a body goes out in one piece with the headers; a longer one takes longer to copy than a second piece. */
const MAX_COPIED = 16 * 1024;

function send(
  { headers, body, unchanged }: KeptAnswer,
  { headers: asked }: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const etag = unchanged?.['etag'];
  if (etag !== undefined && isKnown(etag, asked['if-none-match'])) outgoing.writeHead(304, unchanged).end();
  else outgoing.writeHead(200, headers).end(body.length > MAX_COPIED ? body : body.toString('latin1'), 'latin1');
}
