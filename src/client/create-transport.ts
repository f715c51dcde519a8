import { setTimeout as sleep } from 'node:timers/promises';
import { Agent } from 'undici';
import { MAX_RESPONSE_BYTES } from '#contracts/index.ts';
import packageManifest from '../../package.json' with { type: 'json' };
import { adaptiveLimit, type AdaptiveLimit } from './adaptive-limit.ts';
import { exchange, type Exchange, type TransportRequest } from './exchange.ts';
import { openBody, type BodyExchange } from './open-body.ts';
import { openLines, type LineExchange } from './open-lines.ts';
import { readMoment } from './read-moment.ts';

export interface TransportOptions {
  /** For connecting, for the headers, between two pieces of the body, and for a request as a whole. */
  timeoutMs: number;
  /** Attempts after the first. */
  retries: number;
  /** Requests under way to one origin, at most; fewer while it is slow. @default 8 */
  connections?: number;
  /** Largest body where a request doesn't say, in bytes. @default 33554432 */
  maxBytes?: number;
  /** Public origin -> origin where it is really served: `{ 'https://example.com': 'http://127.0.0.1:4001' }`. */
  connectTo?: Readonly<Record<string, string>>;
  /** Ends all requests under way. */
  signal?: AbortSignal | undefined;
  retry?: Partial<RetryPolicy>;
}

/** A polite way to a server: keep-alive connections, adaptive concurrency, retries, Retry-After, size and time limits. */
export interface Transport {
  /** Attempts sent so far. */
  readonly requests: number;
  /** Bytes of bodies received so far, as they came over the wire. */
  readonly bytes: number;
  /** What servers announce of their own end (RFC 9745, RFC 8594): origin -> words. */
  readonly notices: ReadonlyMap<string, string>;
  /**
   * Sends a request, again where that can heal. Never rejects for what a server or the network does, only when the
   * signal aborts.
   * @param isIntact Whether the body is whole; one that isn't is asked for again.
   */
  send(request: TransportRequest, isIntact?: (answer: Exchange) => boolean): Promise<Exchange>;
  /** Sends a request once, for a body of any length that is read line by line. */
  openLines(request: TransportRequest): Promise<LineExchange>;
  /** Sends a request once, for a body of any length that is read as it arrives. */
  openBody(request: TransportRequest): Promise<BodyExchange>;
  close(): Promise<void>;
}

/**
 * Statuses of temporary problems: the server was slow to get our request (408), counts requests (429), failed once
 * (500), or what stands before it found it away or overloaded (502, 503, 504). Everything else would be answered the
 * same again.
 */
const RETRY_STATUSES = new Set([408, 429, 500, 502, 503, 504]);
/** Statuses that mean too many requests, rather than one bad request. */
const OVERLOAD_STATUSES = new Set([429, 503, 504]);

/**
 * A server that is down is not to be asked four times for each of 50,000 records: one retry for so many requests,
 * after the first ones.
 */
const RETRIES_AT_FIRST = 30;
const RETRIES_PER_REQUEST = 0.2;

export const USER_AGENT = `Sortiment/${packageManifest.version}`;

const DEFAULT_RETRY: RetryPolicy = { baseMs: 500, maxMs: 20_000, maxRetryAfterMs: 120_000, random: Math.random };

/** What is known of one origin. */
interface Host {
  limit: AdaptiveLimit;
  /** A server that asks one request to wait means all of them. By a monotonic clock. */
  pausedUntil: number;
  requests: number;
  retries: number;
}

