import type { Problem } from '#contracts/index.ts';
import type { ProductRecord } from '#contracts/product/index.ts';

/**
 * What the snapshot holds, as readers see it. Moments are ISO texts in UTC; digests are hex SHA-256.
 */

/** `gone`: the interface answered that it no longer knows it. `unlisted`: the assortment or its languages no longer name it. */
export type ProductState = 'present' | 'gone' | 'unlisted';

export interface StoredProduct {
  gtin: string;
  /** The language that was asked for, and so that of the page. Where `record.language` differs, the record is a fallback. */
  language: string;
  /** The record as on the wire, its HTML sanitised. `product.parse(record)` gives the `Product`. */
  record: ProductRecord;
  digest: string;
  state: ProductState;
  /** Family of the assortment. */
  family: string | undefined;
  /** Place in the assortment, from 0. For a product that is no longer listed: its last one. */
  position: number;
  /** When the record, or a file that it names, last changed. */
  changedAt: string;
  /** When it left the catalogue; undefined while it is present. */
  leftAt: string | undefined;
}

/** A name that a record had before, stored under a language. */
export interface PastName {
  gtin: string;
  language: string;
  name: string;
}

/** Where a post or page stood before. */
export interface PastPlace {
  id: number;
  slug: string;
  /** Id of the page above. */
  parent: number | undefined;
  /** When it was left, ISO. */
  until: string;
}

/** A slug that a category, tag or author had before. */
export interface PastSlug {
  kind: 'category' | 'tag' | 'author';
  id: number;
  slug: string;
  /** When it was given up, ISO. */
  until: string;
}

/** How a record was last asked for, and what was answered. */
export interface KnownProduct {
  state: ProductState;
  etag: string | undefined;
  lastModified: string | undefined;
  /** What the interface's own list said of its last change when the record was read. */
  listedModified: string | undefined;
  /** Answers in a row that it isn't known any more, while it still counts as present. */
  missingRuns: number;
  missingSince: string | undefined;
  /** When it was last compared with the interface. */
  checkedAt: string;
  /** What the record as it was last read is warned of; undefined when that is not known. */
  warnings: StoredWarning[] | undefined;
}

/** A warning that is kept with the record that it is about. */
export interface StoredWarning extends Problem {
  /** The value as it came, as JSON, shortened. */
  shown?: string;
}

/** What a run that ended early has read of a record. */
export type HeldProduct = Pick<KnownProduct, 'etag' | 'lastModified' | 'listedModified' | 'checkedAt' | 'warnings'>;

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
  /** What lists show first of its products: norms or keys of attributes, alternatives together. */
  highlights?: string[][] | undefined;
}

/** What the publishing site says of itself. Plain text. */
export interface SiteRecord {
  name: string;
  description: string;
  /** Its public address, which links in posts point to; without a slash at the end. */
  url: string;
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
  /** SHA-256 of the bytes; undefined while only the source has them (documents that are linked, or never reached). */
  digest: string | undefined;
  /** `ab/cdef….png`, relative to the folder of assets; undefined with `digest`. */
  file: string | undefined;
  bytes: number | undefined;
  mimeType: string | undefined;
  /** In pixels, upright; images only. */
  width?: number | undefined;
  height?: number | undefined;
  /** What else its bytes tell of it, such as how long it plays. */
  details?: Readonly<Record<string, number | string>> | undefined;
  /** As its server says, ISO. */
  lastModified: string | undefined;
  etag: string | undefined;
  /** False when the last attempt failed; what was fetched before stays. */
  reachable: boolean;
  /** Why it isn't reachable. */
  problem: string | undefined;
  fetchedAt: string | undefined;
  checkedAt: string;
  /** Other bytes that its source has now, of a declaration of performance: published once somebody accepts them. */
  unaccepted?: UnacceptedBytes | undefined;
}

/** Bytes that are held, but not published. */
export interface UnacceptedBytes {
  digest: string;
  file: string;
  bytes: number;
  mimeType: string;
  lastModified: string | undefined;
  etag: string | undefined;
  fetchedAt: string;
}

/** A document that stood where another one stands now. */
export interface EarlierDocument {
  url: string;
  /** Of the record that named it; undefined where it is that of the record of today. */
  language?: string | undefined;
  /** Undefined with `file` where only the source has the bytes. */
  digest: string | undefined;
  file: string | undefined;
  bytes: number | undefined;
  /** Until when it was the one that held, as far as syncs could see, ISO. */
  replacedAt: string;
}

/** Bytes of a document that were replaced, or are named no more. */
export interface PastDocument {
  url: string;
  digest: string;
  file: string;
  /** What named it before it named another one; undefined where its address stayed, or nothing is known of it. */
  owner: { gtin: string; language: string; field: string } | undefined;
}

export interface BrokenDocument {
  url: string;
  /** Why it could not be had. */
  problem: string;
  /** Products that name it. */
  gtins: string[];
}

export interface StoredSource {
  name: 'product' | 'publishing';
  /** Address without secrets. */
  base: string;
  /** Where an incremental read would go on; undefined until there is one. */
  cursor: string | undefined;
  lastSuccess: string;
  /** When a run first went without it; undefined while it can be read. */
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
  /** The run's report as JSON; kept for runs that changed something. */
  report: string | undefined;
}
