// Browser scripts import this module. Don't import the index of `#contracts`, which loads all schemas.
import { toGtin14 } from '#contracts/gtin.ts';
import { sitePath } from './site-paths.ts';

/**
 * Paths of all pages and files of the site, with the base path and the trailing slash that `trailingSlash: 'always'`
 * requires. Pages, loaders and feeds take their links from here.
 */

/** First path segments below a language that are reserved for the site and unavailable to imported pages. */
export const RESERVED_SEGMENTS: readonly string[] = [
  'products',
  'p',
  'norms',
  'downloads',
  'data',
  'journal',
  'podcast',
  'search',
  'list',
  '404',
  'rss.xml',
  'atom.xml',
];

/** Slug of the local page at the top of the home page, `content/pages/<language>/home.mdx`. It has no URL. */
export const WELCOME_SLUG = 'home';

/** Path of the language chooser. */
export function rootPath(): string {
  return sitePath('/');
}

export function homePath(language: string): string {
  return sitePath(`/${language}/`);
}

/** Path of the page that hosts show for missing pages below a language. */
export function missingPath(language: string): string {
  return sitePath(`/${language}/404/`);
}

export function productsPath(language: string): string {
  return sitePath(`/${language}/products/`);
}

export function familyPath(language: string, family: string): string {
  return sitePath(`/${language}/products/${family}/`);
}

export function calculatorPath(language: string, family: string): string {
  return `${familyPath(language, family)}calculator/`;
}

export function calculatorDataPath(language: string, family: string): string {
  return `${familyPath(language, family)}calculator.json`;
}

/** @param facet IDs of the facet and its option, which are the same in every language. */
export function facetPath(language: string, family: string, facet: { facet: string; option: string }): string {
  return `${familyPath(language, family)}${facet.facet}/${facet.option}/`;
}

export function comparePath(language: string, family: string): string {
  return `${familyPath(language, family)}compare/`;
}

/** Path of the table that the list of all products loads to filter. */
export function catalogueTablePath(language: string): string {
  return `${productsPath(language)}facets.json`;
}

/** Path of the table that the list of a family and the comparison load. */
export function familyTablePath(language: string, family: string): string {
  return `${familyPath(language, family)}facets.json`;
}

/** @param slug `productSlug(name, gtin)` in that language. */
export function productPath(language: string, slug: string): string {
  return sitePath(`/${language}/p/${slug}/`);
}

export function normsPath(language: string): string {
  return sitePath(`/${language}/norms/`);
}

/** @param norm `normSlug`. */
export function normPath(language: string, norm: string): string {
  return `${normsPath(language)}${norm}/`;
}

/** Path of the values that a family declares under a norm. */
export function familyNormPath(language: string, family: string, norm: string): string {
  return `${familyPath(language, family)}norms/${norm}/`;
}

export function downloadsPath(language: string): string {
  return sitePath(`/${language}/downloads/`);
}

export function familyDownloadsPath(language: string, family: string): string {
  return `${familyPath(language, family)}downloads/`;
}

/** Path of a ZIP of a family's documents. Its folder has no other file, so that builds can preserve it. */
export function familyZipPath(language: string, family: string, field: string): string {
  const type = field.replaceAll('_', '-');
  return `${familyDownloadsPath(language, family)}${type}/${family}-${type}.zip`;
}

export function documentsCsvPath(language: string): string {
  return `${downloadsPath(language)}documents.csv`;
}

export function discontinuedPath(language: string): string {
  return `${downloadsPath(language)}discontinued/`;
}

export function searchPath(language: string): string {
  return sitePath(`/${language}/search/`);
}

export function shortlistPath(language: string): string {
  return sitePath(`/${language}/list/`);
}

/**
 * Path of a table of all products.
 * @param list `names`, `item-numbers` or `gtins`.
 * @param section Letter of the A-Z list. Empty for the other lists.
 */
