import { createCipheriv, randomBytes, hkdfSync, createHash } from 'node:crypto';

/** Encrypts a text under the origin's key: AES-256-GCM, laid out as nonce (12 bytes), tag (16 bytes), text. */
export function sealText(key: Uint8Array, text: string): Uint8Array {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(key, 'seal'), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return new Uint8Array(Buffer.concat([nonce, cipher.getAuthTag(), sealed]));
}

/** A key of its own for each use, so that what is made for one use can't be passed off for another. */
export function deriveKey(key: Uint8Array, use: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', `sortiment ${use}`, 32));
}

/** SHA-256 in hex: enough for secrets that are random and long, and it can be looked up. Not for passwords. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
