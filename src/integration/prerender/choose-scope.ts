import type { IndexedPage, Listing, ListingChanges } from '../../loaders/index.ts';
import { outputFile } from './output-file.ts';
import { productPath } from '../../catalogue/addresses/paths.ts';
import type { LedgerState } from './page-ledger.ts';

/** Product pages that a build looks at. */
export interface Scope {
  /** None where all are looked at. */
  products: readonly IndexedPage[];
  /** `<language>/<family>` of the lists; undefined for all. */
  shelves: ReadonlySet<string> | undefined;
  /** Files that are pages no more, as far as that is known here. */
  gone: string[];
}

/**
 * All products, unless the last build has come to its end with the listing as it was before its last changes, and with
 * the same header and footer: then those that have changed, their neighbours where others show something of them, and
 * one more, so that there is a page to compare with.
 */
export function chooseScope(
  previous: Pick<LedgerState, 'complete' | 'listing' | 'frame'>,
  { frame, changes, listing }: { frame: string; changes: ListingChanges; listing: Listing },
): Scope {
  const isKnown = previous.complete && previous.listing === changes.from && previous.frame === frame;
  if (!isKnown || changes.everything) return { products: [], shelves: undefined, gone: [] };
  const products = new Map(
    [...changes.shelves]
      .map(splitPlace)
      .flatMap(({ language, rest }) => listing.indexOfShelf(language, rest))
      .map((entry) => [entry.id, entry]),
  );
  for (const place of changes.products) {
    const { language, rest: gtin } = splitPlace(place);
    const entry = products.get(place) ?? listing.indexEntry(language, gtin);
    if (entry) products.set(place, entry);
  }
  const sample = listing.sample();
  if (sample) products.set(sample.id, sample);
  const gone = changes.gone.flatMap(({ language, slug }) => outputFile(productPath(language, slug), 'page') ?? []);
  return { products: [...products.values()], shelves: changes.shelves, gone };
}

/** `<language>/<GTIN or shelf>`. */
export function splitPlace(place: string): { language: string; rest: string } {
  const at = place.indexOf('/');
  return { language: place.slice(0, at), rest: place.slice(at + 1) };
}
