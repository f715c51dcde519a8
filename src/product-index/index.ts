export { openEmptyListing, openListing, openThrowaway, type OpenListing } from './open-listing.ts';
export type { IndexedPage, Listing, ProductDigests } from '#catalogue/port/listing.ts';
export type { ListedShelf } from '#catalogue/port/listed-rows.ts';
export { REGISTER_LISTS, type RegisterList, type RegisterPage, type RegisterRow } from '#catalogue/port/register.ts';
export { updateListing, updateListingFrom, type ListingChanges } from './update-listing.ts';
