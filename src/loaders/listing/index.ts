export { openListing, openThrowaway, type OpenListing } from './open-listing.ts';
export type { ListedShelf, Listing } from './read-listing.ts';
export { updateListing, type ListingChanges } from './update-listing.ts';
