import { verify, hash } from '@node-rs/argon2';
import { MIN_PASSWORD_LENGTH } from '#contracts/core/user-routes.ts';
import { SortimentError } from '#contracts/index.ts';

/** Common passwords that are otherwise long enough. */
const COMMON = new Set(
  'password password1 password123 passwort passwort1 12345678 123456789 1234567890 qwertyui qwertzui qwerty123 qwertz123 11111111 00000000 iloveyou letmein1 welcome1 sunshine princess football baseball superman trustno1 changeme admin123 administrator abcd1234 1q2w3e4r hallo123 geheim123'.split(
    ' ',
  ),
);

/**
 * Returns true if a password matches a hash of `hashPassword`.
 *
 * An empty hash (unknown user, account without a password) takes equally long, so that timing doesn't reveal
 * which accounts exist.
 */
export async function verifyPassword(hash: string, plain: string): Promise<boolean> {
  const stored = hash || (decoy ??= await hashPassword('decoy'));
  // Stored text that is not a PHC string matches nothing.
  const isRight = await verify(stored, plain.normalize('NFC')).catch(() => false);
  return isRight && hash !== '';
}

let decoy: string | undefined;

/**
 * Rejects weak passwords: short ones, the user's own name, repeated characters and common ones.
 *
 * @throws SortimentError `WEAK_PASSWORD`
 */
export function checkPassword(password: string, user: { login: string; email: string }): void {
  const plain = password.normalize('NFC').trim().toLowerCase();
  if ([...plain].length < MIN_PASSWORD_LENGTH) rejectWeak(`it has fewer than ${MIN_PASSWORD_LENGTH} characters`);
  const { login, email } = user;
  const names = [login, email, email.split('@')[0] ?? ''].map((name) => name.trim().toLowerCase());
  if (names.includes(plain)) rejectWeak('it is the name of the user');
  if (new Set(plain).size < 3) rejectWeak('it repeats the same characters');
  if (COMMON.has(plain)) rejectWeak('it is among the most common ones');
}

function rejectWeak(reason: string): never {
  throw new SortimentError('WEAK_PASSWORD', `The password is too easy to guess: ${reason}`, {
    hint: `Choose one with at least ${MIN_PASSWORD_LENGTH} characters that is neither a name nor a common password.`,
  });
}

/** Hashes a password with argon2id in PHC form (19 MiB, two passes: the first recommendation of OWASP). */
export function hashPassword(plain: string): Promise<string> {
  return hash(plain.normalize('NFC'), { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
}

/**
 * Creates a queue that runs one task at a time per key. Its result is undefined if too many are waiting.
 *
 * Hashing a password occupies a core for a while, and no source may occupy all of them.
 */
export function verifyQueue(maxWaiting: number) {
  const queues = new Map<string, { waiting: number; last: Promise<unknown> }>();
  return async <T>(key: string, task: () => Promise<T>): Promise<T | undefined> => {
    const queue = queues.get(key) ?? { waiting: 0, last: Promise.resolve() };
    if (queue.waiting >= maxWaiting) return undefined;
    queues.set(key, queue);
    queue.waiting += 1;
    const done = queue.last.then(task);
    queue.last = done.catch(() => undefined);
    try {
      return await done;
    } finally {
      queue.waiting -= 1;
      if (queue.waiting === 0) queues.delete(key);
    }
  };
}
