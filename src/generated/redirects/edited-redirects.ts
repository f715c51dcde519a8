import { mapAddresses } from '#projection/map-address.ts';
import { readArticles } from '#projection/read-articles.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import type { Redirect } from './redirect.ts';

/**
 * Posts, pages and episodes from which their editors send readers on: to a page of this site, or out of it. They have no
 * page here.
 */
export function* editedRedirects(source: LoaderSource): Generator<Redirect> {
  if (source.snapshot.redirects().size === 0) return;
  const articles = readArticles(source);
  const addresses = mapAddresses(source, articles);
  for (const [from, { target, language }] of articles.redirected) {
    const to = addresses.page(target, language) ?? articles.context.resolveLink(target, language) ?? target;
    yield { from, to: to.startsWith('/') ? to : new URL(to).href };
  }
}