export function createTransport(options: TransportOptions): Transport {
  const { timeoutMs, retries, signal, connections = 8 } = options;
  const policy = { ...DEFAULT_RETRY, ...options.retry };
  const dispatcher = new Agent({
    connections,
    pipelining: 1,
    connect: { timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  });
  const received = { bytes: 0 };
  const context = {
    dispatcher,
    userAgent: USER_AGENT,
    timeoutMs,
    maxBytes: options.maxBytes ?? MAX_RESPONSE_BYTES,
    connectTo: options.connectTo ?? {},
    signal,
    received,
  };
  const notices = new Map<string, string>();
  const hosts = new Map<string, Host>();
  let requests = 0;

  function hostOf(url: string): Host {
    const { origin } = new URL(url);
    const host = hosts.get(origin) ?? { limit: adaptiveLimit(connections), pausedUntil: 0, requests: 0, retries: 0 };
    hosts.set(origin, host);
    return host;
  }

  async function attempt<T>(host: Host, run: () => Promise<T>, isOverload: (answer: T) => boolean): Promise<T> {
    return host.limit.run(async () => {
      // Requests that were let in before the server asked to wait, wait too; it may ask again meanwhile.
      while (host.pausedUntil > performance.now()) await wait(host.pausedUntil - performance.now());
      requests += 1;
      host.requests += 1;
      return run();
    }, isOverload);
  }

  async function send(request: TransportRequest, isIntact: (answer: Exchange) => boolean = () => true) {
    const host = hostOf(request.url);
    for (let attempts = 0; ; attempts += 1) {
      const exchangeOnce = async () => {
        const answer = await exchange(request, context);
        if (answer.outcome === 'answered') noteEnd(notices, answer);
        const mayHeal = attempts < retries && (isTransient(answer) || !isIntact(answer));
        // Before the next request is let in, as the server may ask all of them to wait.
        return { answer, delayMs: mayHeal ? planRetry(host, attempts, answer) : undefined };
      };
      const { answer, delayMs } = await attempt(host, exchangeOnce, (exchanged) => isOverload(exchanged.answer));
      if (delayMs === undefined) return answer;
      await wait(delayMs);
    }
  }

  /**
   * Counts another attempt, and has all requests wait where the server asks for that.
   * @returns How long to wait before the attempt; undefined when there is none.
   */
  function planRetry(host: Host, attempts: number, answer: Exchange): number | undefined {
    if (host.retries >= RETRIES_AT_FIRST + host.requests * RETRIES_PER_REQUEST) return undefined;
    const retryAfterMs = answer.outcome === 'answered' ? readRetryAfter(answer.headers['retry-after']) : undefined;
    const delayMs = retryDelay(attempts, retryAfterMs, policy);
    if (delayMs === undefined) return undefined;
    if (retryAfterMs !== undefined) host.pausedUntil = Math.max(host.pausedUntil, performance.now() + retryAfterMs);
    host.retries += 1;
    return delayMs;
  }

  async function wait(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms, undefined, signal && { signal });
  }

  return {
    get requests() {
      return requests;
    },
    get bytes() {
      return received.bytes;
    },
    notices,
    send,
    openLines: (request) =>
      attempt(
        hostOf(request.url),
        () => openLines(request, context),
        () => false,
      ),
    openBody: (request) => attempt(hostOf(request.url), () => openBody(request, context), isOverload),
    close: () => dispatcher.destroy(),
  };
}

function noteEnd(notices: Map<string, string>, { url, headers }: Extract<Exchange, { outcome: 'answered' }>): void {
  const { deprecation, sunset } = headers;
  if (deprecation === undefined && sunset === undefined) return;
  const words = [
    deprecation === undefined ? [] : `is deprecated (${readMoment(deprecation)})`,
    sunset === undefined ? [] : `will end (${readMoment(sunset)})`,
  ];
  notices.set(new URL(url).origin, words.flat().join(' and '));
}

function isTransient(answer: Exchange): boolean {
  return answer.outcome === 'failed' ? answer.transient : RETRY_STATUSES.has(answer.status);
}

function isOverload(answer: Exchange | BodyExchange): boolean {
  return answer.outcome === 'failed' ? answer.cause === 'timeout' : OVERLOAD_STATUSES.has(answer.status);
}

/** How long to wait before another attempt. */
interface RetryPolicy {
  /** Upper limit of the first wait; doubles each time. */
  baseMs: number;
  /** Longest wait of our own choosing. */
  maxMs: number;
  /** Longest wait that a server may ask for; when it asks for more, there is no other attempt in this run. */
  maxRetryAfterMs: number;
  /** From 0 to 1. */
  random: () => number;
}

/**
 * Full jitter: anything between nothing and the doubled limit, so that parallel requests don't come back together.
 * A Retry-After only makes it longer.
 * @param attempt From 0.
 * @returns Undefined when the server asks for more patience than the policy has.
 */
export function retryDelay(attempt: number, retryAfterMs: number | undefined, policy: RetryPolicy): number | undefined {
  if (retryAfterMs !== undefined && retryAfterMs > policy.maxRetryAfterMs) return undefined;
  return Math.max(
    retryAfterMs ?? 0,
    Math.round(policy.random() * Math.min(policy.maxMs, policy.baseMs * 2 ** attempt)),
  );
}

/** Reads a Retry-After header (RFC 9110, 10.2.3): seconds or a date. Undefined if missing or invalid. */
export function readRetryAfter(header: string | undefined, now: number = Date.now()): number | undefined {
  const text = header?.trim();
  if (!text) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
