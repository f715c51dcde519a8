import { createHash } from 'node:crypto';

/** SHA-256 in hex: enough for secrets that are random and long, and it can be looked up. Not for passwords. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
