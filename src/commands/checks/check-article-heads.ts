import { MAX_SHOWN_DESCRIPTION_LENGTH, MAX_TITLE_WIDTH_PX } from '#analysis/checks/content-checks.ts';
import { titleWidthPx } from '#analysis/text/pixel-width.ts';
import { sitePath } from '#catalogue/addresses/site-paths.ts';
import { headTexts, localizeTemplates, type SiteTexts, productTexts } from '#catalogue/seo/head.ts';
import type { Settings } from '#config/index.ts';
import { tokenizeHtml } from '#contracts/html/html-text.ts';
import type { PageKind } from '#contracts/seo/templates.ts';
import { pageEntry, postEntry, type ImageAsset, episodeEntry, SITE_PREFIX } from '#catalogue/entries/entries.ts';
import { languageCodes, entryData } from '#catalogue/read-model/with-snapshot.ts';
import { findImage } from '#catalogue/read-model/project-products.ts';
import { projectHeads, listPagesWithHeads } from '#catalogue/read-model/project-heads.ts';
import { projectPages, projectPosts } from '#catalogue/read-model/articles.ts';
import { projectEpisodes } from '#catalogue/read-model/project-podcast.ts';
import type { SnapshotReader, StoredProduct } from '#snapshot/index.ts';
import { ADDRESS_SETTING, isHiddenFromSearch, hasForeignCanonical, SEARCH_SETTING } from '#contracts/synced/index.ts';
import { analyseText } from '#analysis/analyse-text.ts';
import { productSlug } from '#catalogue/addresses/slugs.ts';
import { pickLocalized } from '#contracts/localized.ts';
import { product as productContract, type ProductRecord } from '#contracts/product/index.ts';
import { SCORE_BOUNDS } from '#contracts/seo/scores.ts';
import { readOverlays } from '#catalogue/read-model/read-overlays.ts';
import { createProductOverlays } from '#generated/overlays.ts';

/** Problems with the heads of posts, pages, episodes and archives in search results. */
export interface ArticleHeadProblems {
  /** Number of checked pages. */
  pages: number;
  /** Paths and details by problem. */
  found: Readonly<Record<ArticleHeadProblem, { path: string; detail: string }[]>>;
}

export type ArticleHeadProblem = 'undescribed' | 'sameTitle' | 'overlong' | 'orphan' | 'smallPicture';

export const ARTICLE_HEAD_ADVICE: Readonly<
  Record<ArticleHeadProblem, { check: string; problem: string; advice: string }>
> = {
  undescribed: {
    check: 'Page descriptions',
    problem: 'no description for search results',
    advice: 'Write a description for search results, or an excerpt, at the publishing site.',
  },
  sameTitle: {
    check: 'Page titles',
    problem: 'same title as another page in its language',
    advice: 'Give each page a unique title at the publishing site.',
  },
  overlong: {
    check: 'Page texts',
    problem: 'longer than search results show',
    advice: 'Shorten the title or description at the publishing site.',
  },
  orphan: {
    check: 'Orphaned pages',
    problem: 'no link from any text of the site',
    advice: 'Link it from a text on the same subject.',
  },
  smallPicture: {
    check: 'Shared images',
    problem: 'image too small for shared links',
    advice: 'Choose an image of at least 1200 × 630 px.',
  },
};

/** Recommended minimum for shared images. */
const SHARED_PICTURE = { width: 1200, height: 630 };

interface Article {
  kind: PageKind;
  path: string;
  language: string;
  title: string;
  description: string;
  html: string;
  picture: Pick<ImageAsset, 'width' | 'height'> | undefined;
  /** True if other pages link to it automatically. */
  isListed: boolean;
}

