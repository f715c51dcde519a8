import { createCipheriv, randomBytes, hkdfSync, createHash } from 'node:crypto';

/** Encrypts a text with AES-256-GCM. Layout: nonce (12 bytes), tag (16 bytes), ciphertext. */
export function sealText(key: Uint8Array, text: string): Uint8Array {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(key, 'seal'), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return new Uint8Array(Buffer.concat([nonce, cipher.getAuthTag(), sealed]));
}

/** Derives a separate key for each use, so that a value made for one use is invalid for another. */
export function deriveKey(key: Uint8Array, use: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', `sortiment ${use}`, 32));
}

/** Returns the SHA-256 in hex, for long random secrets that are looked up by it. Not for passwords. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
