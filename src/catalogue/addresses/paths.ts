// Scripts of pages build links too: not by way of the index, which brings all schemas along.
import { toGtin14 } from '#contracts/gtin.ts';
import { sitePath } from './base.ts';

/**
 * Every address of the site as a path of its host, below the folder that the site lies in, and with the slash at the
 * end that `trailingSlash: 'always'` asks for. Pages, loaders and feeds build their links here and nowhere else.
 */

/** First segments below a language that belong to the site, so that no page of a publishing site can take them. */
export const RESERVED_SEGMENTS: readonly string[] = [
  'products',
  'p',
  'norms',
  'downloads',
  'data',
  'journal',
  'podcast',
  'search',
  'rss.xml',
  'atom.xml',
];

/** The local page that opens the home page and has no address of its own: `content/pages/<language>/home.mdx`. */
export const WELCOME_SLUG = 'home';

/** Chooses the language. */
export function rootPath(): string {
  return sitePath('/');
}

export function homePath(language: string): string {
  return sitePath(`/${language}/`);
}

export function productsPath(language: string): string {
  return sitePath(`/${language}/products/`);
}

export function familyPath(language: string, family: string): string {
  return sitePath(`/${language}/products/${family}/`);
}

/** Where the quantity needed of a family's products is calculated. */
export function calculatorPath(language: string, family: string): string {
  return `${familyPath(language, family)}calculator/`;
}

/** What that page calculates with. */
export function calculatorDataPath(language: string, family: string): string {
  return `${familyPath(language, family)}calculator.json`;
}

/** @param facet What is chosen by, and which of its values: ids that are the same in every language. */
export function facetPath(language: string, family: string, facet: { facet: string; option: string }): string {
  return `${familyPath(language, family)}${facet.facet}/${facet.option}/`;
}

export function filterPath(language: string, family: string): string {
  return `${familyPath(language, family)}filter/`;
}

export function comparePath(language: string, family: string): string {
  return `${familyPath(language, family)}compare/`;
}

/** What the filter and the comparison read. */
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

/** All that a family declares under a norm. */
export function familyNormPath(language: string, family: string, norm: string): string {
  return `${familyPath(language, family)}norms/${norm}/`;
}

export function downloadsPath(language: string): string {
  return sitePath(`/${language}/downloads/`);
}

/** All documents of a family. */
export function familyDownloadsPath(language: string, family: string): string {
  return `${familyPath(language, family)}downloads/`;
}

/** A list of all documents. */
export function documentsCsvPath(language: string): string {
  return `${downloadsPath(language)}documents.csv`;
}

/** The documents of what is no longer offered. */
export function discontinuedPath(language: string): string {
  return `${downloadsPath(language)}discontinued/`;
}

export function searchPath(language: string): string {
  return sitePath(`/${language}/search/`);
}

/**
 * A table of all products.
 * @param list `names`, `item-numbers` or `gtins`.
 * @param section The letter of the A-Z list; empty in the others.
 */
export function directoryPath(language: string, list: string, section: string): string {
  return sitePath(`/${language}/search/${list}/${section === '' ? '' : `${section}/`}`);
}

/** What shops can fetch, and what it says. */
export function dataPath(language: string): string {
  return sitePath(`/${language}/data/`);
}

export function journalPath(language: string): string {
  return sitePath(`/${language}/journal/`);
}

export function postPath(language: string, slug: string): string {
  return sitePath(`/${language}/journal/${slug}/`);
}

/** What the posts of an archive have in common; the segment below the journal's address. */
export const ARCHIVE_KINDS = ['category', 'tag', 'author', 'month'] as const;
export type ArchiveKind = (typeof ARCHIVE_KINDS)[number];

/** @param id Slug of the term or author, or `2026-11`. */
export function archivePath(language: string, kind: ArchiveKind, id: string): string {
  return `${journalPath(language)}${kind}/${id}/`;
}

export function categoryFeedPath(language: string, id: string): string {
  return `${archivePath(language, 'category', id)}rss.xml`;
}

/** The show in a language: what it is about, and all its episodes. */
export function podcastPath(language: string): string {
  return sitePath(`/${language}/podcast/`);
}

export function podcastFeedPath(language: string): string {
  return `${podcastPath(language)}feed.xml`;
}

export function episodePath(language: string, slug: string): string {
  return `${podcastPath(language)}${slug}/`;
}

/** The player alone, for pages of others. */
export function episodeEmbedPath(language: string, slug: string): string {
  return `${episodePath(language, slug)}embed/`;
}

/** How the player is shown in pages of others (https://oembed.com). */
export function episodeOembedPath(language: string, slug: string): string {
  return `${episodePath(language, slug)}oembed.json`;
}

/** Chapters as Podcasting 2.0 JSON. */
export function episodeChaptersPath(language: string, slug: string): string {
  return `${episodePath(language, slug)}chapters.json`;
}

/** The files in which a transcript is served. */
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

/** Where a GS1 Digital Link leads: the choice of a language for a product, for those who scan its code. */
export function digitalLinkPath(gtin: string): string {
  return sitePath(`/01/${toGtin14(gtin)}/`);
}

/** Keys below a GTIN in a GS1 Digital Link: variant, lot, serial number, and one that a third party controls. */
export const DIGITAL_LINK_QUALIFIERS = ['22', '10', '21', '235'] as const;

/** The same for machines: all that there is of a product, as a linkset (RFC 9264). */
export function linksetPath(gtin: string): string {
  return `${digitalLinkPath(gtin)}linkset.json`;
}

/** True when a page at this path would stand where the site has pages of its own. */
export function isReservedPath(slugPath: string): boolean {
  return RESERVED_SEGMENTS.includes(slugPath.split('/')[0] ?? '');
}
