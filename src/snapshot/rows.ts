import type { StoredWarning } from '#contracts/index.ts';
import type { ProductRecord } from '#contracts/product/index.ts';
import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';

/** Rows of the snapshot as readers see them. Timestamps are ISO texts in UTC; digests are SHA-256 in hex. */

/** `gone`: the interface no longer knows it. `unlisted`: the assortment or its languages no longer list it. */
export type ProductState = 'present' | 'gone' | 'unlisted';

export interface StoredProduct {
  gtin: string;
  /** The requested language, which is that of the page. If `record.language` differs, the record is a fallback. */
  language: string;
  /** The record as received, with sanitised HTML. `product.parse(record)` returns the `Product`. */
  record: ProductRecord;
  digest: string;
  state: ProductState;
  /** Family in the assortment. */
  family: string | undefined;
  /** Position in the assortment, from 0. For a product that is no longer listed, the last one. */
  position: number;
  /** When the record or one of its files last changed, apart from the price and the internal number. */
  changedAt: string;
  /** When the price last changed; undefined while it is the first one. */
  pricedAt: string | undefined;
  /** When the product left the catalogue; undefined while it is present. */
  leftAt: string | undefined;
}

/** A former name of a product in a language. */
export interface PastName {
  gtin: string;
  language: string;
  name: string;
}

/** A former address of a post or page. */
export interface PastAddress {
  id: number;
  slug: string;
  /** Id of the parent page. */
  parent: number | undefined;
  /** When the address changed, ISO. */
  until: string;
}

/** A former slug of a category, tag or author. */
export interface PastSlug {
  kind: 'category' | 'tag' | 'author';
  id: number;
  slug: string;
  /** When the slug changed, ISO. */
  until: string;
}

/** Result of the last request for a record. */
export interface ProductCheck {
  state: ProductState;
  etag: string | undefined;
  lastModified: string | undefined;
  /** Last change according to the interface's list at the time of the read. */
  listedModified: string | undefined;
  /** Number of consecutive 404 responses while the product still counts as present. */
  missingRuns: number;
  missingSince: string | undefined;
  /** When the record was last compared with the interface. */
  checkedAt: string;
  /** Warnings about the record as last read; undefined if unknown. */
  warnings: StoredWarning[] | undefined;
}

/** A record that an unfinished run has read. */
export type ProductValidators = Pick<
  ProductCheck,
  'etag' | 'lastModified' | 'listedModified' | 'checkedAt' | 'warnings'
>;

export interface LanguageRecord {
  code: string;
  name: string;
}

export interface FamilyRecord {
  id: string;
  /** Language, with or without region -> name. */
  names: Record<string, string>;
  /** Language, with or without region -> one sentence. */
  descriptions: Record<string, string>;
  /** Properties that lists show first: norms or attribute keys, grouped by alternatives. */
  highlights?: string[][] | undefined;
}

/** Name and description of the publishing site. Plain text. */
export interface SiteRecord {
  name: string;
  description: string;
  /** Public address, which links in posts use; without a trailing slash. */
  url: string;
  /** All addresses of the site, the public one first: those of its index, and the one that the sync reads. */
  addresses?: string[];
}

export type Stored<T> = T & {
  digest: string;
  /** When the record last changed. */
  changedAt: string;
};

export interface StoredAsset {
  url: string;
  /** `image`, `document` or another kind of asset. */
  kind: string;
  /**
   * SHA-256 of the bytes; undefined if only the source has them (linked documents, or files that were never reached).
   */
  digest?: string | undefined;
  /** `ab/cdef….png`, relative to the assets folder; undefined with `digest`. */
  file?: string | undefined;
  bytes?: number | undefined;
  mimeType?: string | undefined;
  /** In pixels, after rotation; images only. */
  width?: number | undefined;
  height?: number | undefined;
  /**
   * Further properties read from the bytes, such as the duration. Contains `rejected` if the last response was not a
   * valid file.
   */
  details?: Readonly<Record<string, number | string>> | undefined;
  /** Reported by the server, ISO. */
  lastModified?: string | undefined;
  etag?: string | undefined;
  /** False if the last attempt failed. Bytes fetched earlier stay. */
  reachable: boolean;
  /** Why the asset is unreachable or rejected. */
  problem?: string | undefined;
  fetchedAt?: string | undefined;
  checkedAt: string;
  /** New bytes of a declaration of performance at its source. They are published after an editor accepts them. */
  unaccepted?: PendingBytes | undefined;
}

