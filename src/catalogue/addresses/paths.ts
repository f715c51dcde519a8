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
export const rootPath = () => sitePath('/');
export const homePath = (language: string) => sitePath(`/${language}/`);
/** Path of the page that hosts show for missing pages below a language. */
export const missingPath = (language: string) => sitePath(`/${language}/404/`);

export const productsPath = (language: string) => sitePath(`/${language}/products/`);
/** Path of the table that the list of all products loads to filter. */
export const catalogueTablePath = (language: string) => `${productsPath(language)}facets.json`;
/** @param slug `productSlug(name, gtin)` in that language. */
export const productPath = (language: string, slug: string) => sitePath(`/${language}/p/${slug}/`);

export const familyPath = (language: string, family: string) => sitePath(`/${language}/products/${family}/`);
/** Path of the table that the list of a family and the comparison load. */
export const familyTablePath = (language: string, family: string) => `${familyPath(language, family)}facets.json`;
export const comparePath = (language: string, family: string) => `${familyPath(language, family)}compare/`;
export const calculatorPath = (language: string, family: string) => `${familyPath(language, family)}calculator/`;
export const calculatorDataPath = (language: string, family: string) =>
  `${familyPath(language, family)}calculator.json`;
/** @param facet IDs of the facet and its option, which are the same in every language. */
export const facetPath = (language: string, family: string, { facet, option }: { facet: string; option: string }) =>
  `${familyPath(language, family)}${facet}/${option}/`;

export const normsPath = (language: string) => sitePath(`/${language}/norms/`);
/** @param norm `normSlug`. */
export const normPath = (language: string, norm: string) => `${normsPath(language)}${norm}/`;
/** Path of the values that a family declares under a norm. */
export const familyNormPath = (language: string, family: string, norm: string) =>
  `${familyPath(language, family)}norms/${norm}/`;

export const downloadsPath = (language: string) => sitePath(`/${language}/downloads/`);
export const documentsCsvPath = (language: string) => `${downloadsPath(language)}documents.csv`;
export const discontinuedPath = (language: string) => `${downloadsPath(language)}discontinued/`;
export const familyDownloadsPath = (language: string, family: string) => `${familyPath(language, family)}downloads/`;

/** Path of a ZIP of a family's documents. Its folder has no other file, so that builds can preserve it. */
export function familyZipPath(language: string, family: string, field: string): string {
  const type = field.replaceAll('_', '-');
  return `${familyDownloadsPath(language, family)}${type}/${family}-${type}.zip`;
}

/** Path of the page that documents the product data for shops. */
export const dataPath = (language: string) => sitePath(`/${language}/data/`);
export const shortlistPath = (language: string) => sitePath(`/${language}/list/`);
export const searchPath = (language: string) => sitePath(`/${language}/search/`);

/**
 * Path of a table of all products.
 * @param list `names`, `item-numbers` or `gtins`.
 * @param section Letter of the A-Z list. Empty for the other lists.
 */
export const directoryPath = (language: string, list: string, section: string) =>
  `${searchPath(language)}${list}/${section === '' ? '' : `${section}/`}`;

/** Kinds of journal archives; also the path segment below the journal. */
export const ARCHIVE_KINDS = ['category', 'tag', 'author', 'month'] as const;
export type ArchiveKind = (typeof ARCHIVE_KINDS)[number];

export const journalPath = (language: string) => sitePath(`/${language}/journal/`);
export const postPath = (language: string, slug: string) => `${journalPath(language)}${slug}/`;
/** @param id Slug of the term or author, or a month such as `2026-11`. */
export const archivePath = (language: string, kind: ArchiveKind, id: string) =>
  `${journalPath(language)}${kind}/${id}/`;
export const categoryFeedPath = (language: string, id: string) => `${archivePath(language, 'category', id)}rss.xml`;
export const atomPath = (language: string) => sitePath(`/${language}/atom.xml`);
export const feedPath = (language: string) => sitePath(`/${language}/rss.xml`);

export const TRANSCRIPT_FILES = [
  { extension: 'vtt', format: 'webvtt' },
  { extension: 'srt', format: 'srt' },
  { extension: 'json', format: 'json_podcastindex' },
] as const;
type TranscriptExtension = (typeof TRANSCRIPT_FILES)[number]['extension'];

export const podcastPath = (language: string) => sitePath(`/${language}/podcast/`);
export const podcastFeedPath = (language: string) => `${podcastPath(language)}feed.xml`;
export const episodePath = (language: string, slug: string) => `${podcastPath(language)}${slug}/`;
export const episodeEmbedPath = (language: string, slug: string) => `${episodePath(language, slug)}embed/`;
/** Path of the oEmbed response of the player (https://oembed.com). */
export const episodeOembedPath = (language: string, slug: string) => `${episodePath(language, slug)}oembed.json`;
/** Path of the chapters as Podcasting 2.0 JSON. */
export const episodeChaptersPath = (language: string, slug: string) => `${episodePath(language, slug)}chapters.json`;
export const episodeTranscriptPath = (language: string, slug: string, extension: TranscriptExtension) =>
  `${episodePath(language, slug)}transcript.${extension}`;

/** @param slugPath Slugs from the top, `company/sustainability`. */
export const pagePath = (language: string, slugPath: string) => sitePath(`/${language}/${slugPath}/`);
export const isReservedPath = (slugPath: string) => RESERVED_SEGMENTS.includes(slugPath.split('/')[0] ?? '');

/** Path of the language chooser of a product, to which its GS1 Digital Link resolves. */
export const digitalLinkPath = (gtin: string) => sitePath(`/01/${toGtin14(gtin)}/`);
/** Path of the linkset of a product (RFC 9264). */
export const linksetPath = (gtin: string) => `${digitalLinkPath(gtin)}linkset.json`;

/**
 * Key qualifiers of a GTIN in a GS1 Digital Link: variant, lot, serial number, third-party controlled serial number.
 */
export const DIGITAL_LINK_QUALIFIERS = ['22', '10', '21', '235'] as const;

/** Returns the path of the n-th page of a list. The first page has the list's own path. */
export function numberedPath(listPath: string, number: number): string {
  return number === 1 ? listPath : `${listPath}${pageParam(number)}/`;
}

/** Returns the route parameter of the n-th page of a list, such as `page/2`. It is undefined for the first. */
export function pageParam(number: number): string | undefined {
  return number === 1 ? undefined : `page/${number}`;
}
