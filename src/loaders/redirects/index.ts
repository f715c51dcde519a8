import type { Listing } from '../listing/index.ts';
import type { LoaderSource } from '../with-snapshot.ts';
import { movedProducts } from './moved-products.ts';
import { movedWritings } from './moved-writings.ts';
import type { Redirect } from './redirect.ts';
import { settleRedirects } from './settle-redirects.ts';

export type { Redirect } from './redirect.ts';

/**
 * Where pages stood before, and where they are now: by what the snapshot has kept of earlier names and slugs.
 * @param isPage Whether a page stands at a path.
 */
export function findRedirects(
  source: LoaderSource,
  listing: Pick<Listing, 'product'>,
  isPage: (pathname: string) => boolean,
): Redirect[] {
  return settleRedirects([...movedProducts(source, listing), ...movedWritings(source)], isPage);
}
