import { type Parcel, crewSize } from './render-job.ts';
import type { Listing } from '#product-index/index.ts';
import type { RenderScope } from '#catalogue/port/build-host.ts';
import { cutList } from '#workers/worker-pool.ts';

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
  const parcels = cutList(listing.index(), PRODUCTS_IN_A_PARCEL).map((products) => ({ products, shelves: [] }));
  return [...lists, ...parcels];
}

/** What has to be looked at to find the pages of some parcels. */
export function scopeOf(parcels: readonly Parcel[]): RenderScope {
  return {
    shelves: new Set(parcels.flatMap(({ shelves }) => shelves)),
    products: parcels.flatMap(({ products }) => products),
    withEntwined: false,
  };
}

/** Pages that come in no parcel are found at all times. */
export const NO_PARCELS = scopeOf([]);
