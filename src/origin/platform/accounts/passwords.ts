import { verify, hash } from '@node-rs/argon2';
import { MIN_PASSWORD_LENGTH } from '#contracts/core/index.ts';
import { SortimentError } from '#contracts/index.ts';

/** Passwords that are guessed first, and long enough otherwise. */
const COMMON = new Set(
  'password password1 password123 passwort passwort1 12345678 123456789 1234567890 qwertyui qwertzui qwerty123 qwertz123 11111111 00000000 iloveyou letmein1 welcome1 sunshine princess football baseball superman trustno1 changeme admin123 administrator abcd1234 1q2w3e4r hallo123 geheim123'.split(
    ' ',
  ),
);

/**
 * Whether a password belongs to a hash of `hashPassword`. Without a hash (unknown user, account without a
 * password) it works as long as with one and says no, so that time doesn't tell which accounts exist.
 */
export async function verifyPassword(hash: string, plain: string): Promise<boolean> {
  const isRight = await isMatch(hash || (decoy ??= await hashPassword('decoy')), plain);
  return isRight && hash !== '';
}

let decoy: string | undefined;

async function isMatch(hash: string, plain: string): Promise<boolean> {
  try {
    return await verify(hash, plain.normalize('NFC'));
  } catch {
    // A stored text that is no PHC string matches nothing.
    return false;
  }
}

/**
 * Refuses a password that is guessed at once: a short one, the user's own name, one letter again and again, or one of
 * those that everybody takes.
 *
 * @throws SortimentError `WEAK_PASSWORD`
 */
export function checkPassword(password: string, user: { login: string; email: string }): void {
  const plain = password.normalize('NFC').trim().toLowerCase();
  if ([...plain].length < MIN_PASSWORD_LENGTH) refuse(`it has fewer than ${MIN_PASSWORD_LENGTH} characters`);
  const { login, email } = user;
  const own = [login, email, email.split('@')[0] ?? ''].map((name) => name.trim().toLowerCase());
  if (own.includes(plain)) refuse('it is the name of the user');
  if (new Set(plain).size < 3) refuse('it repeats the same characters');
  if (COMMON.has(plain)) refuse('it is among the most common ones');
}

function refuse(why: string): never {
  throw new SortimentError('WEAK_PASSWORD', `This password is too easy to guess: ${why}`, {
    hint: `Choose one of at least ${MIN_PASSWORD_LENGTH} characters that is neither a name nor a common password.`,
  });
}

/** Hashes a password with argon2id (19 MiB, two passes: OWASP's first choice) into PHC form. */
export function hashPassword(plain: string): Promise<string> {
  return hash(plain.normalize('NFC'), { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
}

/** Runs work, or not: undefined if its source already has too much waiting. */
type VerifyQueue = <T>(key: string, work: () => Promise<T>) => Promise<T | undefined>;

/**
 * Lets each key do one thing after the other, and have only so much waiting: hashing a password takes a core for a while,
 * and no source may take them all. A key without work takes no memory.
 */
export function verifyQueue(maxWaiting: number): VerifyQueue {
  const queues = new Map<string, { waiting: number; last: Promise<unknown> }>();
  return async (key, work) => {
    const queue = queues.get(key) ?? { waiting: 0, last: Promise.resolve() };
    if (queue.waiting >= maxWaiting) return undefined;
    queues.set(key, queue);
    queue.waiting += 1;
    const done = queue.last.then(work);
    queue.last = done.catch(() => undefined);
    try {
      return await done;
    } finally {
      queue.waiting -= 1;
      if (queue.waiting === 0) queues.delete(key);
    }
  };
}
