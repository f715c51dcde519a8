import type { FeedDocument, FeedProduct } from '../../../contracts/feed/index.ts';
import type { FeedFormat, FeedPieces } from './feed-format.ts';

/** One product a line. */
export const ndjsonFormat: FeedFormat = {
  extension: 'ndjson',
  compose,
  join: (lines) => lines.map((line) => `${line}\n`).join(''),
  split: (file) => byGtin(file.split('\n')),
};

/** All in one document. @param about What it says besides the products. */
export function documentFormat(about: Omit<FeedDocument, 'products'>): FeedFormat {
  const empty = `${JSON.stringify({ ...about, products: [] } satisfies FeedDocument)}\n`;
  const at = empty.lastIndexOf(']');
  const [head, tail] = [empty.slice(0, at), empty.slice(at)];
  return {
    extension: 'json',
    compose,
    join: (pieces) => `${head}${pieces.join(',')}${tail}`,
    split: (file) => byGtin(file.slice(head.length, -tail.length).split(BETWEEN)),
  };
}

/** What a product begins with: within texts, quotes have a backslash. */
const GTIN = /^\{"gtin":"(\d+)"/;
const BETWEEN = /,(?=\{"gtin":")/;

function compose(products: readonly FeedProduct[]): FeedPieces {
  return new Map(products.map((product) => [product.gtin, JSON.stringify(product)]));
}

function byGtin(pieces: readonly string[]): FeedPieces {
  return new Map(
    pieces.flatMap((piece) => {
      const gtin = GTIN.exec(piece)?.[1];
      return gtin === undefined ? [] : [[gtin, piece]];
    }),
  );
}
