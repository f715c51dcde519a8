import { type CollectionEntry, render } from 'astro:content';
import { markBorrowed, removeMarks } from '#contracts/borrowed-text.ts';
import { SortimentError } from '#contracts/index.ts';
import { withDocumentLabels } from '#contracts/product/document-kinds.ts';
import { pickLocalized } from '#contracts/localized.ts';
import { toBcp47 } from '#contracts/product/index.ts';
import type { Cue } from '#contracts/podcast/transcript.ts';
import { pagePath } from '../addresses/paths.ts';
import { cacheByObject, cacheByText } from '../cache.ts';
import type {
  FamilyEntry,
  LanguageEntry,
  NormEntry,
  PageEntry,
  PostEntry,
  ProductEntry,
  ProductListEntry,
  SnapshotEntry,
  EpisodeEntry,
  PodcastEntry,
} from '../entries/entries.ts';
import type { OverlayEntry } from '../entries/overlay-entry.ts';
import type { HeadRecord } from '#contracts/synced/index.ts';
import { labelLanguages } from '../languages/label-languages.ts';
import { collectNorms, type Norm, createProductGroups, GROUP_SOURCES, type ProductGroup } from './product-groups.ts';
import {
  mergeOverlays,
  type OverlayData,
  chooseSuccessor,
  successorChain,
  findSuccessor,
  variantGroups,
} from '../products/listed-product.ts';
import type { DirectoryPage, DiscontinuedProduct, ProductIndex } from '../read-model/product-index.ts';
import { readCollection } from './read-collection.ts';
import { renderContext, type RenderContext } from './render-context.ts';
import { recordQuery, recordRead, recordUntrackedRead, trackedQuery, type QuerySource } from './tracked-queries.ts';
import config from 'virtual:sortiment/options';

/** A page in `content/pages/<language>/<slug>.mdx`. The same slug in another language is its translation. */
export interface LocalPage {
  entry: CollectionEntry<'localPages'>;
  language: string;
  slug: string;
  path: string;
}

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
  const productIndex = getContext('productIndex')();
  return recordSite(createSite(productIndex, await readContent()));
}

async function readContent(): Promise<SiteContent> {
  return {
    languages: await readCollection('languages'),
    families: await readCollection('families'),
    posts: await readCollection('posts'),
    pages: await readCollection('pages'),
    podcasts: await readCollection('podcasts'),
    episodes: await readCollection('episodes'),
    heads: await readCollection('heads'),
    localPages: await readCollection('localPages'),
    overlays: await readCollection('overlays'),
    norms: await readCollection('norms'),
    strings: await readCollection('strings'),
    snapshots: await readCollection('snapshot'),
  };
}

interface Entry<T> {
  id: string;
  data: T;
  digest?: string | number | undefined;
}

/** Types of the schemas, so that they don't depend on the types that Astro generates. */
interface SiteContent {
  languages: Entry<LanguageEntry>[];
  families: Entry<FamilyEntry>[];
  posts: Entry<PostEntry>[];
  pages: Entry<PageEntry>[];
  podcasts: Entry<PodcastEntry>[];
  episodes: Entry<EpisodeEntry>[];
  heads: Entry<HeadRecord>[];
  localPages: CollectionEntry<'localPages'>[];
  overlays: CollectionEntry<'overlays'>[];
  norms: Entry<NormEntry>[];
  strings: Entry<Record<string, string>>[];
  snapshots: Entry<SnapshotEntry>[];
}

/**
 * Data of all pages, sorted. Products are read lazily from the product index, group by group. Other data comes from
 * collections.
 */
export type Site = ReturnType<typeof createSite>;

