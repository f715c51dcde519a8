import { createDecipheriv } from 'node:crypto';
import { deriveKey } from './sealed-texts.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Decrypts a text of `sealText`. Returns undefined for another key or a modified value. */
export function unsealText(key: Uint8Array, sealed: Uint8Array): string | undefined {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  const cipher = createDecipheriv('aes-256-gcm', deriveKey(key, 'seal'), sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  cipher.setAuthTag(tag);
  try {
    return Buffer.concat([cipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), cipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
