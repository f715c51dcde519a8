import { placeOf } from '#catalogue/addresses/base.ts';
import { productPath } from '#catalogue/addresses/paths.ts';
import type { Recorder } from '#catalogue/site/open-recorder.ts';
import type { IndexedPage, ProductIndex, ProductIndexChanges } from '#product-index/index.ts';
import { splitPlace } from '#product-index/update-product-index.ts';
import type { AskedQuestion, AskedQuestions } from './manifest/asked-questions.ts';
import type { BuildState } from './manifest/build-manifest.ts';
import { outputFile } from './output-file.ts';

/** What a build looks at. */
export interface Scope {
  products: readonly IndexedPage[];
  /** `<language>/<family>` of the lists. */
  productGroups: ReadonlySet<string>;
  /** Routes that are asked for their pages. */
  routes: readonly string[];
  /** Files that are pages no more, as far as that is known here. */
  gone: string[];
  /** What was read and has other answers now. */
  changed: readonly string[];
}

/**
 * If the last build has come to its end with the product index as it was before its last changes: the products that have
 * changed, their neighbours where others show something of them, one more, so that there is a page to compare with, and
 * the routes that have read something that may be another now.
 * @returns Undefined when everything has to be looked at.
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
  },
): Promise<Scope | undefined> {
  const { episodeProducts, changes, productIndex } = now;
  const isKnown = previous.complete && previous.productIndex === changes.from && !changes.everything;
  if (!isKnown || !previous.collections || !previous.episodeProducts) return undefined;
  const collections = changedNames(previous.collections, now.collections);
  const found = await findRoutes(now, collections);
  if (!found) return undefined;
  const products = new Map(
    [...changes.productGroups]
      .map(splitPlace)
      .flatMap(({ language, rest }) => productIndex.indexOfGroup(language, rest))
      .map((entry) => [entry.id, entry]),
  );
  // Their pages show other episodes than before.
  const ofEpisodes = changedNames(previous.episodeProducts, episodeProducts);
  const others = [...changes.products, ...ofEpisodes].filter((place) => !products.has(place));
  for (const place of others) {
    const { language, rest: gtin } = splitPlace(place);
    const entry = productIndex.indexEntry(language, gtin);
    if (entry) products.set(place, entry);
  }
  for (const sample of productIndex.samples(1)) products.set(sample.id, sample);
  const gone = changes.gone.flatMap(
    ({ language, slug }) => outputFile(placeOf(productPath(language, slug)), 'page') ?? [],
  );
  // A page reads its product group: where those of one group follow each other, it is read once.
  const areGrouped = others.length <= FEW;
  return {
    products: areGrouped ? [...products.values()] : productIndex.index().filter(({ id }) => products.has(id)),
    productGroups: changes.productGroups,
    gone,
    ...found,
  };
}

/** Besides those of whole groups, so many may be in any order. */
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

const GTINS = /\d{13}/g;

/**
 * The routes that have read what may have other answers now. What is made of collections is asked again; of products only
 * those are told apart that somebody has read by their numbers.
 * @returns Undefined where that isn't to be told of pages of products or families, which a build finds by what has
 *   become of these.
 */
async function findRoutes(
  {
    asked,
    recorder,
    load,
    changes,
  }: Pick<Parameters<typeof chooseScope>[1], 'asked' | 'recorder' | 'load' | 'changes'>,
  collections: ReadonlySet<string>,
): Promise<Pick<Scope, 'routes' | 'changed'> | undefined> {
  const gtins = new Set([...changes.products].map((place) => splitPlace(place).rest));
  const mayConcern = (read: string): boolean => {
    const named = read.match(GTINS);
    return !named || named.some((gtin) => gtins.has(gtin));
  };
  const haveListsChanged = changes.productGroups.size > 0 || changes.gone.length > 0;
  // Those that are scoped find what is to be looked at by themselves.
  const routes = new Set(asked.scopedRoutes());
  const changed: string[] = [];
  const isOfCollections = (sources: Sources): boolean => !sources || sources.some((of) => collections.has(of));
  const isOfLists = (sources: Sources): boolean => haveListsChanged && sources?.includes('lists') === true;
  const isOfProducts = (sources: Sources): boolean => gtins.size > 0 && sources?.includes('products') === true;
  const questions = asked.concerning(
    (sources) => isOfCollections(sources) || isOfLists(sources) || isOfProducts(sources),
  );
  const ofCollections = questions.filter(({ sources }) => isOfCollections(sources));
  await load(new Set(ofCollections.flatMap((question) => question.routes.map(({ route }) => route))));
  for (const { read, answer, sources, routes: asking } of questions) {
    const isChanged = isOfCollections(sources) && recorder.answer(read) !== answer;
    if (isChanged && asking.some(({ isScoped }) => isScoped)) return undefined;
    if (isChanged) changed.push(read);
    if (isChanged || isOfLists(sources) || (isOfProducts(sources) && mayConcern(read)))
      for (const { route } of asking) routes.add(route);
  }
  return { routes: [...routes], changed };
}
