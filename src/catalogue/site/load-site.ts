import type { CollectionEntry } from 'astro:content';
import { localized } from '#contracts/localized.ts';
import type { Cue } from '#contracts/podcast/index.ts';
import type { EditedHead } from '#model/edited-head.ts';
import type { PageEntry, PostEntry, ListedEntry, NormEntry, OverlayEntry, StaleSource } from '#model/entries.ts';
import type { EpisodeEntry, PodcastEntry } from '#model/podcast.ts';
import { pagePath } from '../addresses/paths.ts';
import { bringsComponents } from '../incremental/brings-components.ts';
import { byLanguage, labelLanguages } from '../languages/label-languages.ts';
import { collectNorms, type Norm } from '../norms/collect-norms.ts';
import type { NormInGroup } from '../norms/norm-groups.ts';
import type { DirectoryPage, DirectoryRow } from '../port/directory.ts';
import type { DiscontinuedProduct } from '../port/listed-rows.ts';
import type { ListedDocuments, ProductIndex } from '../port/product-index.ts';
import { RENDER_CONTEXT, type RenderContext } from '../port/render-context.ts';
import { additionsOf, type Additions } from '../products/additions.ts';
import { chooseSuccessor, successorChain, successorOf } from '../products/successors.ts';
import { variantGroups } from '../products/variants.ts';
import { integrationMissing } from './integration-missing.ts';
import { productGroupsOf, type ProductGroup } from './product-groups.ts';
import { readCollection } from './read-collection.ts';

/** A page written in `content/pages/<language>/<slug>.mdx`; the same slug in another language is its translation. */
export interface LocalPage {
  entry: CollectionEntry<'localPages'>;
  language: string;
  slug: string;
  path: string;
}

/**
 * Everything that pages list and link, put in order: products from the product index, product group by product group when they are asked
 * for, all else from the collections.
 */
export interface Site {
  languages: { code: string; name: string }[];
  mainLanguage: string;
  /** Texts of the site by language, from `content/strings/`. */
  dictionaries: Record<string, Record<string, string>>;
  /** What the pages were made from, and when it was taken; undefined before the first sync. */
  snapshot: { digest: string; taken: Date; stale: readonly StaleSource[] } | undefined;
  /** How many products are offered in a language, and how many documents they have. */
  count: (language: string) => { products: number; documents: number };
  /** Offered or not: what is no longer offered keeps its page, but stands on no product group. */
  product: (language: string, gtin: string) => ListedEntry | undefined;
  /** What is offered under one of these names or item numbers. */
  named: (language: string, names: readonly string[]) => ListedEntry[];
  /** Those behind a product in its family, going round. */
  neighbours: (product: ListedEntry, limit: number) => readonly ListedEntry[];
  /** What overlays add to a product in a language, besides their text. */
  additions: (language: string, gtin: string) => Additions;
  /** GTINs of the products of which overlays say how far they go. */
  covering: () => string[];
  /** The formats in which a product is offered, itself among them; none when there is no other. */
  variants: (product: ListedEntry) => ListedEntry[];
  /** What is offered and used with it. */
  accessories: (product: ListedEntry) => ListedEntry[];
  /** The product to take instead of another, as the overlays say. */
  successor: (product: ListedEntry) => ListedEntry | undefined;
  /** What is offered: whatever lists, counts or links products takes them from here. */
  productGroups: (language: string) => readonly ProductGroup[];
  /** Of a product, offered or not. */
  documents: (product: ListedEntry) => ListedDocuments;
  /** What is no longer offered and has documents. */
  discontinued: (language: string) => readonly DiscontinuedProduct[];
  /** Norms that offered products declare something under, by their names. */
  norms: (language: string) => readonly Norm[];
  /** What a family declares under a norm, as far as the page of the norm shows it. */
  normInGroup: (language: string, norm: string, family: string | undefined) => NormInGroup | undefined;
  /** What is written of a norm, by its slug. */
  normEntry: (norm: string) => NormEntry | undefined;
  /** The pages of the tables of all products, and the rows of one. */
  directoryPages: (language: string) => readonly DirectoryPage[];
  directoryRows: (language: string, page: Pick<DirectoryPage, 'list' | 'section' | 'number'>) => DirectoryRow[];
  /**
   * Products whose page may show something else although nothing of theirs has changed: what is written to them has
   * components, of which nobody knows what they show; and, when lists show something else, it names others that
   * overlays tell of.
   */
  crossReferenced: (haveListsChanged: boolean) => ListedEntry[];
  /** Newest first. */
  posts: (language: string) => readonly PostEntry[];
  pages: (language: string) => readonly PageEntry[];
  page: (id: string) => PageEntry | undefined;
  localPages: (language: string) => readonly LocalPage[];
  overlay: (language: string, gtin: string) => CollectionEntry<'overlays'> | undefined;
  /** The podcast in a language; undefined where it has no episodes. */
  podcast: (language: string) => PodcastEntry | undefined;
  /** Newest first. */
  episodes: (language: string) => readonly EpisodeEntry[];
  /** What is said in an episode; empty without a transcript. */
  transcript: (episode: Pick<EpisodeEntry, 'transcript'>) => readonly Cue[];
  /** What the publishing site wants the head of the page at a path to say. */
  head: (path: string) => EditedHead | undefined;
  /** Names everything that is known of a post, page, podcast, episode or head: what shows it changes only when this does. */
  digestOf: (entry: PostEntry | PageEntry | PodcastEntry | EpisodeEntry | EditedHead | undefined) => string;
  /** The same for the page of a product, without its neighbours. */
  productDigest: (product: ListedEntry) => string;
  /** Names what others show of a product. */
  rowDigest: (product: ListedEntry) => string;
}

