import type { ProductIndex } from '#catalogue/read-model/product-index.ts';
import type { LoaderSource } from '#catalogue/read-model/with-snapshot.ts';
import {
  editedRedirects,
  type Redirect,
  movedArticles,
  movedProducts,
  movedFamilies,
  movedTerms,
  resolveRedirects,
  removedLists,
} from './redirects.ts';

export { findPastDocuments, type PastDocument } from './redirects.ts';
export { encodeTarget, type Redirect } from './redirects.ts';

/**
 * Finds the redirects of moved pages, from earlier names, slugs and families in the snapshot and from pages of earlier
 * builds.
 * @param isPage Returns true if a path has a page.
 * @param left Paths of pages of earlier builds, as far as known.
 */
export function findRedirects(
  source: LoaderSource,
  productIndex: Pick<ProductIndex, 'product' | 'productGroups'>,
  isPage: (pathname: string) => boolean,
  left: Iterable<string> = [],
): Redirect[] {
  return resolveRedirects(
    [
      ...editedRedirects(source),
      ...movedProducts(source, productIndex),
      ...movedArticles(source),
      ...movedTerms(source, isPage),
      ...movedFamilies(source, isPage),
      ...removedLists(source, left, productIndex, isPage),
    ],
    isPage,
  );
}