function createSite(productIndex: ProductIndex, content: SiteContent) {
  const { posts, pages, podcasts, episodes, heads, overlays } = content;
  const snapshot = content.snapshots[0]?.data;
  const ordered = content.languages.map(({ data }) => data).toSorted((a, b) => a.position - b.position);
  const mainLanguage = (ordered.find(({ main }) => main) ?? ordered[0])?.code ?? 'en';
  const families = content.families
    .toSorted((a, b) => a.data.position - b.data.position)
    .map(({ id, data }) => ({ id, ...data }));
  const familiesIn = cacheByText((code) =>
    families.map(({ id, names, descriptions }) => ({
      id,
      name: pickOrBorrow(names, code, mainLanguage) ?? id,
      description: pickOrBorrow(descriptions, code, mainLanguage),
    })),
  );
  const productGroups = cacheByText((code) => createProductGroups(productIndex, code, familiesIn(code)));
  const postsByLanguage = collect(posts, ({ data }) => data.language, byNewest);
  const pagesByLanguage = collect(pages, ({ data }) => data.language, byOrder);
  const episodesByLanguage = collect(episodes, ({ data }) => data.language, byPublished);
  const pagesById = new Map(pages.map(({ id, data }) => [id, data]));
  const headsByPath = new Map(heads.map(({ id, data }) => [id, data]));
  const headPaths = Map.groupBy([...headsByPath.keys()].toSorted(), parentFolder);
  const locals = content.localPages.map(toLocalPage);
  const overlaysById = new Map(overlays.map((entry) => [entry.id, entry]));
  const overlay = (id: string) => overlaysById.get(id)?.data;
  const groups = variantGroups(overlays);
  const offered = (language: string, gtins: readonly string[]): ProductListEntry[] =>
    gtins.flatMap((gtin) => productIndex.product(language, gtin) ?? []).filter(({ archived }) => !archived);
  const digests = new Map<object, string>(
    [...posts, ...pages, ...podcasts, ...episodes, ...heads].map(({ data, digest }) => [data, String(digest)]),
  );
  const normEntries = new Map(content.norms.map(({ id, data }) => [id, data]));
  return {
    languages: labelLanguages(ordered),
    mainLanguage,
    /** Messages of the site by language, from `content/strings/`. */
    dictionaries: dictionariesOf(content.strings),
    /** Snapshot of the pages with its timestamp. Undefined before the first sync. */
    snapshot,
    /** Sources that the last sync couldn't read. */
    stale: snapshot?.stale ?? [],
    /** Counts the current products in a language, and their documents. */
    count: (language: string) => ({
      products: productIndex.count(language),
      documents: productIndex.countDocuments(language),
    }),
    /** Returns a current or discontinued product. Discontinued products have a page but no group. */
    product: productIndex.product,
    /** Returns the current products with these names or item numbers, at most `limit` per name, by GTIN. */
    named: productIndex.named,
    neighbours: (language: string, gtin: string): readonly ProductListEntry[] => {
      const product = productIndex.product(language, gtin);
      return product ? productIndex.neighbours(product) : [];
    },
    /** Returns the data that overlays add to a product in a language, besides text. */
    additions: (language: string, gtin: string): OverlayData => mergeOverlays(language, gtin, overlay),
    /** Returns the GTINs of products whose overlays state a coverage. */
    covering: () => overlays.filter(({ data }) => data.coverage).map(({ id }) => id.split('/').at(-1) ?? ''),
    /** Returns the current formats of a product, including itself. Empty if it is the only one. */
    variants: (language: string, gtin: string): ProductListEntry[] => {
      const found = offered(language, groups.get(gtin) ?? []);
      const hasOthers = found.some((variant) => variant.gtin !== gtin);
      return hasOthers ? found.toSorted((a, b) => a.position - b.position || (a.gtin < b.gtin ? -1 : 1)) : [];
    },
    accessories: (language: string, gtin: string) =>
      offered(language, mergeOverlays(language, gtin, overlay).accessories ?? []),
    /** Returns the product that replaces another according to overlays. */
    successor: (language: string, gtin: string): ProductListEntry | undefined => {
      const chain = successorChain(gtin, (current) => findSuccessor(language, current, overlay));
      const product = chain.length > 0 ? productIndex.product(language, gtin) : undefined;
      if (!product) return undefined;
      return chooseSuccessor(
        product,
        chain.flatMap((next) => productIndex.product(language, next) ?? []),
      );
    },
    /** Reads the record of a listed product. @throws SortimentError SNAPSHOT_CHANGED */
    details: (listed: ProductListEntry): ProductEntry => getContext('readProduct')(listed),
    /** Returns the current products as groups, from which pages list, count and link products. */
    productGroups: (language: string): readonly ProductGroup[] => productGroups(language),
    /** True if names or descriptions of families are marked as texts of the main language. */
    borrowsTexts: cacheByText((language) =>
      familiesIn(language).some(({ name, description = '' }) => removeMarks(name + description) !== name + description),
    ),
    /** Returns the documents of a current or discontinued product. */
    documents: productIndex.documentsOf,
    discontinued: (language: string): readonly DiscontinuedProduct[] => productIndex.discontinued(language),
    /** Returns the norms under which current products declare values, by name. */
    norms: cacheByText((language): readonly Norm[] =>
      config.pages.norms ? collectNorms(productIndex.norms(language), productGroups(language)) : [],
    ),
    /** Returns the values that a family declares under a norm, up to the limit of the norm's page. */
    normInGroup: (language: string, norm: string, family: string | undefined) =>
      productIndex.normInGroup(language, norm, family ?? ''),
    /** Returns the editorial text of a norm by its slug. */
    normEntry: (norm: string) => normEntries.get(norm),
    directoryPages: (language: string): readonly DirectoryPage[] => productIndex.directoryPages(language),
    directoryRows: productIndex.directoryRows,
    /**
     * Returns products whose page may change although their data hasn't. Their overlays have components, whose reads
     * can't be tracked. If lists have changed, products with references to others are included.
     */
    crossReferenced: (haveListsChanged: boolean): ProductListEntry[] => {
      const referencesOthers = ({ successor, accessories }: OverlayEntry) =>
        haveListsChanged && (successor ?? accessories);
      const written = overlays.filter((entry) => referencesOthers(entry.data) || hasComponents(entry));
      const grouped = haveListsChanged ? groups.keys() : [];
      // Deduplicated: a product may have several overlays and belong to a group.
      const gtins = new Set([...grouped, ...written.map(({ id }) => id.split('/').at(-1) ?? '')]);
      // All languages, because a fallback page shows the text of another language.
      return [...gtins].flatMap((gtin) => ordered.flatMap(({ code }) => productIndex.product(code, gtin) ?? []));
    },
    /** Newest first. */
    posts: (language: string): readonly PostEntry[] => postsByLanguage.get(language) ?? NONE,
    hasPosts: (language: string) => postsByLanguage.has(language),
    pages: (language: string): readonly PageEntry[] => pagesByLanguage.get(language) ?? NONE,
    page: (id: string) => pagesById.get(id),
    localPages: (language: string): readonly LocalPage[] => locals.filter((page) => page.language === language),
    overlay: (language: string, gtin: string) => overlaysById.get(`${language}/${gtin}`),
    /** Returns the podcast in a language. Undefined if it has no episodes. */
    podcast: (language: string) => podcasts.find(({ id }) => id === language)?.data,
    hasPodcast: (language: string) => podcasts.some(({ id }) => id === language),
    /** Newest first. */
    episodes: (language: string): readonly EpisodeEntry[] => episodesByLanguage.get(language) ?? NONE,
    /** Returns the transcript of an episode. Empty if there is none. */
    transcript: ({ transcript }: Pick<EpisodeEntry, 'transcript'>): readonly Cue[] =>
      transcript === undefined ? [] : getContext('readTranscript')(transcript),
    head: (path: string) => headsByPath.get(path),
    /** Returns the paths directly below a folder that have an imported head. */
    headPaths: (folder: string): readonly string[] => headPaths.get(folder) ?? NONE,
    /** Returns the digest of everything that a product's page shows, excluding its neighbours. */
    productDigest: (language: string, gtin: string) => {
      const product = productIndex.product(language, gtin);
      return product && productIndex.digestOf(product);
    },
    /** Returns the digest of everything that pages show of a collection entry or listed product. */
    digestOf: (entry: object) => digests.get(entry) ?? productIndex.findRowDigest(entry),
  };
}

