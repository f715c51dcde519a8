import {
  episodePath,
  pagePath,
  postPath,
  productPath,
  calculatorPath,
  comparePath,
  familyDownloadsPath,
  familyPath,
  productsPath,
  archivePath,
  journalPath,
  facetPath,
} from '#catalogue/addresses/paths.ts';
import type { PastAddress } from '#snapshot/index.ts';
import { addressSlug, readTerms, type SitePage, stripLanguagePrefix } from '#catalogue/read-model/content-paths.ts';
import { readArticles } from '#catalogue/read-model/articles.ts';
import type { LoaderSource } from '#catalogue/read-model/with-snapshot.ts';
import { mapAddresses } from '#catalogue/read-model/map-address.ts';
import { productSlug } from '#catalogue/addresses/slugs.ts';
import { romanise } from '#catalogue/addresses/server-slugs.ts';
import type { ProductIndex } from '#catalogue/read-model/product-index.ts';
import { stripSitePath, sitePath } from '#catalogue/addresses/site-paths.ts';
import { documentPath } from '#catalogue/read-model/assets.ts';

/**
 * Finds the redirects of moved pages, from earlier names, slugs and families in the snapshot and from pages of earlier
 * builds.
 * @param isPage Returns true if a path has a page.
 * @param left Paths of pages of earlier builds, as far as known.
 */
export function findRedirects(
  source: LoaderSource,
  productIndex: Pick<ProductIndex, 'product' | 'productGroups'>,
  isPage: (pathname: string) => boolean,
  left: Iterable<string> = [],
): Redirect[] {
  return resolveRedirects(
    [
      ...editedRedirects(source),
      ...movedProducts(source, productIndex),
      ...movedArticles(source),
      ...movedTerms(source, isPage),
      ...movedFamilies(source, isPage),
      ...removedLists(source, left, productIndex, isPage),
    ],
    isPage,
  );
}

/**
 * Lists the earlier paths of posts, episodes and pages, after changes of slugs or parents. The most recent owner of a
 * path comes first.
 */
export function* movedArticles(source: LoaderSource): Generator<Redirect> {
  const { snapshot } = source;
  const articles = () => readArticles(source).all;
  for (const { kind, present, pathOf } of [
    { kind: 'post', present: () => articles().posts, pathOf: postPath },
    { kind: 'episode', present: () => articles().episodes, pathOf: episodePath },
  ]) {
    const past = [...snapshot.pastPlaces(kind)];
    if (past.length === 0) continue;
    const byId = new Map(present().map((one) => [one.record.id, one]));
    for (const former of past) {
      const now = byId.get(former.id);
      if (!now) continue;
      const from = pathOf(now.language, bareSlug(source, now.language)(former));
      if (from === now.path) continue;
      yield { from, to: now.path };
      // The embeddable player moves with its page.
      if (kind === 'episode') yield { from: `${from}embed/`, to: `${now.path}embed/` };
    }
  }
  const pastPages = Map.groupBy(snapshot.pastPlaces('page'), ({ id }) => id);
  if (pastPages.size > 0) {
    const { pages } = articles();
    const pathsOf = pastPaths(source, pages, pastPages);
    const moved = pages.flatMap(({ record, language, path }) =>
      [...pathsOf(record.id)].map(([slugPath, until]) => ({ from: pagePath(language, slugPath), to: path, until })),
    );
    for (const { from, to } of moved.toSorted((a, b) => (a.until < b.until ? 1 : a.until > b.until ? -1 : 0)))
      if (from !== to) yield { from, to };
  }
}

const bareSlug =
  ({ options }: LoaderSource, language: string) =>
  (past: Pick<PastAddress, 'slug' | 'id'>): string =>
    stripLanguagePrefix(addressSlug(past), language, options.publishing.language);

/** Sorts after all dates, for current segments. */
const CURRENT = '9';

/**
 * @returns Returns each current or earlier path of a page, including those of its ancestors, with the date until which
 * it was valid.
 */
function pastPaths(
  source: LoaderSource,
  pages: readonly SitePage[],
  past: ReadonlyMap<number, readonly PastAddress[]>,
): (id: number) => ReadonlyMap<string, string> {
  const byId = new Map(pages.map((page) => [page.record.id, page]));
  const known = new Map<number, ReadonlyMap<string, string>>();
  const find = (id: number, below: readonly number[]): ReadonlyMap<string, string> => {
    const found = known.get(id);
    if (found) return found;
    const page = byId.get(id);
    if (!page || below.includes(id)) return new Map();
    const { language, record } = page;
    const bare = bareSlug(source, language);
    const paths = new Map<string, string>();
    const add = (slugPath: string, until: string): void => {
      if (until > (paths.get(slugPath) ?? '')) paths.set(slugPath, until);
    };
    for (const { slug, parent, until } of [{ ...record, until: CURRENT }, ...(past.get(id) ?? [])]) {
      const segment = bare({ slug, id });
      const isBelow = parent !== undefined && byId.get(parent)?.language === language;
      const above = isBelow ? [...find(parent, [...below, id])] : [];
      if (above.length === 0) add(segment, until);
      for (const [slugPath, left] of above) add(`${slugPath}/${segment}`, left < until ? left : until);
    }
    // Results below another page may be incomplete because of cycles, so only complete ones are cached.
    if (below.length === 0) known.set(id, paths);
    return paths;
  };
  return (id) => find(id, []);
}

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

