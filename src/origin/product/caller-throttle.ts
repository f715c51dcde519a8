import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ProductRefusal } from './product-refusal.ts';

/** Counts one request of a caller. @throws ProductRefusal 429 if it is one too many. */
export type CallerThrottle = (countAs: string) => Promise<void>;

/**
 * Lets each caller make so many requests a minute; 0 is no limit. A refused request doesn't put off the end of
 * the minute. Counts within this process.
 */
export function callerThrottle(requestsPerMinute: number): CallerThrottle {
  if (requestsPerMinute <= 0) return () => Promise.resolve();
  const limiter = new RateLimiterMemory({ points: requestsPerMinute, duration: 60 });
  return async (countAs) => {
    try {
      await limiter.consume(countAs);
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      const seconds = Math.ceil(refusal.msBeforeNext / 1000);
      throw new ProductRefusal('throttled', { values: { seconds }, headers: { 'Retry-After': String(seconds) } });
    }
  };
}
