import type { Settings } from '#config/index.ts';
import {
  openEmptyListing,
  openListing,
  updateListing,
  updateListingFrom,
  type ListingChanges,
  type OpenListing,
} from './index.ts';
import { readFullProduct } from './read-full-product.ts';
import type { BuildHost } from '#catalogue/port/build-host.ts';
import { openSnapshot, type Snapshot } from '#snapshot/index.ts';
import { readDigest } from '#snapshot/read-digest.ts';
import { collectGarbage } from '#workers/worker-thread.ts';
import { buildPlaces } from '#config/build-paths.ts';

type Reading = Required<Pick<BuildHost, 'listing' | 'readProduct'>>;

/** What pages read products from. */
export interface CatalogueHost extends Reading {
  close(): void;
}

/**
 * For a build: brings the listing up to date, and keeps it and the snapshot open.
 * @param lent The snapshot, where it is open already; it stays so.
 */
export function openBuildHost(settings: Settings, lent?: Snapshot): CatalogueHost & { changes: ListingChanges } {
  const { snapshotPath, options } = settings;
  const { listingFile } = buildPlaces(settings);
  const changes = lent
    ? updateListingFrom(lent, listingFile, options, collectGarbage)
    : updateListing(listingFile, snapshotPath, options, collectGarbage);
  return { ...openReaders(settings, lent), changes };
}

/** For a build that renders nothing. */
export function openEmptyHost(): CatalogueHost {
  const listing = openEmptyListing();
  return {
    listing: () => listing,
    readProduct: ({ gtin }) => {
      throw new Error(`There is no ${gtin} in an empty catalogue.`);
    },
    close: () => listing.close(),
  };
}

/** For a thread of a build, whose listing is up to date. @param lent As for `openBuildHost`. */
export function openReaders(settings: Settings, lent?: Snapshot): CatalogueHost {
  const { snapshotPath, options } = settings;
  let open: { listing: OpenListing; snapshot: Snapshot } | undefined;
  const readers = () => {
    open ??= {
      listing: openListing(buildPlaces(settings).listingFile),
      snapshot: lent ?? openSnapshot(snapshotPath, { readOnly: true }),
    };
    return open;
  };
  return {
    listing: () => readers().listing,
    readProduct: (listed) => readFullProduct(readers().snapshot, options, listed),
    close: () => {
      open?.listing.close();
      if (!lent) open?.snapshot.close();
      open = undefined;
    },
  };
}

/** For a dev server, under which the snapshot may be replaced at any time. */
export function openDevHost(settings: Settings): CatalogueHost {
  const { listingFile } = buildPlaces(settings);
  const { snapshotPath, options } = settings;
  let current: { digest: string | undefined; listing: OpenListing } | undefined;
  return {
    listing: () => {
      const digest = readDigest(snapshotPath);
      if (!current || current.digest !== digest) {
        current?.listing.close();
        updateListing(listingFile, snapshotPath, options);
        current = { digest, listing: openListing(listingFile) };
      }
      return current.listing;
    },
    readProduct: (listed) => {
      const snapshot = openSnapshot(snapshotPath, { readOnly: true });
      try {
        return readFullProduct(snapshot, options, listed);
      } finally {
        snapshot.close();
      }
    },
    close: () => {
      current?.listing.close();
      current = undefined;
    },
  };
}
