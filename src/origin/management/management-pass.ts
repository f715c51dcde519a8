import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey } from '../accounts/derive-key.ts';

const VALID_MS = 60_000;

/**
 * The bearer that lets an operator's command in: a time and its signature, together with what is asked, under the
 * origin's key. Whoever can read the data folder can make one; it is worth nothing a minute later.
 */
export function signPass(key: Uint8Array, body: string, now: number): string {
  return `${now}.${sign(key, body, String(now)).toString('base64url')}`;
}

/** Whether `signPass` made it, for this body, within the last minute. */
export function isPass(key: Uint8Array, body: string, pass: string, now: number): boolean {
  const [time = '', signature = ''] = pass.split('.');
  if (!/^\d+$/.test(time) || Math.abs(now - Number(time)) > VALID_MS) return false;
  const given = Buffer.from(signature, 'base64url');
  const right = sign(key, body, time);
  return given.length === right.length && timingSafeEqual(given, right);
}

function sign(key: Uint8Array, body: string, time: string): Buffer {
  const digest = createHash('sha256').update(body).digest('hex');
  return createHmac('sha256', deriveKey(key, 'management')).update(`${time}\n${digest}`).digest();
}