export function checkArticleHeads(
  { options }: Pick<Settings, 'options'>,
  snapshot: SnapshotReader,
): ArticleHeadProblems {
  const source = createSource(options, snapshot);
  const { languages } = source;
  const heads = new Map([...projectHeads(source)].map(({ id, data }) => [id, data]));
  const stored = new Map([...snapshot.records('head')].map((head) => [head.id, head]));
  const originals = new Map(
    listPagesWithHeads(source).map(({ id, path }) => [path, stored.get(id)?.openGraph.images[0]]),
  );
  // If a setting hides all pages, no page is hidden on purpose.
  const hiddenBySetting = new Set(
    findHiddenLanguages({ options }, snapshot).map(({ language, cause }) => `${cause} ${language}`),
  );
  const articles = articlesOf(source);
  const linkedTo = new Set(articles.flatMap(({ path, html }) => linksIn(html).filter((target) => target !== path)));
  const sites = new Map(languages.map((language) => [language, siteTexts(options, language)]));
  const found: ArticleHeadProblems['found'] = {
    undescribed: [],
    sameTitle: [],
    overlong: [],
    orphan: [],
    smallPicture: [],
  };
  const titles: PageTitle[] = [];
  let pages = 0;
  for (const article of articles) {
    const { path, language, picture } = article;
    const head = heads.get(path);
    const site = sites.get(language);
    const isHidden = head?.robots.includes('noindex') && !hiddenBySetting.has(`noindex ${language}`);
    const isCopy = Boolean(head?.canonical) && !hiddenBySetting.has(`canonical ${language}`);
    if (!site || isHidden || isCopy) continue;
    pages += 1;
    const texts = headTexts(article, site);
    const title = head?.title || texts.title;
    const description = head?.description || texts.description || '';
    titles.push({ title, language, label: path });
    if (description === '') found.undescribed.push({ path, detail: title });
    // Excerpts of the text may be truncated.
    for (const detail of describeOverlong(title, head?.description ?? '')) found.overlong.push({ path, detail });
    if (!article.isListed && !linkedTo.has(path)) found.orphan.push({ path, detail: title });
    const shown = head?.openGraph.images[0];
    const original = shown && findImage(snapshot, originals.get(path)?.url ?? '', '');
    const { width: imageWidth = 0, height: imageHeight = 0 } = original ?? shown ?? picture ?? {};
    const isSmall = imageWidth < SHARED_PICTURE.width || imageHeight < SHARED_PICTURE.height;
    if (imageWidth > 0 && isSmall) found.smallPicture.push({ path, detail: `${imageWidth} × ${imageHeight} px` });
  }
  for (const { label, title } of groupSameTitles(titles).flat()) found.sameTitle.push({ path: label, detail: title });
  return { pages, found };
}

interface PageTitle {
  title: string;
  language: string;
  /** Path or product. */
  label: string;
}

/** Groups pages with the same title in the same language. */
function groupSameTitles(pages: readonly PageTitle[]): PageTitle[][] {
  const byTitle = Map.groupBy(pages, ({ language, title }) => `${language} ${title}`);
  return [...byTitle.values()].filter((group) => group.length > 1);
}

function describeOverlong(title: string, description: string): string[] {
  const width = titleWidthPx(title);
  const { length } = description;
  return [
    ...(width > MAX_TITLE_WIDTH_PX ? [`title of ${width} px, ${MAX_TITLE_WIDTH_PX} are shown`] : []),
    ...(length > MAX_SHOWN_DESCRIPTION_LENGTH
      ? [`description of ${length} characters, ${MAX_SHOWN_DESCRIPTION_LENGTH} are shown`]
      : []),
  ];
}

const createSource = (options: Settings['options'], snapshot: SnapshotReader) => {
  return { snapshot, options, languages: languageCodes(snapshot, options), warn: () => undefined };
};

function articlesOf(source: ReturnType<typeof createSource>): Article[] {
  const searched = { posts: postEntry.omit({ mentions: true }), episodes: episodeEntry.omit({ mentions: true }) };
  return [
    ...[...projectPosts(source)].map((entry): Article => {
      const { path, language, title, excerpt, html, featured } = searched.posts.parse(entryData(entry));
      return { kind: 'article', path, language, title, description: excerpt, html, picture: featured, isListed: false };
    }),
    ...[...projectPages(source)].map((entry): Article => {
      const { path, language, title, excerpt, html, featured, ancestors } = pageEntry.parse(entryData(entry));
      // A child page is part of its branch's navigation.
      const isListed = ancestors.length > 0;
      return { kind: 'page', path, language, title, description: excerpt, html, picture: featured, isListed };
    }),
    ...[...projectEpisodes(source)].map((entry): Article => {
      const { path, language, title, summary, subtitle, html, cover } = searched.episodes.parse(entryData(entry));
      const description = summary || subtitle;
      return { kind: 'episode', path, language, title, description, html, picture: cover, isListed: true };
    }),
  ];
}

