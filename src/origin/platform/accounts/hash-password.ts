import { hash } from '@node-rs/argon2';

/** Hashes a password with argon2id (19 MiB, two passes: OWASP's first choice) into PHC form. */
export function hashPassword(plain: string): Promise<string> {
  return hash(plain.normalize('NFC'), { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
}
