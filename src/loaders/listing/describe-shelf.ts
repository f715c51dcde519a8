import { hash } from 'node:crypto';
import { keyValues, tallyAttributes } from '../../catalogue/key-values.ts';
import { SHELF_HEAD } from '../../catalogue/stock-shelves.ts';
import type { ListedEntry } from '../entries.ts';
import type { ListedShelf } from './read-listing.ts';

/**
 * What pages show of a shelf which are not its own.
 * @param entries All that is on it, at least one.
 */
export function describeShelf(
  shelf: string,
  entries: readonly ListedEntry[],
  digestOf: (entry: ListedEntry) => string,
): ListedShelf {
  const tally = tallyAttributes(entries);
  // What belongs to no family has no page of its own: all of it is shown.
  const head = shelf === '' ? entries : entries.slice(0, SHELF_HEAD);
  const first = entries.find(({ availability }) => availability === 'available') ?? entries[0];
  const image = entries.find(({ imageAsset }) => imageAsset)?.imageAsset;
  const rows = [...head, ...(first ? [first] : [])].map((entry) => [digestOf(entry), keyValues(entry, tally)]);
  const summary = hash('sha1', JSON.stringify([entries.length, rows, image]), 'base64url');
  return { shelf, count: entries.length, summary, tally, image, firstGtin: first?.gtin ?? '' };
}
