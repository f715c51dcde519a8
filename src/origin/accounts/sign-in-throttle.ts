import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

const FAILURES = 5;
const WINDOW_SECONDS = 15 * 60;

export interface SignInThrottle {
  /** Counts a try before its password is looked at; the seconds to wait if there were too many. */
  countTry(address: string, login: string): Promise<number | undefined>;
  /** Forgets the tries of somebody who got in. */
  forget(address: string, login: string): Promise<void>;
}

/** Five wrong passwords for a login from an address, then a pause. Counts within this process. */
export function signInThrottle(): SignInThrottle {
  const limiter = new RateLimiterMemory({ points: FAILURES, duration: WINDOW_SECONDS });
  return {
    async countTry(address, login) {
      try {
        await limiter.consume(keyOf(address, login));
        return undefined;
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        return Math.ceil(refusal.msBeforeNext / 1000);
      }
    },
    async forget(address, login) {
      await limiter.delete(keyOf(address, login));
    },
  };
}

function keyOf(address: string, login: string): string {
  return `${address} ${login.trim().toLowerCase()}`;
}
