import { setTimeout as sleep } from 'node:timers/promises';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { accountOf } from './account-of.ts';
import { failureThrottle } from './failure-throttle.ts';
import { findPasswordOwner } from './find-password-owner.ts';
import { findUserByLogin } from './find-user-by-login.ts';
import type { UserRow } from './user-row.ts';
import { verifyQueue } from './verify-queue.ts';

const FAILURES = 5;
/** Attempts of one source that may wait for their turn. */
const MAX_WAITING = 20;
/** What each attempt beyond the limit has to wait, one after the other: guessing goes on at that pace and no faster. */
const PAUSE_MS = 200;
const BUSY_SECONDS = 5;

export type SignInOutcome = { user: UserRow } | { waitSeconds: number } | 'wrong';

export type TrySignIn = (source: string, loginOrEmail: string, password: string) => Promise<SignInOutcome>;

/**
 * Signs in with a password. The right one gets in, however many wrong ones somebody has sent before; wrong ones are told to
 * wait after a few, and are looked at slowly from then on. Takes the same time whether the user exists or not.
 */
export function signInAttempts(context: OriginContext): TrySignIn {
  const attemptOf = failureThrottle({ failures: FAILURES });
  const inTurn = verifyQueue(MAX_WAITING);
  return async (source, loginOrEmail, password) => {
    const account = accountOf(await findUserByLogin(context, loginOrEmail), loginOrEmail);
    const attempt = attemptOf(source, account);
    const isSlow = attempt.waitSeconds !== undefined;
    // Who is slowed down does not hold up others of the same source.
    const verified = await inTurn(isSlow ? `${source}\n${account}` : source, async () => {
      if (isSlow) await sleep(PAUSE_MS);
      return { user: await findPasswordOwner(context, loginOrEmail, password) };
    });
    if (verified === undefined) return { waitSeconds: BUSY_SECONDS };
    if (verified.user) {
      attempt.succeed();
      return { user: verified.user };
    }
    return attempt.waitSeconds === undefined ? 'wrong' : { waitSeconds: attempt.waitSeconds };
  };
}
