import { hkdfSync } from 'node:crypto';

/** A key of its own for each use, so that what is made for one use can't be passed off for another. */
export function deriveKey(key: Uint8Array, use: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', `sortiment ${use}`, 32));
}
