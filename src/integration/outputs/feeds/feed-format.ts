import type { FeedProduct } from '../../../contracts/feed/index.ts';

/** Pieces of a file, by the GTINs of the products that they are of. */
export type FeedPieces = ReadonlyMap<string, string>;

/**
 * A form that products are written in, piece by piece: where the price of one has changed, the file of hundreds is put
 * together from the pieces it had and a new one, which takes a tenth of the time.
 */
export interface FeedFormat {
  extension: string;
  /** What files have of these products; nothing of those that have no place in them. */
  compose(products: readonly FeedProduct[]): FeedPieces;
  /** A file of these pieces. */
  join(pieces: readonly string[]): string;
  /** The pieces of a file that `join` has made. */
  split(file: string): FeedPieces;
}
