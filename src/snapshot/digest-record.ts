import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';

/** Counted up whenever the same content would be read, sanitised or canonicalised differently: every digest changes with it. */
export const NORMALISER_VERSION = 3;

/** SHA-256 of a record's canonical JSON, in hex, salted with the normaliser's version. */
export function digestRecord(record: unknown): string {
  return createHash('sha256')
    .update(`sortiment ${NORMALISER_VERSION}\n${canonicalJson(record)}`)
    .digest('hex');
}
