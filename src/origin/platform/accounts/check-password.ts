import { MIN_PASSWORD_LENGTH } from '#contracts/core/index.ts';
import { SortimentError } from '#contracts/index.ts';

/** Passwords that are guessed first, and long enough otherwise. */
const COMMON = new Set(
  'password password1 password123 passwort passwort1 12345678 123456789 1234567890 qwertyui qwertzui qwerty123 qwertz123 11111111 00000000 iloveyou letmein1 welcome1 sunshine princess football baseball superman trustno1 changeme admin123 administrator abcd1234 1q2w3e4r hallo123 geheim123'.split(
    ' ',
  ),
);

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