/** A file or replaced document whose bytes are stored. */
export interface StoredFile extends Pick<StoredAsset, 'url' | 'kind'> {
  digest: string;
  file: string;
}

/** Bytes that are stored but not published. */
export interface PendingBytes {
  digest: string;
  file: string;
  bytes: number;
  mimeType: string;
  lastModified: string | undefined;
  etag: string | undefined;
  fetchedAt: string;
}

/** A replaced document. */
export interface EarlierDocument {
  url: string;
  /** Language of the record that referred to it; undefined if equal to that of the current record. */
  language?: string | undefined;
  /** Undefined with `file` if only the source has the bytes. */
  digest: string | undefined;
  file: string | undefined;
  bytes: number | undefined;
  /** End of its validity, as seen by syncs, ISO. */
  replacedAt: string;
}

/** Bytes of a document that were replaced or that no product refers to. */
export interface PastDocument {
  url: string;
  digest: string;
  file: string;
  /** The product that referred to it; undefined if the address didn't change or the product is unknown. */
  owner: { gtin: string; language: string; field: string } | undefined;
}

export interface BrokenDocument {
  url: string;
  /** Why it was unavailable. */
  problem: string;
  /** GTINs of the products that refer to it. */
  gtins: string[];
}

export interface StoredSource {
  name: 'product' | 'publishing';
  /** Address without secrets. */
  base: string;
  /** Change cursor for incremental reads; undefined before the first one. */
  cursor: string | undefined;
  lastSuccess: string;
  /** When the source first failed; undefined while it is reachable. */
  failedSince: string | undefined;
  problem: string | undefined;
}

export interface StoredRun {
  id: string;
  startedAt: string;
  finishedAt: string;
  changed: boolean;
  digest: string;
  previousDigest: string | undefined;
  requests: number;
  /** The run's report as JSON. Stored only for runs with changes. */
  report: string | undefined;
}

/** Owners in `asset_references` are `product/<gtin>/<language>`, or `<kind>/<id>` for other records. */
export const IS_PRODUCT_OWNER = `owner >= 'product/' AND owner < 'product0'`;
export const GTIN_OF_OWNER = `substr(owner, 9, instr(substr(owner, 9), '/') - 1)`;
export const LANGUAGE_OF_OWNER = `substr(owner, 10 + length(${GTIN_OF_OWNER}))`;

export type Row = Record<string, SQLOutputValue>;

const camelNames = new Map<string, string>();

function camelName(column: string): string {
  const name = camelNames.get(column) ?? column.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  camelNames.set(column, name);
  return name;
}

const BOOLEAN_COLUMNS = new Set(['reachable', 'changed', 'target_gone', 'is_changed', 'is_of_change']);

/**
 * Converts a row to an object: `changed_at` becomes `changedAt`, NULL undefined. The sync validated the values before
 * it wrote them.
 * @param json Columns with JSON.
 */
export function fromRow<T extends object>(row: Row, json: readonly string[] = []): T {
  const members = Object.entries(row).map(([column, value]) => {
    const isJson = value !== null && json.includes(column);
    const plain: unknown = BOOLEAN_COLUMNS.has(column) ? value === 1 : (value ?? undefined);
    return [camelName(column), isJson ? (JSON.parse(String(value)) as unknown) : plain];
  });
  return Object.fromEntries(members) as T;
}

export const toAsset = (row: Row): StoredAsset => fromRow(row, ['details', 'unaccepted']);

export const toValidators = <T extends ProductValidators>(row: Row): T => fromRow<T>(row, ['warnings']);

/** Converts an object to the named parameters of a statement: `changedAt` to `changed_at`, lists and objects to JSON. */
export function toParameters(object: object): Record<string, SQLInputValue> {
  const columns = Object.entries(object).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined) return [];
    const column = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const isJson = typeof value === 'object' && value !== null;
    return [[column, isJson ? JSON.stringify(value) : typeof value === 'boolean' ? Number(value) : value]];
  });
  return Object.fromEntries(columns) as Record<string, SQLInputValue>;
}

/** Compiles each statement once, because pages read hundreds of thousands of single rows. */
export function cachedStatements(database: DatabaseSync) {
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    getOne: (sql: string, ...values: SQLInputValue[]): Row | undefined => prepare(sql).get(...values),
    getAll: (sql: string, ...values: SQLInputValue[]): Row[] => prepare(sql).all(...values),
  };
}

/** Runs a function in a transaction, which an error rolls back. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
