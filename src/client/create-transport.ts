import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import { Agent } from 'undici';
import type { Upstreams } from '#config/index.ts';
import { MAX_RESPONSE_BYTES } from '#contracts/index.ts';
import { parseRetryAfter } from '#contracts/webhooks.ts';
import { exchange, type Exchange, type TransportRequest, openBody, type BodyExchange, openLines } from './exchange.ts';

/** Initial limit, before any response has been measured. */
const START = 4;
/** A response that takes this many times longer than the fastest one has waited in a queue of the server. */
const SLOWDOWN = 2;
/** Differences below this are noise, in ms. */
const NOISE_MS = 20;
/** Factor by which the fastest time grows with each response. */
const DECAY = 1.0002;

/**
 * Limits parallel requests by additive increase and multiplicative decrease. The limit grows by one per round of fast
 * responses. It halves at most once per round when the server reports overload.
 * @param max Upper bound of the limit.
 */
export function adaptiveLimit(max: number, now: () => number = () => performance.now()) {
  let limit = Math.min(START, max);
  const queue = pLimit(limit);
  let fastest = Number.POSITIVE_INFINITY;
  let lastDecrease = Number.NEGATIVE_INFINITY;

  function adjustLimit(startedAt: number, isOverload: boolean): void {
    if (isOverload) {
      // Requests that were running at the last decrease say nothing about the new limit.
      if (startedAt < lastDecrease) return;
      limit = Math.max(1, limit / 2);
      lastDecrease = now();
      return;
    }
    const elapsedMs = now() - startedAt;
    // The fastest time decays, so that the limit adapts to a server that has become permanently slower.
    fastest = Math.min(elapsedMs, fastest * DECAY);
    if (elapsedMs <= fastest * SLOWDOWN + NOISE_MS) limit = Math.min(max, limit + 1 / limit);
  }

  return {
    /** The current limit of parallel requests. */
    get limit() {
      return queue.concurrency;
    },
    /** Runs a request as soon as the limit allows, and adapts the limit to the result. */
    run: <T>(request: () => Promise<T>, isOverload: (result: T) => boolean): Promise<T> =>
      queue(async () => {
        const startedAt = now();
        const result = await request();
        adjustLimit(startedAt, isOverload(result));
        queue.concurrency = Math.floor(limit);
        return result;
      }),
  };
}

export interface TransportOptions {
  /** Limit for each of: connecting, receiving the headers, the pause between two chunks, and the request as a whole. */
  timeoutMs: number;
  /** Attempts after the first. */
  retries: number;
  /** Maximum of parallel requests to one origin; adapts downwards while the server is slow. @default 8 */
  connections?: number;
  /** Maximum body size in bytes, unless the request sets its own. @default 33554432 */
  maxBytes?: number;
  /** Public origin -> origin to connect to: `{ 'https://example.com': 'http://127.0.0.1:4001' }`. */
  connectTo?: Readonly<Record<string, string>>;
  /** Aborts all pending requests. */
  signal?: AbortSignal | undefined;
  retry?: Partial<RetryPolicy>;
}

export type Transport = ReturnType<typeof createTransport>;

/**
 * Statuses of temporary failures: request timeout (408), rate limit (429), server error (500), and gateway errors (502,
 * 503, 504). A retry of any other status would return the same response.
 */
const RETRY_STATUSES = new Set([408, 429, 500, 502, 503, 504]);
const OVERLOAD_STATUSES = new Set([429, 503, 504]);

/**
 * Retry budget per origin: a fixed number plus a share of the requests. Without it, a failing server would receive four
 * requests for each of 50,000 records.
 */
const INITIAL_RETRIES = 30;
const RETRIES_PER_REQUEST = 0.2;

const DEFAULT_RETRY: RetryPolicy = { baseMs: 500, maxMs: 20_000, maxRetryAfterMs: 120_000, random: Math.random };

/** State of one origin. */
interface Host {
  limit: ReturnType<typeof adaptiveLimit>;
  /** End of a pause that the server requested by Retry-After, by a monotonic clock. It applies to all requests. */
  pausedUntil: number;
  requests: number;
  retries: number;
}

