import { archivePath, type ArchiveKind } from '#catalogue/addresses/paths.ts';
import { toMonth } from '#catalogue/journal/journal-pages.ts';
import { linkedImagePath } from '#catalogue/images/image-variants.ts';
import type { ArticleRecord, PageRecord, PostRecord, TermRecord } from '#contracts/synced/index.ts';
import { localFiles } from '#catalogue/read-model/project-products.ts';
import { type LoaderSource, languageCodes, type ProjectedEntry } from '#catalogue/read-model/with-snapshot.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import {
  addressSlug,
  isMarkerTerm,
  indexTerms,
  readTerms,
  publicTerms,
  type TermIndex,
  toEpisodeArticle,
  resolveEpisodePaths,
  resolvePostPaths,
  type SiteEntry,
  resolvePagePaths,
} from './content-paths.ts';
import { withRedirects, createLinkResolver, type LinkedPage, type RedirectedPage } from './resolve-links.ts';
import { findMentions } from '#catalogue/journal/related-posts.ts';
import { stripSitePath } from '#catalogue/addresses/site-paths.ts';
import type { Options } from '#config/index.ts';
import type { ProductIndex } from '#catalogue/read-model/product-index.ts';
import { createExcerpt } from '#catalogue/journal/excerpt.ts';
import type { ImageAsset } from '#catalogue/entries/entries.ts';
import { toImageAsset } from '#catalogue/read-model/assets.ts';
import { rewriteHtml, rewritingBasis, type HtmlResolvers } from '#catalogue/read-model/rewrite-html.ts';

/** Addresses of the publishing site, the public one first. */
export function siteAddresses(snapshot: Pick<SnapshotReader, 'site'>): string[] {
  const site = snapshot.site();
  return site ? (site.addresses ?? [site.url]) : [];
}

/** List of the posts of a category, tag or author. */
export interface Archive {
  kind: Exclude<ArchiveKind, 'month'>;
  /** Id of the term or author. */
  id: number;
  path: string;
}

type ArticleSource = Omit<LoaderSource, 'warn'>;

/** Memoizes a function by reader, while options and languages are unchanged. A reader is of one snapshot. */
function memoize<T>(compute: (source: ArticleSource) => T): (source: ArticleSource) => T {
  const cache = new WeakMap<SnapshotReader, { basis: readonly unknown[]; result: T }>();
  return (source) => {
    const { snapshot, options, languages } = source;
    const basis = [options, ...languages];
    const cached = cache.get(snapshot);
    if (cached && basis.length === cached.basis.length && basis.every((value, i) => value === cached.basis[i]))
      return cached.result;
    const result = compute(source);
    cache.set(snapshot, { basis, result });
    return result;
  };
}

const readTermIndex = memoize(({ snapshot }) => indexTerms(readTerms(snapshot)));

/** All episodes, including those without a page. Doesn't read other articles. */
export const readEpisodes = memoize((source) => resolveEpisodePaths(source, readTermIndex(source)));

export type Articles = ReturnType<typeof readArticles>;

