import type { DatabaseSync } from 'node:sqlite';
import type { ProductRecord } from '../contracts/product/index.ts';
import type { AssetKind, RecordKind, RecordKinds, StoredAsset } from './rows.ts';
import { STAGING_SCHEMA } from './schema.ts';
import { stripSignature } from './strip-signature.ts';

export interface AssetReference {
  address: string;
  kind: AssetKind;
}

/** What came of asking for one product in one language. */
export type StagedProduct = {
  gtin: string;
  language: string;
  family: string | undefined;
  position: number;
} & (
  | {
      outcome: 'read';
      record: ProductRecord;
      recordLanguage: string;
      digest: string;
      etag: string | undefined;
      lastModified: string | undefined;
      references: AssetReference[];
    }
  /** The server says it is as before. */
  | { outcome: 'not-modified' }
  /** The interface says it doesn't know it. */
  | { outcome: 'gone' }
  /** An answer that can't be used: what is stored stays as it is. */
  | { outcome: 'unusable' }
);

/** A row of one of the other kinds; without a record it can't be used, and what is stored stays as it is. */
export interface StagedRecord<K extends RecordKind = RecordKind> {
  kind: K;
  id: string;
  position: number;
  content?: { record: RecordKinds[K]; digest: string; references?: AssetReference[] };
}

/** What a run has read, kept apart from the snapshot until `commitStaging`. */
export interface Staging {
  stageProduct(row: StagedProduct): void;
  stageRecord<K extends RecordKind>(row: StagedRecord<K>): void;
  stageAsset(asset: StoredAsset): void;
  /** Says that a kind was read to its end: only then do its missing rows count as removed. */
  completeKind(kind: RecordKind | 'product'): void;
  /** Addresses that staged records name so far. @param owners Begin of the owners, such as `media/`. */
  stagedReferences(owners: string): string[];
  /** Every asset that the catalogue will name after this run: key -> address and kind, and one record that names it. */
  assetReferences(): IterableIterator<AssetReference & { url: string; owner: string }>;
}

/** Prepares the staging area of one run on a snapshot's connection, empty. */
export function stageRun(database: DatabaseSync): Staging {
  for (const { name } of database.prepare(`SELECT name FROM temp.sqlite_schema WHERE type = 'table'`).all()) {
    database.exec(`DROP TABLE temp.${String(name)}`);
  }
  database.exec(STAGING_SCHEMA);
  const knownProduct = database.prepare(
    `SELECT digest FROM main.products WHERE gtin = ? AND language = ? AND state = 'present'`,
  );
  const knownRecord = database.prepare(
    `SELECT digest FROM main.records WHERE kind = ? AND id = ? AND state = 'present' AND position = ?`,
  );
  const addProduct = database.prepare('INSERT OR REPLACE INTO staged_products VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const addRecord = database.prepare('INSERT OR REPLACE INTO staged_records VALUES (?, ?, ?, ?, ?, ?)');
  const addOwner = database.prepare('INSERT OR IGNORE INTO staged_owners VALUES (?)');
  const addReference = database.prepare('INSERT OR IGNORE INTO staged_references VALUES (?, ?, ?, ?)');
  const addAsset = database.prepare(
    `INSERT OR REPLACE INTO staged_assets (url, kind, digest, file, bytes, mime_type, width, height, last_modified,
       etag, reachable, problem, fetched_at, checked_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const addKind = database.prepare('INSERT OR IGNORE INTO read_kinds VALUES (?)');
  const stageReferences = (owner: string, references: readonly AssetReference[]) => {
    addOwner.run(owner);
    for (const { address, kind } of references) addReference.run(owner, stripSignature(address), address, kind);
  };

  return {
    stageProduct(row) {
      const { gtin, language, position } = row;
      const family = row.family ?? null;
      if (row.outcome !== 'read') {
        const outcome = row.outcome === 'not-modified' ? 'same' : row.outcome;
        addProduct.run(gtin, language, outcome, null, null, null, family, position, null, null);
        return;
      }
      const same = knownProduct.get(gtin, language)?.['digest'] === row.digest;
      addProduct.run(
        gtin,
        language,
        same ? 'same' : 'record',
        row.recordLanguage,
        same ? null : JSON.stringify(row.record),
        row.digest,
        family,
        position,
        row.etag ?? null,
        row.lastModified ?? null,
      );
      stageReferences(`product/${gtin}/${language}`, row.references);
    },
    stageRecord({ kind, id, position, content }) {
      if (!content) {
        addRecord.run(kind, id, 'unusable', position, null, null);
        return;
      }
      const same = knownRecord.get(kind, id, position)?.['digest'] === content.digest;
      addRecord.run(
        kind,
        id,
        same ? 'same' : 'record',
        position,
        same ? null : JSON.stringify(content.record),
        content.digest,
      );
      stageReferences(`${kind}/${id}`, content.references ?? []);
    },
    stageAsset(asset) {
      addAsset.run(
        asset.url,
        asset.kind,
        asset.digest ?? null,
        asset.file ?? null,
        asset.bytes ?? null,
        asset.mimeType ?? null,
        asset.width ?? null,
        asset.height ?? null,
        asset.lastModified ?? null,
        asset.etag ?? null,
        asset.reachable ? 1 : 0,
        asset.problem ?? null,
        asset.fetchedAt ?? null,
        asset.checkedAt,
      );
    },
    completeKind: (kind) => void addKind.run(kind),
    stagedReferences: (owners) =>
      database
        .prepare('SELECT address FROM staged_references WHERE substr(owner, 1, ?) = ?')
        .all(owners.length, owners)
        .map((row) => String(row['address'])),
    *assetReferences() {
      for (const row of database.prepare(REFERENCES).iterate()) {
        yield {
          url: String(row['url']),
          address: String(row['address']),
          kind: String(row['kind']) as AssetKind,
          owner: String(row['owner']),
        };
      }
    },
  };
}

/** The references of a record that was read stand for those stored under its owner. An address asked for as both is an image. */
const REFERENCES = `
WITH effective AS (
  SELECT * FROM staged_references
  UNION ALL
  SELECT * FROM main.asset_references WHERE owner NOT IN (SELECT owner FROM staged_owners)
)
SELECT url, max(address) AS address, max(kind) AS kind, min(owner) AS owner FROM effective GROUP BY url ORDER BY url`;
