import { placeOf } from '#catalogue/addresses/base.ts';
import { productPath } from '#catalogue/addresses/paths.ts';
import type { Recorder } from '#catalogue/site/open-recorder.ts';
import type { IndexedPage, ProductIndex, ProductIndexChanges } from '#product-index/index.ts';
import { splitPlace } from '#product-index/update-product-index.ts';
import type { AskedQuestion, AskedQuestions } from './manifest/asked-questions.ts';
import type { BuildState } from './manifest/build-manifest.ts';
import { gtinsIn } from './manifest/trace.ts';
import { PRODUCT_ROUTE } from './note-scope.ts';
import { outputFile } from './output-file.ts';
import { poolSize } from './render-job.ts';

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
 * If the last build has come to its end with the product index as it was before its last changes: the products that have
 * changed, those whose neighbours show something else, one more, so that there is a page to compare with, and the routes
 * that have read something that may be another now.
 * @returns No scope when everything has to be looked at, or better is; and what was read and has other answers now.
 */
export async function chooseScope(
  previous: Pick<BuildState, 'complete' | 'productIndex' | 'collections' | 'episodeProducts'>,
  now: {
    collections: Readonly<Record<string, string>>;
    /** The products that episodes are about, by `<language>/<gtin>`, with what names the episodes on their pages. */
    episodeProducts: Readonly<Record<string, string>>;
    changes: ProductIndexChanges;
    productIndex: ProductIndex;
    asked: AskedQuestions;
    recorder: Recorder;
    /** Loads the modules of routes: they define what their pages ask. */
    load: (routes: Iterable<string>) => Promise<void>;
    /** How many threads somebody has asked for. */
    threads: number | undefined;
  },
): Promise<{ scope: Scope | undefined; changed: readonly string[] }> {
  const { episodeProducts, changes, productIndex } = now;
  const isKnown = previous.complete && previous.productIndex === changes.from && !changes.everything;
  if (!isKnown || !previous.collections || !previous.episodeProducts) return { scope: undefined, changed: [] };
  const collections = changedNames(previous.collections, now.collections);
  const { routes, changed } = await findRoutes(now, collections);
  if (!routes) return { scope: undefined, changed };
  // Their pages show other episodes than before.
  const ofEpisodes = changedNames(previous.episodeProducts, episodeProducts);
  const pages = [...productIndex.pagesShowing(changes.places).values(), ...productIndex.samples(1)];
  // In all languages: a page may show something of its product in another one.
  const gtins = new Set([
    ...[...changes.products, ...ofEpisodes].map((place) => splitPlace(place).rest),
    ...pages.map(({ data }) => data.gtin),
  ]);
  const gone = changes.gone.flatMap(
    ({ language, slug }) => outputFile(placeOf(productPath(language, slug)), 'page') ?? [],
  );
  const withProducts = (products: readonly IndexedPage[]): Scope => ({
    products,
    productGroups: changes.productGroups,
    gone,
    routes,
  });
  if (gtins.size <= FEW) return { scope: withProducts([...gtins].flatMap(productIndex.pagesOf)), changed };
  const all = productIndex.index();
  // A page reads its product group: where those of one group follow each other, it is read once.
  const products = all.filter(({ data }) => gtins.has(data.gtin));
  // Threads look at all of them sooner than this one finds most.
  const areMost = products.length * 2 > all.length && poolSize(products.length, now.threads) > 0;
  return { scope: areMost ? undefined : withProducts(products), changed };
}

/** The pages of so many products may be in any order. */
const FEW = 100;

/** Names with another digest than before, or only here or there. */
function changedNames(
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): ReadonlySet<string> {
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return new Set([...names].filter((name) => before[name] !== now[name]));
}

type Sources = AskedQuestion['sources'];

/**
 * The routes that have read what has other answers now, and those that find by themselves what is to be looked at.
 * @returns No routes when pages of products or families have read something that has changed: these are very many, so it
 *   is not kept which of them did.
 */
async function findRoutes(
  {
    asked,
    recorder,
    load,
    changes,
  }: Pick<Parameters<typeof chooseScope>[1], 'asked' | 'recorder' | 'load' | 'changes'>,
  collections: ReadonlySet<string>,
): Promise<{ routes: string[] | undefined; changed: string[] }> {
  const gtins = new Set([...changes.products].map((place) => splitPlace(place).rest));
  const mayConcern = (read: string): boolean => {
    const named = gtinsIn(read);
    return named.length === 0 || named.some((gtin) => gtins.has(gtin));
  };
  const haveListsChanged = changes.productGroups.size > 0 || changes.gone.length > 0;
  const isOfCollections = (sources: Sources): boolean => !sources || sources.some((of) => collections.has(of));
  const isOfLists = (sources: Sources): boolean => haveListsChanged && sources?.includes('lists') === true;
  const isOfProducts = (sources: Sources): boolean => gtins.size > 0 && sources?.includes('products') === true;
  // Those that are scoped find what is to be looked at by themselves.
  const scoped = asked.scopedRoutes();
  const asking = asked
    .routesConcerned(isOfLists)
    .filter((route) => !scoped.includes(route) || PRODUCT_ROUTE.test(route));
  const questions = [
    ...asked
      .concerning((sources) => isOfCollections(sources) || isOfProducts(sources))
      .filter(({ read, sources }) => isOfCollections(sources) || mayConcern(read)),
    ...asked.questionsOf(asking).filter(({ sources }) => isOfLists(sources)),
  ];
  await load(new Set(questions.flatMap(routesOf)));
  const changed = questions.filter(({ read, answer }) => recorder.answer(read) !== answer);
  const isOfScoped = changed.some(({ routes }) => routes.some(({ isScoped }) => isScoped));
  return {
    routes: isOfScoped ? undefined : [...new Set([...scoped, ...changed.flatMap(routesOf)])],
    changed: changed.map(({ read }) => read),
  };
}

function routesOf({ routes }: AskedQuestion): string[] {
  return routes.map(({ route }) => route);
}
