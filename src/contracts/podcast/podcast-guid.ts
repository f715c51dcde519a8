import { createHash } from 'node:crypto';
import { trimTrailing } from '../scan-text.ts';

/** Namespace of podcasts: ead4c236-bf58-58c6-a2c6-a6b28d128cb6. */
const NAMESPACE = Buffer.from('ead4c236bf5858c6a2c6a6b28d128cb6', 'hex');

/**
 * Computes the initial guid of a podcast (Podcasting 2.0, guid): a version 5 UUID of its feed URL, without scheme and
 * trailing slashes. An assigned guid never changes, even if the feed moves.
 */
export function podcastGuid(feedAddress: string): string {
  const name = trimTrailing(feedAddress.replace(/^[a-z]+:\/\//i, ''), '/');
  const bytes = createHash('sha1').update(NAMESPACE).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
