import { sitePath } from '#catalogue/addresses/base.ts';
import { escapeXml } from '#contracts/html/html-text.ts';
import { hashParts, hashBucket, findParts, type HashPart } from '#files/hash-parts.ts';
import type { HeadMetadata } from '../scan/read-head.ts';

/** Up to this number one sitemap is enough. Search engines accept 50,000. */
const FEW_ADDRESSES = 1000;
/** Larger sites use small sitemaps, because a changed page rewrites its sitemap. An index may list 50,000 sitemaps. */
const ADDRESSES_PER_SITEMAP = 250;

/**
 * Returns the sitemap entry of a page with its alternates, images and modification date. Empty for pages with `noindex`
 * or another canonical URL.
 * @param lastmod ISO timestamp of the last change of its content.
 */
export function sitemapEntry(url: string, head: HeadMetadata, lastmod: string | undefined): string {
  if (head.noindex || (head.canonical !== undefined && head.canonical !== url)) return '';
  const alternates = head.alternates.length > 1 ? head.alternates : [];
  const links = alternates.map(
    ({ lang, url: href }) => `<xhtml:link rel="alternate" hreflang="${escape(lang)}" href="${escape(href)}"/>`,
  );
  const date = lastmod === undefined ? '' : `<lastmod>${escape(lastmod)}</lastmod>`;
  const images = head.images.map((image) => `<image:image><image:loc>${escape(image)}</image:loc></image:image>`);
  return `<url><loc>${escape(url)}</loc>${date}${links.join('')}${images.join('')}</url>`;
}

/** Returns the URL of a page's file. Undefined for files that aren't listed, such as `404.html`. */
export function sitemapAddress(file: string, siteUrl: string): string | undefined {
  return /(^|\/)index\.html$/.test(file)
    ? new URL(sitePath(`/${file.slice(0, -'index.html'.length)}`), siteUrl).href
    : undefined;
}

/** Returns the hash bucket of a page, which determines its sitemap. */
export const sitemapBucket = hashBucket;

/** Returns the sitemaps for a number of pages, with their names and hash buckets. */
export function sitemapRanges(pages: number): (HashPart & { name: string })[] {
  const perSitemap = pages <= FEW_ADDRESSES ? FEW_ADDRESSES : ADDRESSES_PER_SITEMAP;
  return hashParts(pages, perSitemap).map((part, i) => ({ name: `sitemap-${i}.xml`, ...part }));
}

/** Returns the ranges that contain the files. */
export function rangesOf<T extends HashPart>(ranges: readonly T[], files: readonly string[]): T[] {
  return findParts(ranges, files.map(sitemapBucket));
}

const HEAD = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">`);
const TAIL = Buffer.from('</urlset>\n');

/** @param entries Concatenated entries. */
export function sitemapXml(entries: Uint8Array): Uint8Array {
  return Buffer.concat([HEAD, entries, TAIL]);
}

export const SITEMAP_INDEX = 'sitemap-index.xml';

export function sitemapIndexXml(names: readonly string[], siteUrl: string): string {
  const folder = escape(`${siteUrl}/`);
  const maps = names.map((name) => `<sitemap><loc>${folder}${name}</loc></sitemap>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${maps.join('')}</sitemapindex>
`;
}

/** Sitemaps require escaped apostrophes. */
function escape(text: string): string {
  return escapeXml(text).replaceAll("'", '&apos;');
}
