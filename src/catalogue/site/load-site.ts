import { type CollectionEntry, render } from 'astro:content';
import { pickLocalized } from '#contracts/localized.ts';
import type { Cue } from '#contracts/podcast/index.ts';
import type { PageEntry, PostEntry, ProductListEntry, OverlayEntry, ProductEntry } from '#catalogue/entries/entries.ts';
import type { EpisodeEntry } from '#catalogue/entries/podcast.ts';
import { pagePath } from '../addresses/paths.ts';
import { cacheByLanguage, labelLanguages } from '../languages/label-languages.ts';
import { collectNorms } from '../norms/collect-norms.ts';
import type { ProductIndex } from '../read-model/product-index.ts';
import { renderContext, type RenderContext } from './render-context.ts';
import { mergeOverlays } from '../products/listed-product.ts';
import { chooseSuccessor, successorChain, findSuccessor, variantGroups } from '../products/variants.ts';
import { createIntegrationError } from './integration-error.ts';
import { parentFolder, createRecordingSite } from './record-site.ts';
import type { LocalPage, Site } from './site.ts';
import { createProductGroups } from './product-groups.ts';
import { readCollection } from './read-collection.ts';
import { recordUntrackedRead } from './tracked-queries.ts';

let cached: { context: RenderContext | undefined; site: Promise<Site> } | undefined;

/** Loads the site. Cached per build. The dev server loads it on each call, because content may change. */
export function loadSite(): Promise<Site> {
  if (import.meta.env.DEV) return readSite();
  const context = renderContext.current;
  if (cached && cached.context === context) return cached.site;
  const load = { context, site: readSite() };
  cached = load;
  // A failed load isn't cached, so that the next page retries.
  load.site.catch(() => {
    if (cached === load) cached = undefined;
  });
  return load.site;
}

async function readSite(): Promise<Site> {
  const productIndex = openProductIndex();
  const [
    languages,
    families,
    posts,
    pages,
    podcasts,
    episodes,
    heads,
    localPages,
    overlays,
    norms,
    strings,
    snapshots,
  ] = await Promise.all([
    readCollection('languages'),
    readCollection('families'),
    readCollection('posts'),
    readCollection('pages'),
    readCollection('podcasts'),
    readCollection('episodes'),
    readCollection('heads'),
    readCollection('localPages'),
    readCollection('overlays'),
    readCollection('norms'),
    readCollection('strings'),
    readCollection('snapshot'),
  ]);
  const ordered = languages.map(({ data }) => data).toSorted((a, b) => a.position - b.position);
  const mainLanguage = (ordered.find(({ main }) => main) ?? ordered[0])?.code ?? 'en';
  const named = families.toSorted((a, b) => a.data.position - b.data.position).map(({ id, data }) => ({ id, ...data }));
  const productGroups = cacheByLanguage((code) =>
    createProductGroups(
      productIndex,
      code,
      named.map(({ id, names, descriptions }) => ({
        id,
        name: pickLocalized(names, code, mainLanguage) ?? id,
        description: pickLocalized(descriptions, code, mainLanguage),
      })),
    ),
  );
  const postsByLanguage = collect(posts, ({ data }) => data.language, byNewest);
  const pagesByLanguage = collect(pages, ({ data }) => data.language, byOrder);
  const episodesByLanguage = collect(episodes, ({ data }) => data.language, byPublished);
  const pagesById = new Map(pages.map(({ id, data }) => [id, data]));
  const headsByPath = new Map(heads.map(({ id, data }) => [id, data]));
  const headPaths = Map.groupBy([...headsByPath.keys()].toSorted(), parentFolder);
  const locals = localPages.map(toLocalPage);
  const overlaysById = new Map(overlays.map((entry) => [entry.id, entry]));
  const overlay = (id: string) => overlaysById.get(id)?.data;
  const groups = variantGroups(overlays);
  const offered = (language: string, gtins: readonly string[]): ProductListEntry[] =>
    gtins.flatMap((gtin) => productIndex.product(language, gtin) ?? []).filter(({ archived }) => !archived);
  const digests = new Map<object, string>(
    [...posts, ...pages, ...podcasts, ...episodes, ...heads].map(({ data, digest }) => [data, String(digest)]),
  );
  const normEntries = new Map(norms.map(({ id, data }) => [id, data]));
  const current = snapshots[0]?.data;
  return createRecordingSite({
    languages: labelLanguages(ordered),
    mainLanguage,
    dictionaries: dictionariesOf(strings),
    snapshot: current,
    stale: current?.stale ?? [],
    count: (language) => ({ products: productIndex.count(language), documents: productIndex.countDocuments(language) }),
    product: productIndex.product,
    named: productIndex.named,
    neighbours: (language, gtin) => {
      const product = productIndex.product(language, gtin);
      return product ? productIndex.neighbours(product) : [];
    },
    additions: (language, gtin) => mergeOverlays(language, gtin, overlay),
    covering: () => overlays.filter(({ data }) => data.coverage).map(({ id }) => id.split('/').at(-1) ?? ''),
    variants: (language, gtin) => {
      const found = offered(language, groups.get(gtin) ?? []);
      const hasOthers = found.some((variant) => variant.gtin !== gtin);
      return hasOthers ? found.toSorted((a, b) => a.position - b.position || (a.gtin < b.gtin ? -1 : 1)) : [];
    },
    accessories: (language, gtin) => offered(language, mergeOverlays(language, gtin, overlay).accessories ?? []),
    successor: (language, gtin) => {
      const chain = successorChain(gtin, (current) => findSuccessor(language, current, overlay));
      const product = chain.length > 0 ? productIndex.product(language, gtin) : undefined;
      if (!product) return undefined;
      return chooseSuccessor(
        product,
        chain.flatMap((next) => productIndex.product(language, next) ?? []),
      );
    },
    details: readProduct,
    productGroups,
    documents: productIndex.documentsOf,
    discontinued: productIndex.discontinued,
    norms: cacheByLanguage((language) => collectNorms(productIndex.norms(language), productGroups(language))),
    normInGroup: (language, norm, family) => productIndex.normInGroup(language, norm, family ?? ''),
    normEntry: (norm) => normEntries.get(norm),
    directoryPages: productIndex.directoryPages,
    directoryRows: productIndex.directoryRows,
    crossReferenced: (haveListsChanged) => {
      const referencesOthers = ({ successor, accessories }: OverlayEntry) =>
        haveListsChanged && (successor ?? accessories);
      const written = overlays.filter((entry) => referencesOthers(entry.data) || hasComponents(entry));
      const grouped = haveListsChanged ? groups.keys() : [];
      // Deduplicated: a product may have several overlays and belong to a group.
      const gtins = new Set([...grouped, ...written.map(({ id }) => id.split('/').at(-1) ?? '')]);
      // All languages, because a fallback page shows the text of another language.
      return [...gtins].flatMap((gtin) => ordered.flatMap(({ code }) => productIndex.product(code, gtin) ?? []));
    },
    posts: (language) => postsByLanguage.get(language) ?? NONE,
    hasPosts: (language) => postsByLanguage.has(language),
    pages: (language) => pagesByLanguage.get(language) ?? NONE,
    page: (id) => pagesById.get(id),
    podcast: (language) => podcasts.find(({ id }) => id === language)?.data,
    hasPodcast: (language) => podcasts.some(({ id }) => id === language),
    episodes: (language) => episodesByLanguage.get(language) ?? NONE,
    transcript: ({ transcript }) => (transcript === undefined ? [] : readTranscript(transcript)),
    head: (path) => headsByPath.get(path),
    headPaths: (folder) => headPaths.get(folder) ?? NONE,
    localPages: (language) => locals.filter((page) => page.language === language),
    overlay: (language, gtin) => overlaysById.get(`${language}/${gtin}`),
    productDigest: (language, gtin) => {
      const product = productIndex.product(language, gtin);
      return product && productIndex.digestOf(product);
    },
    digestOf: (entry) => digests.get(entry) ?? productIndex.findRowDigest(entry),
  });
}

