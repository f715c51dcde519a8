import { splitPlace } from '#product-index/update-product-index.ts';
import type { IndexedPage, ProductIndex, ProductIndexChanges } from '#product-index/index.ts';
import { placeOf } from '#catalogue/addresses/base.ts';
import { productPath } from '#catalogue/addresses/paths.ts';
import { mayChange, type RouteInput } from '#catalogue/incremental/route-inputs.ts';
import { outputFile } from './output-file.ts';
import type { BuildState } from './manifest/build-manifest.ts';

/** What a build looks at. */
export interface Scope {
  products: readonly IndexedPage[];
  /** `<language>/<family>` of the lists. */
  productGroups: ReadonlySet<string>;
  /** Routes that are asked for their pages. */
  routes: readonly string[];
  /** Files that are pages no more, as far as that is known here. */
  gone: string[];
}

/**
 * If the last build has come to its end with the product index as it was before its last changes, and with the same header
 * and footer: the products that have changed, their neighbours where others show something of them, one more, so that
 * there is a page to compare with, and the routes that depend on something that is another now.
 * @returns Undefined when everything has to be looked at.
 */
export function chooseScope(
  previous: Pick<BuildState, 'complete' | 'productIndex' | 'pageChrome' | 'collections' | 'episodeProducts'>,
  now: {
    pageChrome: string;
    collections: string;
    /** `<language>/<gtin>` of the products that episodes are about. */
    episodeProducts: readonly string[];
    changes: ProductIndexChanges;
    productIndex: ProductIndex;
    routes: readonly string[];
  },
): Scope | undefined {
  const { pageChrome, collections, episodeProducts, changes, productIndex, routes } = now;
  const isKnown = previous.complete && previous.productIndex === changes.from && previous.pageChrome === pageChrome;
  if (!isKnown || changes.everything) return undefined;
  const changed = new Set<RouteInput>();
  if (changes.productGroups.size > 0) changed.add('lists');
  if (previous.collections !== collections) changed.add('articles');
  // Their pages show the episodes, or have shown them.
  const ofEpisodes = changed.size > 0 ? new Set([...(previous.episodeProducts ?? []), ...episodeProducts]) : [];
  if (changed.size > 0 && !previous.episodeProducts && episodeProducts.length > 0) return undefined;
  const products = new Map(
    [...changes.productGroups]
      .map(splitPlace)
      .flatMap(({ language, rest }) => productIndex.indexOfGroup(language, rest))
      .map((entry) => [entry.id, entry]),
  );
  for (const place of [...changes.products, ...ofEpisodes]) {
    const { language, rest: gtin } = splitPlace(place);
    const entry = products.get(place) ?? productIndex.indexEntry(language, gtin);
    if (entry) products.set(place, entry);
  }
  const sample = productIndex.sample();
  if (sample) products.set(sample.id, sample);
  const gone = changes.gone.flatMap(
    ({ language, slug }) => outputFile(placeOf(productPath(language, slug)), 'page') ?? [],
  );
  return {
    products: [...products.values()],
    productGroups: changes.productGroups,
    routes: routes.filter((route) => mayChange(route, changed)),
    gone,
  };
}
