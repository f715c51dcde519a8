export { BUILD_HOST, type BuildHost, type CollectionEntries, type RenderScope } from '#catalogue/port/build-host.ts';
export { contentDates } from './content-dates.ts';
export { DOCUMENT_PREFIX, documentPath } from '#product-index/document-path.ts';
export { hashParts, hashPlace, partsOf, type HashPart } from '#files/hash-parts.ts';
export {
  openEmptyListing,
  openListing,
  openThrowaway,
  updateListing,
  updateListingFrom,
  type IndexedPage,
  type Listing,
  type ListingChanges,
  type OpenListing,
  type ProductDigests,
} from '#product-index/index.ts';
export { lendSnapshot, type LoaderSource } from '#product-index/with-snapshot.ts';
export { localPageLoader } from './local-page-loader.ts';
export { normLoader } from './norm-loader.ts';
export { overlayLoader } from './overlay-loader.ts';
export { readOverlays } from './read-overlays.ts';
export { findPastDocuments, findRedirects, type PastDocument, type Redirect } from './redirects/index.ts';
export { projectPages } from './project-pages.ts';
export { projectPosts } from './project-posts.ts';
export { readFullProduct } from '#product-index/read-full-product.ts';
export { languageCodes, siteLanguages } from '#product-index/site-languages.ts';
export { snapshotLoaders } from './snapshot-loaders.ts';
export { staleSources } from './stale-sources.ts';