let read: { host: RenderContext | undefined; site: Promise<Site> } | undefined;

/** The site as it is now. A build reads it once; the dev server, whose content changes, each time. */
export function loadSite(): Promise<Site> {
  if (import.meta.env.DEV) return readSite();
  const host = globalThis[RENDER_CONTEXT];
  if (read && read.host === host) return read.site;
  const reading = { host, site: readSite() };
  read = reading;
  // The next page tries again: what failed may be over.
  reading.site.catch(() => {
    if (read === reading) read = undefined;
  });
  return reading.site;
}

async function readSite(): Promise<Site> {
  const productIndex = openCatalogue();
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
  const productGroups = byLanguage((code) =>
    productGroupsOf(
      productIndex,
      code,
      named.map(({ id, names, descriptions }) => ({
        id,
        name: localized(names, code, mainLanguage) ?? id,
        description: localized(descriptions, code, mainLanguage),
      })),
    ),
  );
  const postsByLanguage = collect(posts, ({ data }) => data.language, byNewest);
  const pagesByLanguage = collect(pages, ({ data }) => data.language, byOrder);
  const episodesByLanguage = collect(episodes, ({ data }) => data.language, byPublished);
  const pagesById = new Map(pages.map(({ id, data }) => [id, data]));
  const headsByPath = new Map(heads.map(({ id, data }) => [id, data]));
  const locals = localPages.map(toLocalPage);
  const overlaysById = new Map(overlays.map((entry) => [entry.id, entry]));
  const overlay = (id: string) => overlaysById.get(id)?.data;
  const groups = variantGroups(overlays);
  const offered = (language: string, gtins: readonly string[]): ListedEntry[] =>
    gtins.flatMap((gtin) => productIndex.product(language, gtin) ?? []).filter(({ archived }) => !archived);
  const digests = new Map<unknown, string>(
    [...posts, ...pages, ...podcasts, ...episodes, ...heads].map(({ data, digest }) => [data, String(digest)]),
  );
  const normEntries = new Map(norms.map(({ id, data }) => [id, data]));
  const current = snapshots[0]?.data;
  return {
    languages: labelLanguages(ordered),
    mainLanguage,
    dictionaries: dictionariesOf(strings),
    snapshot: current,
    count: (language) => ({ products: productIndex.count(language), documents: productIndex.countDocuments(language) }),
    product: productIndex.product,
    named: productIndex.named,
    neighbours: productIndex.neighbours,
    additions: (language, gtin) => additionsOf(language, gtin, overlay),
    covering: () => overlays.filter(({ data }) => data.coverage).map(({ id }) => id.split('/').at(-1) ?? ''),
    variants: ({ pageLanguage, gtin }) => {
      const found = offered(pageLanguage, groups.get(gtin) ?? []);
      const others = found.some((variant) => variant.gtin !== gtin);
      return others ? found.toSorted((a, b) => a.position - b.position || (a.gtin < b.gtin ? -1 : 1)) : [];
    },
    accessories: ({ pageLanguage, gtin }) =>
      offered(pageLanguage, additionsOf(pageLanguage, gtin, overlay).accessories ?? []),
    successor: (product) => {
      const { pageLanguage } = product;
      const next = (gtin: string) => successorOf(pageLanguage, gtin, overlay);
      const chain = successorChain(product.gtin, next);
      return chooseSuccessor(
        product,
        chain.flatMap((gtin) => productIndex.product(pageLanguage, gtin) ?? []),
      );
    },
    productGroups,
    documents: ({ pageLanguage, gtin }) => productIndex.documentsOf(pageLanguage, gtin),
    discontinued: productIndex.discontinued,
    norms: byLanguage((language) => collectNorms(productIndex.norms(language), productGroups(language))),
    normInGroup: (language, norm, family) => productIndex.normInGroup(language, norm, family ?? ''),
    normEntry: (norm) => normEntries.get(norm),
    directoryPages: productIndex.directoryPages,
    directoryRows: productIndex.directoryRows,
    crossReferenced: (haveListsChanged) => {
      const namesOthers = ({ successor, accessories }: OverlayEntry) => haveListsChanged && (successor ?? accessories);
      const written = overlays.filter((entry) => namesOthers(entry.data) || bringsComponents(entry));
      const grouped = haveListsChanged ? groups.keys() : [];
      // Once each, although one product may have overlays in several languages and be of a group as well.
      const gtins = new Set([...grouped, ...written.map(({ id }) => id.split('/').at(-1) ?? '')]);
      // In every language: a fallback shows what is written in another one.
      return [...gtins].flatMap((gtin) => ordered.flatMap(({ code }) => productIndex.product(code, gtin) ?? []));
    },
    posts: (language) => postsByLanguage.get(language) ?? [],
    pages: (language) => pagesByLanguage.get(language) ?? [],
    page: (id) => pagesById.get(id),
    podcast: (language) => podcasts.find(({ id }) => id === language)?.data,
    episodes: (language) => episodesByLanguage.get(language) ?? [],
    transcript: ({ transcript }) => (transcript === undefined ? [] : readTranscript(transcript)),
    head: (path) => headsByPath.get(path),
    localPages: (language) => locals.filter((page) => page.language === language),
    overlay: (language, gtin) => overlaysById.get(`${language}/${gtin}`),
    digestOf: (entry) => digests.get(entry) ?? '',
    productDigest: productIndex.digestOf,
    rowDigest: productIndex.rowDigestOf,
  };
}

const dictionaries = new WeakMap<readonly CollectionEntry<'strings'>[], Site['dictionaries']>();

/** The same object for the same collection: what was made of it for one build of a process serves the next as well. */
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

/** The product index of the build, or of the dev server, that runs this code. @throws SortimentError INTEGRATION_MISSING */
function openCatalogue(): ProductIndex {
  const productIndex = globalThis[RENDER_CONTEXT]?.productIndex?.();
  if (!productIndex) throw integrationMissing();
  return productIndex;
}

/** @throws SortimentError INTEGRATION_MISSING */
function readTranscript(digest: string): readonly Cue[] {
  const read = globalThis[RENDER_CONTEXT]?.readTranscript;
  if (!read) throw integrationMissing();
  return read(digest);
}
