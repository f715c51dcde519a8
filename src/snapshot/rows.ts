import type { StoredWarning } from '#contracts/index.ts';
import type { ProductRecord } from '#contracts/product/index.ts';

/** The content of the snapshot, as readers see it. Moments are ISO texts in UTC; digests are SHA-256 in hex. */

/**
 * `gone`: the interface answered that it no longer knows it. `unlisted`: it is no longer in the assortment or its
 * languages.
 */
export type ProductState = 'present' | 'gone' | 'unlisted';

export interface StoredProduct {
  gtin: string;
  /** The requested language, which is that of the page. Where `record.language` differs, the record is a fallback. */
  language: string;
  /** The record as on the wire, its HTML sanitised. `product.parse(record)` gives the `Product`. */
  record: ProductRecord;
  digest: string;
  state: ProductState;
  /** Family of the assortment. */
  family: string | undefined;
  /** Position in the assortment, from 0. For a product that is no longer listed: its last one. */
  position: number;
  /** When the record, or a file that it refers to, last changed in more than the price or the internal number. */
  changedAt: string;
  /** When the price last changed; undefined while it is the first one. */
  pricedAt: string | undefined;
  /** When it left the catalogue; undefined while it is present. */
  leftAt: string | undefined;
}

/** A name that a record had before, stored under a language. */
export interface PastName {
  gtin: string;
  language: string;
  name: string;
}

/** A former address of a post or page. */
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

/** The last request for a record, and its answer. */
export interface KnownProduct {
  state: ProductState;
  etag: string | undefined;
  lastModified: string | undefined;
  /** Its last change by the interface's own list, when the record was read. */
  listedModified: string | undefined;
  /** Answers in a row that the product is unknown, while it still counts as present. */
  missingRuns: number;
  missingSince: string | undefined;
  /** When it was last compared with the interface. */
  checkedAt: string;
  /** Warnings about the record as last read; undefined if not known. */
  warnings: StoredWarning[] | undefined;
}

/** A record as read by an unfinished run. */
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
  /** Properties that lists show first: norms or attribute keys, alternatives together. */
  highlights?: string[][] | undefined;
}

/** Name and description of the publishing site. Plain text. */
export interface SiteRecord {
  name: string;
  description: string;
  /** Its public address, which links in posts point to; without a slash at the end. */
  url: string;
  /** All its addresses, the public one first: those of its index, and the one it is read from. */
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
  /** SHA-256 of the bytes; undefined while only the source has them (documents that are linked, or never reached). */
  digest: string | undefined;
  /** `ab/cdef….png`, relative to the folder of assets; undefined with `digest`. */
  file: string | undefined;
  bytes: number | undefined;
  mimeType: string | undefined;
  /** In pixels, upright; images only. */
  width?: number | undefined;
  height?: number | undefined;
  /** Further properties read from its bytes, such as the duration; `rejected` if the last response was no such file. */
  details?: Readonly<Record<string, number | string>> | undefined;
  /** As its server says, ISO. */
  lastModified: string | undefined;
  etag: string | undefined;
  /** False when the last attempt failed; what was fetched before stays. */
  reachable: boolean;
  /** Why it is unreachable, or rejected. */
  problem: string | undefined;
  fetchedAt: string | undefined;
  checkedAt: string;
  /** New bytes of a declaration of performance at its source: published once somebody accepts them. */
  unaccepted?: UnacceptedBytes | undefined;
}

/** A file, or a document that another one has replaced, whose bytes are stored. */
export interface StoredFile extends Pick<StoredAsset, 'url' | 'kind'> {
  digest: string;
  file: string;
}

/** Bytes that are stored but not published. */
export interface UnacceptedBytes {
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
  /** Of the record that named it; undefined where it is that of the record of today. */
  language?: string | undefined;
  /** Undefined with `file` where only the source has the bytes. */
  digest: string | undefined;
  file: string | undefined;
  bytes: number | undefined;
  /** Until when it was valid, as far as syncs could see, ISO. */
  replacedAt: string;
}

/** Bytes of a document that were replaced or are no longer referred to. */
export interface PastDocument {
  url: string;
  digest: string;
  file: string;
  /** The product that referred to it before; undefined if its address stayed or this is unknown. */
  owner: { gtin: string; language: string; field: string } | undefined;
}

export interface BrokenDocument {
  url: string;
  /** Why it was unavailable. */
  problem: string;
  /** Products that refer to it. */
  gtins: string[];
}

export interface StoredSource {
  name: 'product' | 'publishing';
  /** Address without secrets. */
  base: string;
  /** Change cursor for an incremental read; undefined until there is one. */
  cursor: string | undefined;
  lastSuccess: string;
  /** When it first could not be read; undefined while it can. */
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
  /** The run's report as JSON; stored for runs that changed something. */
  report: string | undefined;
}
