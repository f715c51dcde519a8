export { openEmptyListing, openListing, openThrowaway, type OpenListing } from './open-listing.ts';
export type { IndexedPage, ListedShelf, Listing, ProductDigests } from './read-listing.ts';
export { REGISTER_LISTS, type RegisterList, type RegisterPage, type RegisterRow } from './register.ts';
export { updateListing, updateListingFrom, type ListingChanges } from './update-listing.ts';