export function directoryPath(language: string, list: string, section: string): string {
  return sitePath(`/${language}/search/${list}/${section === '' ? '' : `${section}/`}`);
}

/** Path of the page that documents the product data for shops. */
export function dataPath(language: string): string {
  return sitePath(`/${language}/data/`);
}

export function journalPath(language: string): string {
  return sitePath(`/${language}/journal/`);
}

export function postPath(language: string, slug: string): string {
  return sitePath(`/${language}/journal/${slug}/`);
}

/** Kinds of journal archives; also the path segment below the journal. */
export const ARCHIVE_KINDS = ['category', 'tag', 'author', 'month'] as const;
export type ArchiveKind = (typeof ARCHIVE_KINDS)[number];

/** @param id Slug of the term or author, or a month such as `2026-11`. */
export function archivePath(language: string, kind: ArchiveKind, id: string): string {
  return `${journalPath(language)}${kind}/${id}/`;
}

export function categoryFeedPath(language: string, id: string): string {
  return `${archivePath(language, 'category', id)}rss.xml`;
}

export function podcastPath(language: string): string {
  return sitePath(`/${language}/podcast/`);
}

export function podcastFeedPath(language: string): string {
  return `${podcastPath(language)}feed.xml`;
}

export function episodePath(language: string, slug: string): string {
  return `${podcastPath(language)}${slug}/`;
}

export function episodeEmbedPath(language: string, slug: string): string {
  return `${episodePath(language, slug)}embed/`;
}

/** Path of the oEmbed response of the player (https://oembed.com). */
export function episodeOembedPath(language: string, slug: string): string {
  return `${episodePath(language, slug)}oembed.json`;
}

/** Path of the chapters as Podcasting 2.0 JSON. */
export function episodeChaptersPath(language: string, slug: string): string {
  return `${episodePath(language, slug)}chapters.json`;
}

export const TRANSCRIPT_FILES = [
  { extension: 'vtt', format: 'webvtt' },
  { extension: 'srt', format: 'srt' },
  { extension: 'json', format: 'json_podcastindex' },
] as const;
type TranscriptExtension = (typeof TRANSCRIPT_FILES)[number]['extension'];

export function episodeTranscriptPath(language: string, slug: string, extension: TranscriptExtension): string {
  return `${episodePath(language, slug)}transcript.${extension}`;
}

/** @param slugPath Slugs from the top, `company/sustainability`. */
export function pagePath(language: string, slugPath: string): string {
  return sitePath(`/${language}/${slugPath}/`);
}

export function atomPath(language: string): string {
  return sitePath(`/${language}/atom.xml`);
}

export function feedPath(language: string): string {
  return sitePath(`/${language}/rss.xml`);
}

/** Path of the language chooser of a product, to which its GS1 Digital Link resolves. */
export function digitalLinkPath(gtin: string): string {
  return sitePath(`/01/${toGtin14(gtin)}/`);
}

/**
 * Key qualifiers of a GTIN in a GS1 Digital Link: variant, lot, serial number, third-party controlled serial number.
 */
export const DIGITAL_LINK_QUALIFIERS = ['22', '10', '21', '235'] as const;

/** Path of the linkset of a product (RFC 9264). */
export function linksetPath(gtin: string): string {
  return `${digitalLinkPath(gtin)}linkset.json`;
}

export function isReservedPath(slugPath: string): boolean {
  return RESERVED_SEGMENTS.includes(slugPath.split('/')[0] ?? '');
}

/** Returns the path of the n-th page of a list. The first page has the list's own path. */
export function numberedPath(listPath: string, number: number): string {
  return number === 1 ? listPath : `${listPath}${pageParam(number)}/`;
}

/** Returns the route parameter of the n-th page of a list, such as `page/2`. It is undefined for the first. */
export function pageParam(number: number): string | undefined {
  return number === 1 ? undefined : `page/${number}`;
}
