import { inBatches } from '../threads/feed-thread.ts';
import { crewSize } from './render-crew.ts';
import type { IndexedPage, Listing, RenderScope } from '../../loaders/index.ts';

/** A part of all product pages that can be found and rendered by itself: those of some products, or lists of a family. */
export interface Parcel {
  products: readonly IndexedPage[];
  /** `<language>/<family>`: the family's lists in all languages. */
  shelves: readonly string[];
}

/** Neighbours lie together, so that a thread reads few shelves for them. */
const PRODUCTS_IN_A_PARCEL = 250;

/** Puts all product pages into parcels if threads will render them, those of families first: they take longer. */
export function packAll(
  listing: Listing,
  languages: readonly string[],
  threads: number | undefined,
): Parcel[] | undefined {
  const count = languages.reduce((sum, language) => sum + listing.count(language), 0);
  if (crewSize(count, threads) === 0) return undefined;
  const families = new Map(
    languages.flatMap((language) => listing.shelves(language).map(({ shelf }) => [shelf, `${language}/${shelf}`])),
  );
  families.delete('');
  const lists = [...families.values()].map((place) => ({ products: [], shelves: [place] }));
  const take = inBatches(listing.index(), PRODUCTS_IN_A_PARCEL);
  const parcels: Parcel[] = [];
  for (let products = take(); products.length > 0; products = take()) parcels.push({ products, shelves: [] });
  return [...lists, ...parcels];
}

/** What has to be looked at to find the pages of some parcels. Of none: what comes in no parcel is found at all times. */
export function scopeOf(parcels: readonly Parcel[]): RenderScope {
  return {
    shelves: new Set(parcels.flatMap(({ shelves }) => shelves)),
    products: parcels.flatMap(({ products }) => products),
    withEntwined: false,
  };
}
