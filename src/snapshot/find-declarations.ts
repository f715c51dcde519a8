import type { DatabaseSync } from 'node:sqlite';
import { stripSignature } from './strip-signature.ts';

/** GTINs whose declaration of performance lies at an address, before or after the staged run. @param url As an asset is known by. */
export function findDeclarationOwners(database: DatabaseSync, url: string): string[] {
  const rows = database.prepare(OWNERS).all();
  const owners = rows.filter(({ address }) => stripSignature(String(address)) === url).map(({ gtin }) => String(gtin));
  return [...new Set(owners)].toSorted();
}

const OWNERS = `
SELECT gtin, record ->> '$.declaration_of_performance' AS address FROM main.products WHERE address <> ''
UNION SELECT gtin, record ->> '$.declaration_of_performance' AS address FROM staging.staged_products
 WHERE record IS NOT NULL AND address <> ''`;