/** A moved page, or a redirect set by an editor. */
export interface Redirect {
  /** Root-relative path without percent-encoding. */
  from: string;
  /** Root-relative path without percent-encoding, or an encoded absolute URL. */
  to: string;
}

/** Encodes the target of a redirect for headers and host files. */
export function encodeTarget(to: string): string {
  const encoded = encodeURI(to);
  return to.startsWith('/') ? encoded : encoded.replaceAll('%25', '%');
}

/**
 * Lists the earlier paths of products after changes of names. A language without its own record has the paths of all
 * records that it may have shown.
 */
export function* movedProducts(
  { snapshot, languages }: Pick<LoaderSource, 'snapshot' | 'languages'>,
  productIndex: Pick<ProductIndex, 'product'>,
): Generator<Redirect> {
  for (const { gtin, language: storedAs, name } of snapshot.pastNames()) {
    for (const language of languages) {
      const product = productIndex.product(language, gtin);
      if (!product || (language !== storedAs && !product.fallback)) continue;
      const from = productPath(language, productSlug(romanise(name), gtin));
      const to = productPath(language, product.slug);
      if (from !== to) yield { from, to };
    }
  }
}

/** Pages that every family may have. Other pages depend on its products. */
const PAGES = [familyPath, comparePath, calculatorPath, familyDownloadsPath];

/** Lists redirects of renamed or removed families to the family that has their products. */
export function* movedFamilies(
  { snapshot, languages }: Pick<LoaderSource, 'snapshot' | 'languages'>,
  isPage: (pathname: string) => boolean,
): Generator<Redirect> {
  // A family without current products in a language has no page there.
  const current = snapshot.families().map(({ id }) => [id, undefined] as const);
  for (const [family, now] of new Map([...current, ...snapshot.pastFamilies()])) {
    for (const language of languages) {
      for (const pathOf of PAGES) {
        const targets = now === undefined ? [] : [pathOf(language, now), familyPath(language, now)];
        const to = [...targets, productsPath(language)].find(isPage);
        if (to !== undefined) yield { from: pathOf(language, family), to };
      }
    }
  }
}

/**
 * Lists the earlier paths of categories, tags and authors. An archive without posts in a language redirects to the
 * journal.
 * @param isPage Returns true if a path has a page.
 */
export function* movedTerms(
  { snapshot, languages }: Pick<LoaderSource, 'snapshot' | 'languages'>,
  isPage: (pathname: string) => boolean,
): Generator<Redirect> {
  const past = snapshot.pastSlugs();
  if (past.length === 0) return;
  const terms = readTerms(snapshot).map((term) => [`${term.taxonomy} ${term.id}`, addressSlug(term)] as const);
  const authors = [...snapshot.records('author')].map(
    (author) => [`author ${author.id}`, addressSlug(author)] as const,
  );
  const current = new Map([...terms, ...authors]);
  for (const { kind, id, slug } of past) {
    const now = current.get(`${kind} ${id}`);
    for (const language of languages) {
      const from = archivePath(language, kind, addressSlug({ slug, id }));
      const archive = now === undefined ? undefined : archivePath(language, kind, now);
      const to = archive !== undefined && isPage(archive) ? archive : journalPath(language);
      if (from !== to && isPage(to)) yield { from, to };
    }
  }
}

/**
 * Resolves each earlier path to its current page in one step. Cycles and paths that have a page again are omitted. The
 * first redirect of a path wins.
 * @returns Redirects sorted by path.
 */
export function resolveRedirects(redirects: Iterable<Redirect>, isPage: (pathname: string) => boolean): Redirect[] {
  const next = new Map<string, string>();
  for (const { from, to } of redirects) if (!isPage(from) && !next.has(from)) next.set(from, to);
  return [...next.keys()].toSorted().flatMap((from) => {
    const to = resolveTarget(from, next);
    return to === undefined ? [] : { from, to };
  });
}

function resolveTarget(start: string, next: ReadonlyMap<string, string>): string | undefined {
  const passed = new Set([start]);
  let current = start;
  for (let to = next.get(current); to !== undefined; to = next.get(current)) {
    if (passed.has(to)) return undefined;
    passed.add(to);
    current = to;
  }
  return current === start ? undefined : current;
}

const PRODUCT = /^\/([^/]+)\/p\/(?:.*-)?(\d{13})\/$/;
/** Extracts the first number of an option's ID: `from-0-2-to-4-7`, `ge-1500`, `minus-0-25`, `50-mm`. */
const FACET =
  /^\/([^/]+)\/products\/([^/]+)\/([^/]+)\/(?:from-)?(?:[gl][et]-)?(minus-)?(\d+)(?:-(\d+))?(?:-[a-z][^/]*)?\/(?:page\/\d+\/)?$/;