/** Places all posts, pages and episodes. Any of them can link to any other, so each loader needs all. */
export const readArticles = memoize((articleSource) => {
  const { snapshot, options, languages } = articleSource;
  const leftOut: string[] = [];
  const source = { ...articleSource, warn: (message: string) => void leftOut.push(message) };
  const terms = readTermIndex(articleSource);
  const all = {
    posts: resolvePostPaths(source, terms),
    pages: resolvePagePaths(source),
    episodes: readEpisodes(articleSource),
  };
  // Links to records without a page are resolved, too.
  const linked: SiteEntry<ArticleRecord>[] = [...all.posts, ...all.pages, ...all.episodes.map(toEpisodeArticle)];
  // Language -> archives of its posts, by kind and id such as `category 7`. Filled once posts with a page are known.
  const archives = new Map<string, ReadonlyMap<string, Archive>>();
  let listed: readonly SiteEntry<PostRecord>[] = [];
  let months: ReadonlySet<string> | undefined;
  const authors = [...snapshot.records('author')];
  const media = new Map([...snapshot.records('media')].map((medium) => [medium.id, medium]));
  const { findImage, findFile } = localFiles(snapshot, options.documents);
  const archiveOf = ({ kind, id }: LinkedPage, language: string) =>
    [language, ...languages].map((code) => archives.get(code)?.get(`${kind} ${id}`)).find(Boolean)?.path;
  const fileOf = ({ id }: LinkedPage) => {
    const { url = '' } = media.get(id) ?? {};
    const image = findImage(url, '');
    return image ? linkedImagePath(image) : findFile(url);
  };
  const resolve = createLinkResolver({
    addresses: siteAddresses(snapshot),
    articles: linked,
    pages: [
      ...readTerms(snapshot).map(({ taxonomy: kind, id, slug, link }) => ({ kind, id, slug, link })),
      ...authors.map(({ id, slug, link }) => ({ kind: 'author' as const, id, slug, link })),
      ...[...media.values()].map(({ id, slug, link }) => ({ kind: 'media' as const, id, slug, link })),
    ],
    pathOf: (page, language) => (page.kind === 'media' ? fileOf(page) : archiveOf(page, language)),
    hasSearch: options.pages.search,
    hasMonth: (month, language) => {
      if (listed.length === 0) return false;
      months ??= new Set(listed.map((post) => `${post.language} ${toMonth(new Date(post.record.published))}`));
      return months.has(`${language} ${month}`);
    },
  });
  const redirects = snapshot.redirects();
  /** By the path that the page would have. */
  const redirected = new Map<string, RedirectedPage>();
  const withPage = <T extends SiteEntry<{ id: number }>>(
    kind: string,
    placed: readonly T[],
    idOf: (article: T) => number,
  ) =>
    placed.filter((article) => {
      const { path, language } = article;
      const target = redirects.get(`${kind}/${idOf(article)}`);
      // A redirect to itself is ignored.
      if (target === undefined || resolve(target, language) === path) return true;
      redirected.set(path, { target, language });
      return false;
    });
  const posts = withPage('post', all.posts, ({ record }) => record.id);
  const pages = withPage('page', all.pages, ({ record }) => record.id);
  const episodes = withPage('episode', all.episodes, ({ record }) => record.page);
  const authorsById = new Map(authors.map((author) => [author.id, author]));
  const isShown = (term: TermRecord) => !isMarkerTerm(term, options.publishing);
  for (const language of languages) {
    const found = new Map<string, Archive>();
    const add = (kind: Archive['kind'], record: { id: number; slug: string }): void => {
      const path = archivePath(language, kind, addressSlug(record));
      found.set(`${kind} ${record.id}`, { kind, id: record.id, path });
    };
    for (const { record } of posts.filter((post) => post.language === language)) {
      for (const term of terms.termsOf([...record.categories, ...record.tags]).filter(isShown))
        add(term.taxonomy, term);
      const author = authorsById.get(record.author);
      if (author?.name) add('author', author);
    }
    archives.set(language, found);
  }
  listed = posts;
  const articles: SiteEntry<ArticleRecord>[] = [...posts, ...pages, ...episodes.map(toEpisodeArticle)];
  const { tagPrefix, slugs } = options.publishing.translations;
  return {
    /** Includes articles with a redirect, which have no page. */
    all,
    /** Warnings about skipped pages. */
    leftOut,
    posts,
    pages,
    episodes,
    terms,
    archives,
    redirected,
    translations: {
      posts: groupByTag(posts, terms, tagPrefix),
      pages: groupPages(pages, slugs),
      episodes: groupByTag(episodes, terms, tagPrefix),
    },
    context: {
      snapshot,
      documents: options.documents,
      authors: authorsById,
      media,
      /** By path. */
      articles: new Map(articles.map((article) => [article.path, article])),
      resolveLink: withRedirects(resolve, redirected),
    },
  };
});

/** Id at the publishing site -> language -> path of the translation, including the article itself. */
type Translations = ReadonlyMap<number, Record<string, string>>;

/** Posts or episodes that share a tag with the prefix are translations of each other. */
function groupByTag<T extends { id: number; tags: number[] }>(
  posts: readonly SiteEntry<T>[],
  terms: TermIndex,
  tagPrefix: string | undefined,
): Translations {
  return group(posts, ({ record }) =>
    tagPrefix === undefined ? undefined : terms.tagSlugs(record).find((slug) => slug.startsWith(tagPrefix)),
  );
}

/** Groups pages whose slugs, with or without language prefix, are in the same group of the options. */
function groupPages(pages: readonly SiteEntry<PageRecord>[], slugGroups: readonly (readonly string[])[]): Translations {
  return group(pages, ({ record, slug }) => {
    const index = slugGroups.findIndex((slugs) => slugs.includes(record.slug) || slugs.includes(slug));
    return index < 0 ? undefined : String(index);
  });
}

function group<T extends { id: number }>(
  articles: readonly SiteEntry<T>[],
  keyOf: (article: SiteEntry<T>) => string | undefined,
): Translations {
  const groups = new Map<string, Record<string, string>>();
  for (const article of articles) {
    const key = keyOf(article);
    if (key === undefined) continue;
    const paths = groups.get(key) ?? {};
    paths[article.language] ??= article.path;
    groups.set(key, paths);
  }
  return new Map(
    articles.map((article) => {
      const shared = groups.get(keyOf(article) ?? '');
      // A second article in the same language is not a translation, because no link would point to it.
      const paths = shared?.[article.language] === article.path ? shared : { [article.language]: article.path };
      return [article.record.id, paths];
    }),
  );
}

/** Pages of the publishing site by language, in their order. */
export function* projectPages(source: LoaderSource): Generator<ProjectedEntry> {
  const { pages, leftOut, translations, context } = readArticles(source);
  for (const message of leftOut) source.warn(message);
  for (const page of pages) {
    yield {
      id: page.entryId,
      data: {
        ...articleData(page, context),
        translations: translations.pages.get(page.record.id),
        slugPath: page.slugPath,
        ancestors: page.ancestors,
        order: page.record.menuOrder,
      },
      ...articleText(page, context),
    };
  }
}

