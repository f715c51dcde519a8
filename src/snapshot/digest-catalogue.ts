import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { NORMALISER_VERSION } from './digest-record.ts';
import { ASSET_CONTENT } from './staged-changes.ts';

/** Digest of everything that pages are built from: SHA-256 over the sorted list of all digests. */
export function digestCatalogue(database: DatabaseSync): string {
  const hash = createHash('sha256').update(`sortiment catalogue ${NORMALISER_VERSION}\n`);
  for (const lines of LINES) {
    for (const { line } of database.prepare(lines).iterate()) hash.update(`${String(line)}\n`);
  }
  return hash.digest('hex');
}

const LINES = [
  `SELECT 'product ' || gtin || ' ' || language || ' ' || state || ' ' || digest AS line
     FROM products ORDER BY gtin, language`,
  `SELECT kind || ' ' || id || ' ' || digest AS line FROM records WHERE state = 'present' ORDER BY kind, id`,
  `SELECT 'asset ' || url || ' ' || ${ASSET_CONTENT} AS line
     FROM assets WHERE ${ASSET_CONTENT} IS NOT NULL ORDER BY url, kind`,
];
