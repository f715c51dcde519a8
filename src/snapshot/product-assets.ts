import { DOCUMENT_FIELDS, IMAGE_FIELDS, type ProductRecord } from '#contracts/product/index.ts';
import type { DatabaseSync } from 'node:sqlite';
import { GTIN_OF_OWNER, IS_PRODUCT_OWNER, LANGUAGE_OF_OWNER } from './staged-changes.ts';
import { stripSignature } from './digest-record.ts';
import { toAsset } from './read-snapshot.ts';
import type { StoredAsset } from './rows.ts';

/** A file that a product field refers to. */
export interface ProductAsset {
  field: (typeof IMAGE_FIELDS)[number] | (typeof DOCUMENT_FIELDS)[number];
  /** As in the record, including a signature if there is one. */
  address: string;
  kind: string;
}

/** Lists the images of a record, then its documents. */
export function listProductAssets(record: Pick<ProductRecord, ProductAsset['field']>): ProductAsset[] {
  const assetsOf = (fields: readonly ProductAsset['field'][], kind: string): ProductAsset[] =>
    fields.flatMap((field) => {
      const address = record[field];
      return address ? [{ field, address, kind }] : [];
    });
  return [...assetsOf(IMAGE_FIELDS, 'image'), ...assetsOf(DOCUMENT_FIELDS, 'document')];
}

/**
 * Finds the GTINs whose declaration of performance is at a URL, before or after the staged run.
 * @param url Without a signature.
 */
export function findDeclarationOwners(database: DatabaseSync, url: string): string[] {
  const rows = database.prepare(OWNERS).all(url);
  const owners = rows.filter(({ address }) => stripSignature(String(address)) === url).map(({ gtin }) => String(gtin));
  return [...new Set(owners)].toSorted();
}

/** Finds documents whose bytes at the source differ from the published ones, as of the staged run. */
export function findPendingDocuments(database: DatabaseSync): StoredAsset[] {
  return database.prepare(UNACCEPTED).all().map(toAsset);
}

const UNACCEPTED = `
SELECT * FROM staging.staged_assets WHERE unaccepted IS NOT NULL
UNION ALL
SELECT * FROM main.assets a WHERE unaccepted IS NOT NULL
   AND NOT EXISTS (SELECT 1 FROM staging.staged_assets s WHERE s.url = a.url AND s.kind = a.kind)
 ORDER BY url`;

const OWNERS = `
WITH owners AS (
  SELECT ${GTIN_OF_OWNER} AS gtin, ${LANGUAGE_OF_OWNER} AS language FROM (
    SELECT owner FROM main.asset_references WHERE url = ?1 AND kind = 'document' AND ${IS_PRODUCT_OWNER}
    UNION SELECT owner FROM staging.staged_references WHERE url = ?1 AND kind = 'document' AND ${IS_PRODUCT_OWNER})
)
SELECT gtin, record ->> '$.declaration_of_performance' AS address FROM owners JOIN main.products USING (gtin, language)
 WHERE address <> ''
UNION
SELECT gtin, record ->> '$.declaration_of_performance' AS address
  FROM owners JOIN staging.staged_products USING (gtin, language)
 WHERE record IS NOT NULL AND address <> ''`;
