export interface AdaptiveLimit {
  /** The current limit of parallel requests. */
  readonly limit: number;
  /** Runs a request as soon as the limit allows, and adapts the limit to the result. */
  run<T>(request: () => Promise<T>, isOverload: (result: T) => boolean): Promise<T>;
}

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
export function adaptiveLimit(max: number, now: () => number = () => performance.now()): AdaptiveLimit {
  const waiting: (() => void)[] = [];
  let limit = Math.min(START, max);
  let active = 0;
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
    get limit() {
      return Math.floor(limit);
    },
    async run(request, isOverload) {
      if (active < Math.floor(limit)) active += 1;
      // The request that releases this one has already incremented `active`.
      else await new Promise<void>((resolve) => void waiting.push(resolve));
      const startedAt = now();
      try {
        const result = await request();
        adjustLimit(startedAt, isOverload(result));
        return result;
      } finally {
        active -= 1;
        for (; active < Math.floor(limit) && waiting.length > 0; active += 1) waiting.shift()?.();
      }
    },
  };
}
