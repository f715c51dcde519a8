import type { CollectionEntry } from 'astro:content';
import type { PageEntry, PostEntry, ListedEntry, StaleSource } from '../loaders/entries.ts';
import { labelLanguages } from './label-languages.ts';
import { localized } from './localized.ts';
import { pagePath } from './paths.ts';
import { readCollection } from './read-collection.ts';
import { stockShelves, type Shelf } from './stock-shelves.ts';
import { chooseSuccessor, successorChain, successorOf } from './successors.ts';

/** A page written in `content/pages/<language>/<slug>.mdx`; the same slug in another language is its translation. */
export interface LocalPage {
  entry: CollectionEntry<'localPages'>;
  language: string;
  slug: string;
  path: string;
}

/** Everything that pages list and link, read from the collections once and put in order. */
export interface Site {
  languages: { code: string; name: string }[];
  mainLanguage: string;
  /** Texts of the site by language, from `content/strings/`. */
  dictionaries: Record<string, Record<string, string>>;
  /** What the pages were made from, and when it was taken; undefined before the first sync. */
  snapshot: { digest: string; taken: Date; stale: readonly StaleSource[] } | undefined;
  /** What is offered: whatever lists, counts or links products takes them from here or from `shelves`. */
  products: (language: string) => readonly ListedEntry[];
  /** What is no longer offered and only keeps its page. */
  archive: (language: string) => readonly ListedEntry[];
  /** Of both. */
  product: (language: string, gtin: string) => ListedEntry | undefined;
  /** The product to take instead of another, as the overlays say. */
  successor: (product: ListedEntry) => ListedEntry | undefined;
  shelves: (language: string) => readonly Shelf[];
  /** Newest first. */
  posts: (language: string) => readonly PostEntry[];
  pages: (language: string) => readonly PageEntry[];
  page: (id: string) => PageEntry | undefined;
  localPages: (language: string) => readonly LocalPage[];
  overlay: (language: string, gtin: string) => CollectionEntry<'overlays'> | undefined;
  /** Names everything that is known of a product, post or page: what shows it changes only when this does. */
  digestOf: (entry: ListedEntry | PostEntry | PageEntry) => string;
}

let read: Promise<Site> | undefined;

/** The site as the collections have it. A build reads it once; the dev server, whose content changes, each time. */
export function loadSite(): Promise<Site> {
  if (import.meta.env.DEV) return readSite();
  read ??= readSite();
  return read;
}

async function readSite(): Promise<Site> {
  const [languages, families, products, posts, pages, localPages, overlays, strings, snapshots] = await Promise.all([
    readCollection('languages'),
    readCollection('families'),
    readCollection('products'),
    readCollection('posts'),
    readCollection('pages'),
    readCollection('localPages'),
    readCollection('overlays'),
    readCollection('strings'),
    readCollection('snapshot'),
  ]);
  const ordered = languages.map(({ data }) => data).toSorted((a, b) => a.position - b.position);
  const mainLanguage = (ordered.find(({ main }) => main) ?? ordered[0])?.code ?? 'en';
  const { offered = [], archived = [] } = Object.groupBy(products, ({ data }) =>
    data.archived ? 'archived' : 'offered',
  );
  const byLanguage = collect(offered, languageOfPage, byPosition);
  const archiveByLanguage = collect(archived, languageOfPage, byPosition);
  const byId = new Map(products.map(({ id, data }) => [id, data]));
  const named = families.toSorted((a, b) => a.data.position - b.data.position).map(({ id, data }) => ({ id, ...data }));
  const shelves = new Map(
    ordered.map(({ code }) => [
      code,
      stockShelves(
        byLanguage.get(code) ?? [],
        named.map(({ id, names, descriptions }) => ({
          id,
          name: localized(names, code, mainLanguage) ?? id,
          description: localized(descriptions, code, mainLanguage),
        })),
      ),
    ]),
  );
  const postsByLanguage = collect(posts, ({ data }) => data.language, byNewest);
  const pagesByLanguage = collect(pages, ({ data }) => data.language, byOrder);
  const pagesById = new Map(pages.map(({ id, data }) => [id, data]));
  const locals = localPages.map(toLocalPage);
  const overlaysById = new Map(overlays.map((entry) => [entry.id, entry]));
  const digests = new Map<unknown, string>(
    [...products, ...posts, ...pages].map(({ data, digest }) => [data, String(digest)]),
  );
  const current = snapshots[0]?.data;
  return {
    languages: labelLanguages(ordered),
    mainLanguage,
    dictionaries: Object.fromEntries(strings.map(({ id, data }) => [id, data])),
    snapshot: current,
    products: (language) => byLanguage.get(language) ?? [],
    archive: (language) => archiveByLanguage.get(language) ?? [],
    product: (language, gtin) => byId.get(`${language}/${gtin}`),
    successor: (product) => {
      const { pageLanguage } = product;
      const next = (gtin: string) => successorOf(pageLanguage, gtin, (id) => overlaysById.get(id)?.data);
      const chain = successorChain(product.gtin, next);
      return chooseSuccessor(
        product,
        chain.flatMap((gtin) => byId.get(`${pageLanguage}/${gtin}`) ?? []),
      );
    },
    shelves: (language) => shelves.get(language) ?? [],
    posts: (language) => postsByLanguage.get(language) ?? [],
    pages: (language) => pagesByLanguage.get(language) ?? [],
    page: (id) => pagesById.get(id),
    localPages: (language) => locals.filter((page) => page.language === language),
    overlay: (language, gtin) => overlaysById.get(`${language}/${gtin}`),
    digestOf: (entry) => digests.get(entry) ?? '',
  };
}

function collect<T>(
  entries: readonly { data: T }[],
  languageOf: (entry: { data: T }) => string,
  compare: (a: T, b: T) => number,
): Map<string, T[]> {
  const groups = Map.groupBy(entries, languageOf);
  return new Map([...groups].map(([language, group]) => [language, group.map(({ data }) => data).toSorted(compare)]));
}

function languageOfPage({ data }: { data: ListedEntry }): string {
  return data.pageLanguage;
}

/** Orders are total, so that they don't depend on the order of the store. */
function byPosition(a: ListedEntry, b: ListedEntry): number {
  return a.position - b.position || (a.gtin < b.gtin ? -1 : 1);
}

function byNewest(a: PostEntry, b: PostEntry): number {
  const byDate = Number(b.sticky) - Number(a.sticky) || b.published.getTime() - a.published.getTime();
  return byDate || b.sourceId - a.sourceId;
}

function byOrder(a: PageEntry, b: PageEntry): number {
  return a.order - b.order || a.title.localeCompare(b.title, a.language) || a.sourceId - b.sourceId;
}

function toLocalPage(entry: CollectionEntry<'localPages'>): LocalPage {
  const [language = '', ...rest] = entry.id.split('/');
  const slug = rest.join('/');
  return { entry, language, slug, path: pagePath(language, slug) };
}
