export interface AdaptiveLimit {
  /** The current limit of parallel requests. */
  readonly limit: number;
  /** Runs a request as soon as the limit allows, and adapts the limit to the result. */
  run<T>(request: () => Promise<T>, isOverload: (result: T) => boolean): Promise<T>;
}

/** Initial limit, before anything is known of the server. */
const START = 4;
/** An answer that takes this much longer than the quickest ones shows that more at once would only wait. */
const SLOWER = 2;
/** Differences below this are noise, in ms. */
const NOISE_MS = 20;
/** For each answer. */
const FORGET = 1.0002;

/**
 * Additive increase, multiplicative decrease: while answers come as quickly as the quickest, one more request at once
 * for each round of them; half as many when the server says that it is too much, once for each round.
 * @param max Requests at once that are never exceeded.
 */
export function adaptiveLimit(max: number, now: () => number = () => performance.now()): AdaptiveLimit {
  const waiting: (() => void)[] = [];
  let limit = Math.min(START, max);
  let underWay = 0;
  let quickest = Number.POSITIVE_INFINITY;
  let lastDecrease = Number.NEGATIVE_INFINITY;

  function learn(begun: number, isOverload: boolean): void {
    if (isOverload) {
      // Requests that were running at the last decrease say nothing about the new limit.
      if (begun < lastDecrease) return;
      limit = Math.max(1, limit / 2);
      lastDecrease = now();
      return;
    }
    const took = now() - begun;
    // Forgets slowly, so that a server which has become slower for good isn't compared with its best day.
    quickest = Math.min(took, quickest * FORGET);
    if (took <= quickest * SLOWER + NOISE_MS) limit = Math.min(max, limit + 1 / limit);
  }

  return {
    get limit() {
      return Math.floor(limit);
    },
    async run(request, isOverload) {
      if (underWay < Math.floor(limit)) underWay += 1;
      // Whoever lets it in has counted it.
      else await new Promise<void>((resolve) => void waiting.push(resolve));
      const begun = now();
      try {
        const result = await request();
        learn(begun, isOverload(result));
        return result;
      } finally {
        underWay -= 1;
        for (; underWay < Math.floor(limit) && waiting.length > 0; underWay += 1) waiting.shift()?.();
      }
    },
  };
}
