import type { FeedProduct } from '#contracts/feed/feed-files.ts';

/** Parts of a file, by the GTINs of their products. */
export type FeedItems = ReadonlyMap<string, string>;

/**
 * A file format made of one part per product. After a change of one product, files are composed of existing parts and a
 * new one, which halves the time.
 */
export interface FeedFormat {
  /** Returns the parts of products. Products that the format excludes have none. */
  compose(products: readonly FeedProduct[]): FeedItems;
  /** Splits a file that the first of `files` has joined. */
  split(file: string): FeedItems;
  files: readonly FeedFile[];
}

export interface FeedFile {
  extension: string;
  join(pieces: readonly string[]): string;
}
