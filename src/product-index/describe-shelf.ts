import { createHash, hash } from 'node:crypto';
import { summariseFacets } from '#catalogue/facets/summarise-facets.ts';
import { keyValues, type Highlight } from '#catalogue/products/key-values.ts';
import { isMeasured } from '#catalogue/quantities/material-need.ts';
import { SHELF_HEAD } from '#catalogue/site/stock-shelves.ts';
import type { ListedEntry } from '#model/entries.ts';
import type { ListedDocuments } from '#catalogue/port/listing.ts';
import type { ListedShelf } from '#catalogue/port/listed-rows.ts';

/**
 * What pages show of a shelf which are not its own.
 * @param entries All that is on it, at least one.
 * @param highlights What its lists show of a product, the same in every language.
 */
export function describeShelf(
  shelf: string,
  entries: readonly ListedEntry[],
  highlights: readonly Highlight[],
  digestOf: (entry: ListedEntry) => string,
  documentsOf: (entry: ListedEntry) => ListedDocuments,
): ListedShelf {
  // What belongs to no family has no page of its own: all of it is shown.
  const head = shelf === '' ? entries : entries.slice(0, SHELF_HEAD);
  const first = entries.find(({ availability }) => availability === 'available') ?? entries[0];
  const image = entries.find(({ imageAsset }) => imageAsset)?.imageAsset;
  const rows = [...head, ...(first ? [first] : [])].map((entry) => [digestOf(entry), keyValues(entry, highlights)]);
  const summary = hash('sha1', JSON.stringify([entries.length, rows, image]), 'base64url');
  const documents = describeDocuments(entries, head.length, documentsOf);
  return {
    shelf,
    count: entries.length,
    summary,
    highlights,
    image,
    firstGtin: first?.gtin ?? '',
    documents,
    isMeasured: entries.some(isMeasured),
    facets: shelf === '' ? [] : summariseFacets(entries),
  };
}

function describeDocuments(
  entries: readonly ListedEntry[],
  shown: number,
  documentsOf: (entry: ListedEntry) => ListedDocuments,
): ListedShelf['documents'] {
  const all = createHash('sha1');
  let head = '';
  let count = 0;
  for (const [i, entry] of entries.entries()) {
    if (i === shown) head = all.copy().digest('base64url');
    const offered = documentsOf(entry);
    count += offered.documents.length;
    all.update(JSON.stringify([entry.gtin, entry.name, entry.item_number, entry.slug, entry.language, offered]));
  }
  const digest = all.digest('base64url');
  return { count, head: head || digest, all: digest };
}
