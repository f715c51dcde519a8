export { openListing, openThrowaway, type OpenListing } from './open-listing.ts';
export type { ListedShelf, Listing, ProductDigests } from './read-listing.ts';
export { updateListing, type ListingChanges } from './update-listing.ts';