/** Creates an HTTP client with keep-alive, adaptive concurrency, retries, Retry-After, and limits of size and time. */
export function createTransport(options: TransportOptions) {
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
    requests += 1;
    return host.limit.run(async () => {
      // Also delays requests that were admitted before the pause. The loop covers pauses that are extended.
      while (host.pausedUntil > performance.now()) await wait(host.pausedUntil - performance.now());
      host.requests += 1;
      return run();
    }, isOverload);
  }

  /**
   * Sends a request and retries temporary failures. Rejects only when the signal aborts.
   * @param isIntact True if the body is complete; an incomplete response is retried.
   */
  async function send(request: TransportRequest, isIntact: (answer: Exchange) => boolean = () => true) {
    const host = hostOf(request.url);
    for (let attempts = 0; ; attempts += 1) {
      const exchangeOnce = async () => {
        const answer = await exchange(request, context);
        if (answer.outcome === 'answered') recordNotice(notices, answer);
        const canRetry = attempts < retries && (isTransient(answer) || !isIntact(answer));
        // Plans the retry before the next request is admitted, because the server may request a pause for all of them.
        return { answer, delayMs: canRetry ? planRetry(host, attempts, answer) : undefined };
      };
      const { answer, delayMs } = await attempt(host, exchangeOnce, (exchanged) => isOverload(exchanged.answer));
      if (delayMs === undefined) return answer;
      await wait(delayMs);
    }
  }

  /**
   * Counts a retry, and pauses all requests of the origin if the server sends Retry-After.
   * @returns Delay before the retry in ms; undefined if there is no retry.
   */
  function planRetry(host: Host, attempts: number, answer: Exchange): number | undefined {
    if (host.retries >= INITIAL_RETRIES + host.requests * RETRIES_PER_REQUEST) return undefined;
    const retryAfterMs = answer.outcome === 'answered' ? parseRetryAfter(answer.headers['retry-after']) : undefined;
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
    /** Attempts so far. Includes waiting ones, so that no budget is exceeded. */
    get requests() {
      return requests;
    },
    /** Body bytes received so far, before decompression. */
    get bytes() {
      return received.bytes;
    },
    /** Deprecation and sunset notices (RFC 9745, RFC 8594): origin -> text. */
    notices: notices as ReadonlyMap<string, string>,
    send,
    /** Sends a request once and streams the body line by line, without a limit of its length. */
    openLines: (request: TransportRequest) =>
      attempt(
        hostOf(request.url),
        () => openLines(request, context),
        () => false,
      ),
    /** Sends a request once and streams the body in chunks, without a limit of its length. */
    openBody: (request: TransportRequest) => attempt(hostOf(request.url), () => openBody(request, context), isOverload),
    close: () => dispatcher.destroy(),
    [Symbol.asyncDispose]: () => dispatcher.destroy(),
  };
}

/** Maps public origins to the origins that serve them. */
export function addressesToConnect({ product, publishing }: Upstreams): Record<string, string> {
  const pairs = [
    [product?.root, product?.connectTo],
    [publishing?.siteUrl, publishing?.connectTo],
  ];
  return Object.fromEntries(
    pairs.flatMap(([address, connectTo]) => (address && connectTo ? [[new URL(address).origin, connectTo]] : [])),
  );
}

function recordNotice(
  notices: Map<string, string>,
  { url, headers }: Extract<Exchange, { outcome: 'answered' }>,
): void {
  const { deprecation, sunset } = headers;
  if (deprecation === undefined && sunset === undefined) return;
  const texts = [
    deprecation === undefined ? [] : `is deprecated (${formatHeaderDate(deprecation)})`,
    sunset === undefined ? [] : `will end (${formatHeaderDate(sunset)})`,
  ];
  notices.set(new URL(url).origin, texts.flat().join(' and '));
}

function isTransient(answer: Exchange): boolean {
  return answer.outcome === 'failed' ? answer.transient : RETRY_STATUSES.has(answer.status);
}

function isOverload(answer: Exchange | BodyExchange): boolean {
  return answer.outcome === 'failed' ? answer.cause === 'timeout' : OVERLOAD_STATUSES.has(answer.status);
}

/** Delays of retries. */
interface RetryPolicy {
  /** Upper limit of the first delay; doubles with each attempt. */
  baseMs: number;
  /** Upper limit of a computed delay. */
  maxMs: number;
  /** Longest accepted Retry-After; a longer one cancels the retry. */
  maxRetryAfterMs: number;
  /** From 0 to 1. */
  random: () => number;
}

/**
 * Computes the delay before a retry with full jitter: a random value up to the doubled limit, so that parallel requests
 * don't retry at the same time. A Retry-After only extends it.
 * @param attempt From 0.
 * @returns Delay in ms; undefined if Retry-After exceeds the limit of the policy.
 */
export function retryDelay(attempt: number, retryAfterMs: number | undefined, policy: RetryPolicy): number | undefined {
  if (retryAfterMs !== undefined && retryAfterMs > policy.maxRetryAfterMs) return undefined;
  return Math.max(
    retryAfterMs ?? 0,
    Math.round(policy.random() * Math.min(policy.maxMs, policy.baseMs * 2 ** attempt)),
  );
}

/**
 * Converts a header date to ISO: an HTTP date, or `@` and seconds (RFC 9651, 3.3.7). Returns other values unchanged.
 */
export function formatHeaderDate(header: string): string {
  const seconds = /^@(-?\d{1,11})$/.exec(header.trim())?.[1];
  const milliseconds = seconds === undefined ? Date.parse(header) : Number(seconds) * 1000;
  return Number.isNaN(milliseconds) ? header.trim().slice(0, 100) : new Date(milliseconds).toISOString();
}
