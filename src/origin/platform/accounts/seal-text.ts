import { createCipheriv, randomBytes } from 'node:crypto';
import { deriveKey } from './derive-key.ts';

/** Encrypts a text under the origin's key: AES-256-GCM, laid out as nonce (12 bytes), tag (16 bytes), text. */
export function sealText(key: Uint8Array, text: string): Uint8Array {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(key, 'seal'), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return new Uint8Array(Buffer.concat([nonce, cipher.getAuthTag(), sealed]));
}