/** Returns the text in a language, or that of the main language, marked. */
function pickOrBorrow(texts: FamilyEntry['names'], language: string, mainLanguage: string): string | undefined {
  const borrowed = pickLocalized(texts, mainLanguage, mainLanguage);
  return pickLocalized(texts, language, language) ?? (borrowed && markBorrowed(borrowed, toBcp47(mainLanguage)));
}

/** Shared object, because results are cached per list. */
const NONE: readonly never[] = [];

/**
 * Returns the same object for the same collection, so that cached results survive a build of a long-running process.
 */
const dictionariesOf = cacheByObject((strings: SiteContent['strings']) =>
  withDocumentLabels(Object.fromEntries(strings.map(({ id, data }) => [id, data])), config.documentKinds),
);

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

/** Returns a function of the current build or dev server. @throws SortimentError INTEGRATION_MISSING */
function getContext<Name extends 'productIndex' | 'readProduct' | 'readTranscript'>(
  name: Name,
): Required<RenderContext>[Name] {
  const found = renderContext.current?.[name];
  if (found) return found as Required<RenderContext>[Name];
  throw new SortimentError('INTEGRATION_MISSING', 'The integration `sortiment` is missing.', {
    hint: 'Add `sortiment(options, import.meta.dirname)` to `integrations` in astro.config.mjs.',
  });
}

type Text = CollectionEntry<'overlays' | 'localPages'>;

/** Renders a text of the project. Reads of its components can't be tracked, so its page is rendered in every build. */
export async function renderText(text: Text): Promise<Awaited<ReturnType<typeof render>>['Content']> {
  if (hasComponents(text)) recordUntrackedRead();
  return (await render(text)).Content;
}

