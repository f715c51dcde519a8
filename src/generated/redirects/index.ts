import type { ProductIndex } from '#product-index/index.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import { editedRedirects } from './edited-redirects.ts';
import { leftLists } from './removed-lists.ts';
import { movedFamilies } from './moved-families.ts';
import { movedProducts } from './moved-products.ts';
import { movedTerms } from './moved-terms.ts';
import { movedArticles } from './moved-articles.ts';
import type { Redirect } from './redirect.ts';
import { resolveRedirects } from './resolve-redirects.ts';

export { findPastDocuments, type PastDocument } from './past-documents.ts';
export { encodeTarget, type Redirect } from './redirect.ts';

/**
 * Where pages stood before, and where they are now: by what the snapshot has kept of earlier names, slugs and families,
 * and by the pages that earlier builds had.
 * @param isPage Whether a page stands at a path.
 * @param left Paths of pages that earlier builds had, as far as that is known.
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
      ...leftLists(source, left, productIndex, isPage),
    ],
    isPage,
  );
}
