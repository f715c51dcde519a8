import { mapAddresses } from '#projection/map-address.ts';
import { readArticles } from '#projection/read-articles.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import type { Redirect } from './redirect.ts';

/**
 * Lists the redirects that editors set on posts, pages and episodes, to this site or others. These have no page here.
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
