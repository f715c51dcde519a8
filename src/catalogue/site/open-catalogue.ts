import { BUILD_HOST } from '../port/build-host.ts';
import type { Listing } from '../port/listing.ts';
import { integrationMissing } from './integration-missing.ts';

/** The listing of the build, or of the dev server, that runs this code. @throws SortimentError INTEGRATION_MISSING */
export function openCatalogue(): Listing {
  const listing = globalThis[BUILD_HOST]?.listing?.();
  if (!listing) throw integrationMissing();
  return listing;
}
