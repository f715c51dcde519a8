import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import packageManifest from '../../package.json' with { type: 'json' };
import { exchange, type Exchange, type TransportRequest } from './exchange.ts';
import { readRetryAfter, retryDelay, type RetryPolicy } from './retry-delay.ts';

export interface TransportOptions {
  /** For connecting, for the headers, between two pieces of the body, and for a request as a whole. */
  timeoutMs: number;
  /** Attempts after the first. */
  retries: number;
  /** Connections to one origin. @default 8 */
  connections?: number;
  /** Largest body where a request doesn't say, in bytes. @default 33554432 */
  maxBytes?: number;
  /** Public origin -> origin where it is really served: `{ 'https://example.com': 'http://127.0.0.1:4001' }`. */
  connectTo?: Readonly<Record<string, string>>;
  /** Ends all requests under way. */
  signal?: AbortSignal | undefined;
  retry?: Partial<RetryPolicy>;
}

/** A polite way to a server: keep-alive connections, retries, Retry-After, size and time limits. */
export interface Transport {
  /** Attempts sent so far. */
  readonly requests: number;
  /**
   * Sends a request, again where that can heal. Never rejects for what a server or the network does, only when the
   * signal aborts.
   * @param isIntact Whether the body is whole; one that isn't is asked for again.
   */
  send(request: TransportRequest, isIntact?: (answer: Exchange) => boolean): Promise<Exchange>;
  close(): Promise<void>;
}

/**
 * What may be over in a moment: the server was slow to get our request (408), counts requests (429), failed once
 * (500), or what stands before it found it away or overloaded (502, 503, 504). Everything else would be answered
 * the same again.
 */
const RETRY_STATUSES = new Set([408, 429, 500, 502, 503, 504]);

export const USER_AGENT = `Sortiment/${packageManifest.version}`;

const DEFAULT_RETRY: RetryPolicy = { baseMs: 500, maxMs: 20_000, maxRetryAfterMs: 120_000, random: Math.random };

export function createTransport(options: TransportOptions): Transport {
  const { timeoutMs, retries, signal } = options;
  const policy = { ...DEFAULT_RETRY, ...options.retry };
  const dispatcher = new Agent({
    connections: options.connections ?? 8,
    pipelining: 1,
    connect: { timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  const context = {
    dispatcher,
    userAgent: USER_AGENT,
    timeoutMs,
    maxBytes: options.maxBytes ?? 32 * 1024 * 1024,
    connectTo: options.connectTo ?? {},
    signal,
  };
  // A server that asks one request to wait means all of them.
  const pausedUntil = new Map<string, number>();
  let requests = 0;

  async function send(request: TransportRequest, isIntact: (answer: Exchange) => boolean = () => true) {
    const { origin } = new URL(request.url);
    for (let attempt = 0; ; attempt += 1) {
      await wait((pausedUntil.get(origin) ?? 0) - Date.now());
      requests += 1;
      const answer = await exchange(request, context);
      if (attempt >= retries || !(isTransient(answer) || !isIntact(answer))) return answer;
      const retryAfterMs = answer.outcome === 'answered' ? readRetryAfter(answer.headers['retry-after']) : undefined;
      const delayMs = retryDelay(attempt, retryAfterMs, policy);
      if (delayMs === undefined) return answer;
      if (retryAfterMs !== undefined) pausedUntil.set(origin, Date.now() + retryAfterMs);
      await wait(delayMs);
    }
  }

  async function wait(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms, undefined, signal && { signal });
  }

  return {
    get requests() {
      return requests;
    },
    send,
    close: () => dispatcher.destroy(),
  };
}

function isTransient(answer: Exchange): boolean {
  return answer.outcome === 'failed' ? answer.transient : RETRY_STATUSES.has(answer.status);
}