/** Paths below which lists exist. A post or page doesn't belong to the list above it. */
const LIST =
  /^\/[^/]+\/(?:products|norms|downloads|search)\/.|^\/[^/]+\/(?:journal\/(?:$|(?:page|category|tag|author|month)\/)|podcast\/(?:$|page\/))/;

/**
 * Lists redirects of removed pages. Lists depend on declared values, so their paths change with them. A removed list
 * redirects to the list with the same values, else to its parent list. A product page redirects to its current path. A
 * post or page whose language has changed redirects to the same path in that language.
 * @param left Paths of pages of earlier builds, relative to the site.
 * @param isPage Returns true if a path has a page.
 */
export function* removedLists(
  { languages }: Pick<LoaderSource, 'languages'>,
  left: Iterable<string>,
  productIndex: Pick<ProductIndex, 'product' | 'productGroups'>,
  isPage: (pathname: string) => boolean,
): Generator<Redirect> {
  for (const from of left) {
    if (isPage(from)) continue;
    const to =
      findProductPath(from, productIndex) ??
      findSpanPath(from, productIndex) ??
      (LIST.test(from) ? findAncestor(from, isPage) : findInOtherLanguage(from, languages, isPage));
    if (to !== undefined && isPage(to)) yield { from: sitePath(from), to: sitePath(stripSitePath(to)) };
  }
}

function findInOtherLanguage(
  from: string,
  languages: readonly string[],
  isPage: (pathname: string) => boolean,
): string | undefined {
  const [, rest] = /^\/[^/]+(\/.+)$/.exec(from) ?? [];
  return rest === undefined ? undefined : languages.map((code) => `/${code}${rest}`).find(isPage);
}

function findProductPath(from: string, productIndex: Pick<ProductIndex, 'product'>): string | undefined {
  const [, language = '', gtin = ''] = PRODUCT.exec(from) ?? [];
  const product = gtin === '' ? undefined : productIndex.product(language, gtin);
  return product && productPath(language, product.slug);
}

/** Finds the current span that contains the lower bound of an earlier one. */
function findSpanPath(from: string, productIndex: Pick<ProductIndex, 'productGroups'>): string | undefined {
  const [, language = '', family = '', facet = '', minus, whole = '', part = '0'] = FACET.exec(from) ?? [];
  if (whole === '') return undefined;
  const productGroup = productIndex.productGroups(language).find(({ productGroup: id }) => id === family);
  const found = productGroup?.facets.find(({ id, kind }) => id === facet && kind === 'number');
  const low = Number(`${minus ? '-' : ''}${whole}.${part}`);
  const options = found?.options.filter(({ count }) => found.listed && count > 1) ?? [];
  const span =
    options.find(({ values }) => low <= (values.at(-1)?.high ?? values.at(-1)?.low ?? -Infinity)) ?? options.at(-1);
  return span && facetPath(language, family, { facet, option: span.id });
}

function findAncestor(from: string, isPage: (pathname: string) => boolean): string | undefined {
  const segments = from.split('/').filter((segment) => segment !== '');
  const paths = segments.map((_, i) => `/${segments.slice(0, i + 1).join('/')}/`).toReversed();
  return paths.slice(1).find(isPage);
}

/** A document that the site no longer offers at its path. */
export interface PastDocument {
  /** Root-relative path. */
  path: string;
  /** Path of the current document. Undefined if there is none. */
  to: string | undefined;
  /** Path of its file, relative to the assets folder. */
  file: string;
  digest: string;
}

/**
 * Finds replaced and removed documents, which printed material and other catalogues may link to. The replacement is the
 * current file at the source URL, else the product's document of the same kind.
 */
export function findPastDocuments(
  { snapshot, options, languages }: Pick<LoaderSource, 'snapshot' | 'options' | 'languages'>,
  productIndex: Pick<ProductIndex, 'documents' | 'documentsOf'>,
): PastDocument[] {
  if (options.documents !== 'mirror') return [];
  const past = Map.groupBy(snapshot.pastDocuments(), (document) => documentPath({ ...document, kind: 'document' }));
  if (past.size === 0) return [];
  const offered = new Set<string>();
  for (const language of languages)
    for (const { documents, earlierDocuments } of productIndex.documents(language))
      for (const { href } of [...documents, ...earlierDocuments]) offered.add(href);
  return [...past].flatMap(([path, rows]): PastDocument[] => {
    const [row] = rows;
    if (path === undefined || !row || offered.has(path)) return [];
    const candidates = rows.flatMap(({ url, owner }) => {
      const asset = snapshot.asset(url, 'document');
      const productDocument =
        owner &&
        productIndex.documentsOf(owner.language, owner.gtin).documents.find(({ field }) => field === owner.field);
      return [asset && documentPath(asset), productDocument?.href];
    });
    const to = candidates.find((candidate) => candidate !== undefined && offered.has(candidate));
    return [{ path, to, file: row.file, digest: row.digest }];
  });
}