/** Posts by language. Terms that only mark a language or a translation are hidden. */
export function* projectPosts(source: LoaderSource): Generator<ProjectedEntry> {
  const { posts, terms, translations, context } = readArticles(source);
  const visibleTerms = (ids: readonly number[]) => publicTerms(terms.termsOf(ids), source.options.publishing);
  for (const post of posts) {
    const data = {
      ...articleData(post, context),
      translations: translations.posts.get(post.record.id),
      slug: post.slug,
      hasLead: post.record.excerpt !== '',
      sticky: post.record.sticky,
      categories: visibleTerms(post.record.categories),
      tags: visibleTerms(post.record.tags),
    };
    const derive = (html: string) => ({ mentions: findMentions(html) });
    yield { id: post.entryId, data, ...articleText(post, context), derive };
  }
}

/** Home page of a language, which is never an article. */
const HOME_PAGE = /^\/[^/]*\/?$/;
const PRODUCT_PAGE = /^\/([^/]+)\/p\/(?:.*-)?(\d{13})\/$/;

/**
 * Returns the last modification date of each page by its path, ISO, for sitemaps. Lists have the date of the snapshot,
 * because anything may have changed them. Undefined before the first sync. Articles are read on first use.
 */
export function contentDates(
  snapshot: SnapshotReader,
  options: Options,
  productIndex: Pick<ProductIndex, 'changedAt'>,
): (pathname: string) => string | undefined {
  let articles: Map<string, string> | undefined;
  const newest = snapshot.takenAt();
  return (pathname) => {
    const path = stripSitePath(pathname);
    const [, language, gtin] = PRODUCT_PAGE.exec(path) ?? [];
    if (language !== undefined && gtin !== undefined) return productIndex.changedAt(language, gtin) ?? newest;
    if (HOME_PAGE.test(path)) return newest;
    articles ??= articleDates(snapshot, options);
    return articles.get(pathname) ?? newest;
  };
}

function articleDates(snapshot: SnapshotReader, options: Options): Map<string, string> {
  const languages = languageCodes(snapshot, options);
  const { posts, pages, episodes } = readArticles({ snapshot, options, languages });
  return new Map([
    ...[...posts, ...pages].map(({ path, record }) => [path, record.modified] as const),
    ...episodes.map(({ path, record }) => [path, record.modified ?? record.published] as const),
  ]);
}

type ArticleContext = Articles['context'];

/** Entry fields that posts and pages share, without translations and text. */
export function articleData({ record, language, slug, path }: SiteEntry<ArticleRecord>, context: ArticleContext) {
  const author = context.authors.get(record.author);
  return {
    sourceId: record.id,
    language,
    title: titleOf({ record, slug }),
    excerpt: excerptIn({ record, language }),
    published: record.published,
    modified: record.modified,
    author: author?.name,
    authorSlug: author && addressSlug(author),
    featured: featuredOf({ record, language }, context),
    path,
    draft: record.draft,
  };
}

/** HTML of an article for its entry, with local links, images and copies of files. */
export function articleText(
  { record: { html }, language }: SiteEntry<ArticleRecord>,
  context: ArticleContext,
): Required<Pick<ProjectedEntry, 'html' | 'digestInputs'>> {
  const { snapshot, documents, resolveLink, articles } = context;
  const rewriting: HtmlResolvers = {
    ...localFiles(snapshot, documents),
    resolveLink: (href) => resolveLink(href, language),
    findArticle: (path) => {
      const article = articles.get(path);
      if (!article) return undefined;
      return { title: titleOf(article), excerpt: excerptIn(article), featured: featuredOf(article, context) };
    },
  };
  return { html: () => rewriteHtml(html, rewriting), digestInputs: rewritingBasis(html, rewriting) };
}

/** Publishing sites allow posts without a title, but links to them need a text. */
function titleOf({ record, slug }: Pick<SiteEntry<ArticleRecord>, 'record' | 'slug'>): string {
  return record.title || slug;
}

/** Returns the excerpt written by an editor, or else the beginning of the text. */
function excerptIn({ record, language }: Pick<SiteEntry<ArticleRecord>, 'record' | 'language'>): string {
  return record.excerpt || createExcerpt(record.html, language);
}

function featuredOf(
  { record, language }: Pick<SiteEntry<ArticleRecord>, 'record' | 'language'>,
  { media, snapshot, documents, resolveLink }: ArticleContext,
): ImageAsset | undefined {
  const medium = record.featuredMedia === undefined ? undefined : media.get(record.featuredMedia);
  if (!medium) return undefined;
  const caption = rewriteHtml(medium.caption, {
    ...localFiles(snapshot, documents),
    // Pages don't expect images in captions.
    findImage: () => undefined,
    resolveLink: (href) => resolveLink(href, language),
    findArticle: () => undefined,
  });
  return toImageAsset(snapshot, medium.url, { alt: medium.alt, caption });
}