/** Shared object, because results are cached per list. */
const NONE: readonly never[] = [];

const dictionaries = new WeakMap<readonly CollectionEntry<'strings'>[], Site['dictionaries']>();

/**
 * Returns the same object for the same collection, so that cached results survive a build of a long-running process.
 */
function dictionariesOf(strings: readonly CollectionEntry<'strings'>[]): Site['dictionaries'] {
  const known = dictionaries.get(strings) ?? Object.fromEntries(strings.map(({ id, data }) => [id, data]));
  dictionaries.set(strings, known);
  return known;
}

function collect<T>(
  entries: readonly { data: T }[],
  languageOf: (entry: { data: T }) => string,
  compare: (a: T, b: T) => number,
): Map<string, T[]> {
  const groups = Map.groupBy(entries, languageOf);
  return new Map([...groups].map(([language, group]) => [language, group.map(({ data }) => data).toSorted(compare)]));
}

function byNewest(a: PostEntry, b: PostEntry): number {
  const byDate = Number(b.sticky) - Number(a.sticky) || b.published.getTime() - a.published.getTime();
  return byDate || b.sourceId - a.sourceId;
}

function byPublished(a: EpisodeEntry, b: EpisodeEntry): number {
  return b.published.getTime() - a.published.getTime() || b.sourceId - a.sourceId;
}

function byOrder(a: PageEntry, b: PageEntry): number {
  return a.order - b.order || a.title.localeCompare(b.title, a.language) || a.sourceId - b.sourceId;
}

function toLocalPage(entry: CollectionEntry<'localPages'>): LocalPage {
  const [language = '', ...rest] = entry.id.split('/');
  const slug = rest.join('/');
  return { entry, language, slug, path: pagePath(language, slug) };
}

/** Returns the product index of the current build or dev server. @throws SortimentError INTEGRATION_MISSING */
function openProductIndex(): ProductIndex {
  const productIndex = renderContext.current?.productIndex?.();
  if (!productIndex) throw createIntegrationError();
  return productIndex;
}

/**
 * @throws SortimentError INTEGRATION_MISSING, or SNAPSHOT_CHANGED if the snapshot doesn't contain the product any more
 */
function readProduct(listed: ProductListEntry): ProductEntry {
  const read = renderContext.current?.readProduct;
  if (!read) throw createIntegrationError();
  return read(listed);
}

/** @throws SortimentError INTEGRATION_MISSING */
function readTranscript(digest: string): readonly Cue[] {
  const read = renderContext.current?.readTranscript;
  if (!read) throw createIntegrationError();
  return read(digest);
}

type Text = CollectionEntry<'overlays' | 'localPages'>;

/** Renders a text of the project. Reads of its components can't be tracked, so its page is rendered in every build. */
export async function renderText(text: Text): Promise<Awaited<ReturnType<typeof render>>['Content']> {
  if (hasComponents(text)) recordUntrackedRead();
  return (await render(text)).Content;
}

/** True if a text imports components. */
function hasComponents({ body = '' }: { body?: string | undefined }): boolean {
  return /^import\s/m.test(body);
}