function hasComponents({ body = '' }: { body?: string | undefined }): boolean {
  return /^import\s/m.test(body);
}

/** Tracked methods of a site with their sources. Other members don't change between builds. */
const TRACKED_METHODS = {
  count: ['lists'],
  product: ['lists'],
  named: ['lists'],
  neighbours: ['lists'],
  variants: ['lists'],
  accessories: ['lists'],
  successor: ['lists'],
  productGroups: GROUP_SOURCES,
  documents: ['lists'],
  discontinued: ['lists'],
  norms: GROUP_SOURCES,
  directoryPages: ['lists'],
  posts: ['posts'],
  hasPosts: ['posts'],
  pages: ['pages'],
  page: ['pages'],
  podcast: ['podcasts'],
  hasPodcast: ['podcasts'],
  episodes: ['episodes'],
  headPaths: ['heads'],
  productDigest: ['lists', 'products'],
} as const satisfies { [Name in keyof Site]?: readonly QuerySource[] };

const TRACKED_FIELDS = {
  languages: ['languages'],
  mainLanguage: ['languages'],
  snapshot: ['snapshot'],
  stale: ['snapshot'],
} as const satisfies { [Name in keyof Site]?: readonly QuerySource[] };

for (const [name, sources] of Object.entries(TRACKED_METHODS))
  trackedQuery(name, sources, (site: Record<string, (...args: unknown[]) => unknown>, ...args: unknown[]) =>
    site[name]?.(...args),
  );
for (const [name, sources] of Object.entries(TRACKED_FIELDS))
  trackedQuery(name, sources, (site: Record<string, unknown>) => site[name]);

type PageKey = Pick<DirectoryPage, 'list' | 'section' | 'number'>;

/** Returns the digest of a directory page's rows, which saves reading them. */
const digestRows = (site: Pick<Site, 'directoryPages'>, language: string, { list, section, number }: PageKey) =>
  site.directoryPages(language).find((page) => page.list === list && page.section === section && page.number === number)
    ?.digest;

/** Returns the digest of the values that a family declares under a norm. */
const digestDeclaredValues = (site: Pick<Site, 'norms'>, language: string, norm: string, family: string | undefined) =>
  site
    .norms(language)
    .find(({ slug }) => slug === norm)
    ?.families.find((entry) => entry.family?.id === family)?.digest;

trackedQuery('head', ['heads'], (site: Pick<Site, 'head'>, path: string) => site.head(path));
trackedQuery('directoryRows', ['lists'], digestRows);
trackedQuery(
  'normInGroup',
  GROUP_SOURCES,
  (site: Pick<Site, 'norms'>, language: string, norm: string, family: string | null) =>
    digestDeclaredValues(site, language, norm, family ?? undefined),
);

/** Returns the parent folder of a path: `/de-de/journal/` for `/de-de/journal/roofs/`. */
function parentFolder(path: string): string {
  return path.slice(0, path.lastIndexOf('/', path.length - 2) + 1);
}

function recordSite(site: Site): Site {
  const trackedMethods = keysOf(TRACKED_METHODS).map((name) => {
    const method = site[name] as (...args: unknown[]) => unknown;
    return [name, (...args: unknown[]) => recordQuery(name, args, () => method(...args))];
  });
  const recorded: Site = {
    ...site,
    ...Object.fromEntries(trackedMethods),
    directoryRows: (language, { list, section, number }) => {
      const page = { list, section, number };
      recordRead('directoryRows', [language, page], () => digestRows(site, language, page));
      return site.directoryRows(language, page);
    },
    normInGroup: (language, norm, family) => {
      recordRead('normInGroup', [language, norm, family], () => digestDeclaredValues(site, language, norm, family));
      return site.normInGroup(language, norm, family);
    },
    head: (path) => {
      const head = site.head(path);
      if (head) recordRead('head', [path], () => head);
      // Most pages have no imported head. They share one read per folder.
      else recorded.headPaths(parentFolder(path));
      return head;
    },
    details: (listed) => {
      recorded.productDigest(listed.pageLanguage, listed.gtin);
      return site.details(listed);
    },
  };
  for (const name of keysOf(TRACKED_FIELDS))
    Object.defineProperty(recorded, name, { enumerable: true, get: () => recordQuery(name, [], () => site[name]) });
  return recorded;
}

function keysOf<Names extends object>(names: Names): (keyof Names)[] {
  return Object.keys(names) as (keyof Names)[];
}
