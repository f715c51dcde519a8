import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';

/** Owners in `asset_references` are `product/<gtin>/<language>`, or `<kind>/<id>` for other records. */
export const IS_PRODUCT_OWNER = `owner >= 'product/' AND owner < 'product0'`;
export const GTIN_OF_OWNER = `substr(owner, 9, instr(substr(owner, 9), '/') - 1)`;
export const LANGUAGE_OF_OWNER = `substr(owner, 10 + length(${GTIN_OF_OWNER}))`;

/** References after the staged run: staged owners replace their stored references. */
export const EFFECTIVE_REFERENCES = `
WITH effective AS (
  SELECT * FROM staging.staged_references
  UNION ALL
  SELECT * FROM main.asset_references WHERE owner NOT IN (SELECT owner FROM staging.staged_owners)
)`;

/** Products that refer to an asset, in any language and state, discontinued ones included. */
const OWNERS = `SELECT DISTINCT ${GTIN_OF_OWNER} AS gtin FROM asset_references
  WHERE url = ? AND kind = ? AND ${IS_PRODUCT_OWNER} ORDER BY gtin`;

/**
 * Lists the GTINs of products that refer to an asset.
 * @param url The asset's URL without a signature.
 */
export function findAssetOwners(database: DatabaseSync, { url, kind }: { url: string; kind: string }): string[] {
  return database
    .prepare(OWNERS)
    .all(url, kind)
    .map(({ gtin }) => String(gtin));
}

/** Returns a digest of the files that records other than products refer to. */
export function describeArticleFiles(database: DatabaseSync): string {
  const digest = createHash('sha1');
  for (const row of database.prepare(ARTICLE_FILES).iterate()) digest.update(JSON.stringify(Object.values(row)));
  return digest.digest('base64url');
}

const ARTICLE_FILES = `
SELECT DISTINCT a.url, a.kind, a.digest, a.file, a.bytes, a.mime_type, a.width, a.height, a.details, a.last_modified, a.reachable
  FROM asset_references r JOIN assets a USING (url, kind) WHERE NOT (${IS_PRODUCT_OWNER}) ORDER BY a.url, a.kind`;