function linksIn(html: string): string[] {
  const root = sitePath('/');
  return [...tokenizeHtml(html)].flatMap((piece) => {
    const href = piece.kind === 'open' && piece.name === 'a' ? piece.attributes.get('href') : undefined;
    return href?.startsWith(root) ? [href.split(/[?#]/, 1)[0] ?? ''] : [];
  });
}

/** A language whose publishing pages are mostly hidden from search engines. */
interface HiddenLanguage {
  language: string;
  /** `noindex`, or a canonical URL on another host. */
  cause: 'noindex' | 'canonical';
  hidden: number;
  pages: number;
  isHomeHidden: boolean;
  /** Continues the sentence "Pages in <language> …". */
  problem: string;
  advice: string;
}

const CAUSES = {
  noindex: { problem: 'are kept from search engines (noindex)', advice: SEARCH_SETTING },
  canonical: { problem: 'name another host as their address (canonical)', advice: ADDRESS_SETTING },
} as const;

/** Up to this many hidden pages may be an editor's choice. */
const MAX_BY_EDITOR = 3;

/** Finds languages in which the home page, or most pages of the publishing site, are hidden from search engines. */
export function findHiddenLanguages(
  { options }: Pick<Settings, 'options'>,
  snapshot: SnapshotReader,
): HiddenLanguage[] {
  const host = URL.parse(snapshot.site()?.url ?? '')?.host ?? '';
  const isVisible = [...snapshot.records('head')].every(
    (head) => !isHiddenFromSearch(head) && !hasForeignCanonical(head, [host]),
  );
  // Skips the costly listing of all pages.
  if (isVisible) return [];
  const source = createSource(options, snapshot);
  const heads = new Map([...projectHeads(source)].map(({ id, data }) => [id, data]));
  const isHidden = {
    noindex: (path: string) => isHiddenFromSearch({ robots: heads.get(path)?.robots ?? [] }),
    canonical: (path: string) => {
      const canonical = heads.get(path)?.canonical ?? '';
      return canonical !== '' && !canonical.startsWith(SITE_PREFIX);
    },
  };
  const byLanguage = Map.groupBy(listPagesWithHeads(source), ({ language }) => language);
  return [...byLanguage].flatMap(([language, found]) =>
    (['noindex', 'canonical'] as const).flatMap((cause): HiddenLanguage[] => {
      const hidden = found.filter(({ path }) => isHidden[cause](path));
      const isHomeHidden = hidden.some(({ id }) => id === 'home/0');
      const areMost = hidden.length > MAX_BY_EDITOR && hidden.length * 2 > found.length;
      if (!isHomeHidden && !areMost) return [];
      const counts = { hidden: hidden.length, pages: found.length };
      return [{ language, cause, ...counts, isHomeHidden, ...CAUSES[cause] }];
    }),
  );
}

/** Counts the hidden pages as the subject of a sentence: `118 of 120 pages (the home page too)`. */
export function formatHiddenCount({ hidden, pages, isHomeHidden }: HiddenLanguage): string {
  return `${hidden} of ${pages} pages${isHomeHidden ? ' (the home page too)' : ''}`;
}

/** Returns the languages of the publishing site's pages by the IDs of their heads. */
export function pageLanguages(
  { options }: Pick<Settings, 'options'>,
  snapshot: SnapshotReader,
): ReadonlyMap<string, readonly string[]> {
  const source = createSource(options, snapshot);
  const byId = Map.groupBy(listPagesWithHeads(source), ({ id }) => id);
  return new Map([...byId].map(([id, found]) => [id, found.map(({ language }) => language)]));
}

/** Problems with the heads of product pages in search results, as formatted lines. */
export interface ProductHeadProblems {
  /** Number of checked pages. */
  pages: number;
  /** Products without text for a description. */
  undescribed: string[];
  /** Pages of a language with the same title. */
  sameTitles: string[];
  /** Titles and descriptions that search results truncate. */
  overlong: string[];
  /** Products with a keyphrase and a bad score, with advice. */
  badScores: string[];
}

/** Checks every product in each of its languages. Analyses only those with a keyphrase. */
export function checkProductHeads(
  { root, siteUrl, options }: Pick<Settings, 'root' | 'siteUrl' | 'options'>,
  snapshot: Pick<SnapshotReader, 'products' | 'families' | 'languages'>,
): ProductHeadProblems {
  const { additions, isHidden } = createProductOverlays(() => readOverlays(root));
  const languages = new Set(languageCodes(snapshot, options));
  const families = new Map(snapshot.families().map(({ id, names }) => [id, names]));
  const sites = new Map([...languages].map((language) => [language, siteTexts(options, language)]));
  const titles: PageTitle[] = [];
  const found: ProductHeadProblems = { pages: 0, undescribed: [], sameTitles: [], overlong: [], badScores: [] };
  for (const stored of snapshot.products()) {
    const { gtin, language, record } = stored;
    const site = sites.get(language);
    const isFallback = record.language !== language;
    if (!site || isFallback || isHidden(language, gtin)) continue;
    found.pages += 1;
    const { seo } = additions(language, gtin);
    const names = families.get(stored.family ?? '');
    const family = names && pickLocalized(names, language, options.mainLanguage);
    const texts = productTexts(productContract.parse(record), { seo, maker: options.maker.name, family });
    const { title, description = '' } = headTexts(texts, site);
    const label = `${gtin} ${language} "${record.name}"`;
    titles.push({ title, language, label });
    // The text that follows a template's own text may be truncated.
    const ownDescription = seo?.description ?? site.templates.product?.description;
    const shown = ownDescription === undefined ? (texts.description ?? '') : description;
    if (shown === '') found.undescribed.push(label);
    found.overlong.push(...describeOverlong(title, shown).map((detail) => `${label}: ${detail}`));
    if (seo?.keyphrase === undefined) continue;
    const address = `${siteUrl}/`;
    const bad = analyse(stored, { title, description, keyphrase: seo.keyphrase, address });
    if (bad) found.badScores.push(`${label}: ${bad}`);
  }
  found.sameTitles.push(...groupSameTitles(titles).map((group) => group.map(({ label }) => label).join(', ')));
  return found;
}

function siteTexts({ site, seo }: Settings['options'], language: string): SiteTexts {
  return {
    name: site.name,
    lang: language,
    description: site.description[language],
    separator: seo.separator,
    templates: localizeTemplates(language, seo.templates),
    page: String,
  };
}

const TEXTS = ['application', 'advantages', 'substrate', 'limiting_factors'] as const satisfies (keyof ProductRecord)[];

/** @returns The score with advice; undefined if it is good. */
function analyse(
  { gtin, language, record }: StoredProduct,
  head: { title: string; description: string; keyphrase: string; address: string },
): string | undefined {
  const { name, intro, item_number } = record;
  const { seo, results } = analyseText({
    ...head,
    kind: 'product',
    language,
    adviceLanguage: 'en',
    slug: productSlug(name, gtin),
    html: [`<p>${intro ?? ''}</p>`, ...TEXTS.map((field) => record[field] ?? '')].join('\n'),
    images: record.image ? [{ alt: name }] : [],
    gtin,
    sku: item_number ?? '',
  });
  if (seo >= SCORE_BOUNDS.good[0]) return undefined;
  const advice = results
    .filter(({ area, rating }) => area === 'seo' && rating === 'bad')
    .map((result) => result.advice);
  return [`score ${seo} of 100 for "${head.keyphrase}"`, ...advice].join('; ');
}
