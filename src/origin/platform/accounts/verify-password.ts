import { verify } from '@node-rs/argon2';
import { hashPassword } from './hash-password.ts';

/**
 * Whether a password belongs to a hash of `hashPassword`. Without a hash (unknown user, account without a
 * password) it works as long as with one and says no, so that time doesn't tell which accounts exist.
 */
export async function verifyPassword(hash: string, plain: string): Promise<boolean> {
  decoy ??= hashPassword('decoy');
  const isRight = await isMatch(hash || (await decoy), plain);
  return isRight && hash !== '';
}

let decoy: Promise<string> | undefined;

async function isMatch(hash: string, plain: string): Promise<boolean> {
  try {
    return await verify(hash, plain.normalize('NFC'));
  } catch {
    // A stored text that is no PHC string matches nothing.
    return false;
  }
}
