import type { FeedDocument } from '#contracts/feed/index.ts';
import type { FeedFormat } from './feed-format.ts';

/** One product a line, and all in one document. @param about What the document says besides the products. */
export function jsonFormat(about: Omit<FeedDocument, 'products'>): FeedFormat {
  const empty = `${JSON.stringify({ ...about, products: [] } satisfies FeedDocument)}\n`;
  const at = empty.lastIndexOf(']');
  return {
    compose: (products) => new Map(products.map((product) => [product.gtin, JSON.stringify(product)])),
    split: (file) => new Map(file.split('\n').flatMap((line) => (line === '' ? [] : [[gtinOf(line), line]]))),
    files: [
      { extension: 'ndjson', join: (lines) => lines.map((line) => `${line}\n`).join('') },
      { extension: 'json', join: (pieces) => `${empty.slice(0, at)}${pieces.join(',')}${empty.slice(at)}` },
    ],
  };
}

/** What every line begins with. */
const START = '{"gtin":"';

function gtinOf(line: string): string {
  return line.slice(START.length, line.indexOf('"', START.length));
}
