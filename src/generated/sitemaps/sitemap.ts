import { sitePath } from '#catalogue/addresses/base.ts';
import { escapeXml } from '#contracts/html/index.ts';
import { hashParts, hashBucket, partsOf, type HashPart } from '#files/hash-parts.ts';
import type { ScannedHead } from '../scan/read-head.ts';

/** Up to so many, one file holds all. Search engines take 50,000. */
const FEW_ADDRESSES = 1000;
/** Where there are more: one file is rewritten for each page that changes. An index names up to 50,000 of them. */
const ADDRESSES_PER_SITEMAP = 250;

/**
 * The entry of a page: the alternates and pictures that it names itself, and the date of its content. Empty for what search engines
 * should leave out: pages that say so, and those that stand for another one.
 * @param lastmod When its content last changed, ISO.
 */
export function sitemapEntry(url: string, head: ScannedHead, lastmod: string | undefined): string {
  if (head.noindex || (head.canonical !== undefined && head.canonical !== url)) return '';
  const alternates = head.alternates.length > 1 ? head.alternates : [];
  const links = alternates.map(
    ({ lang, url: href }) => `<xhtml:link rel="alternate" hreflang="${escape(lang)}" href="${escape(href)}"/>`,
  );
  const date = lastmod === undefined ? '' : `<lastmod>${escape(lastmod)}</lastmod>`;
  const images = head.images.map((image) => `<image:image><image:loc>${escape(image)}</image:loc></image:image>`);
  return `<url><loc>${escape(url)}</loc>${date}${links.join('')}${images.join('')}</url>`;
}

/** The address of a page in the sitemap, by its file; undefined for files that are none, such as `404.html`. */
export function sitemapAddress(file: string, siteUrl: string): string | undefined {
  return /(^|\/)index\.html$/.test(file)
    ? new URL(sitePath(`/${file.slice(0, -'index.html'.length)}`), siteUrl).href
    : undefined;
}

/** Where a page stands among all. */
export const sitemapBucket = hashBucket;

/** The sitemaps that so many pages need: their names, and the places that each of them holds. */
export function sitemapRanges(pages: number): (HashPart & { name: string })[] {
  const perSitemap = pages <= FEW_ADDRESSES ? FEW_ADDRESSES : ADDRESSES_PER_SITEMAP;
  return hashParts(pages, perSitemap).map((part, i) => ({ name: `sitemap-${i}.xml`, ...part }));
}

/** The ranges that files are in. */
export function rangesOf<T extends HashPart>(ranges: readonly T[], files: readonly string[]): T[] {
  return partsOf(ranges, files.map(sitemapBucket));
}

const HEAD = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">`);
const TAIL = Buffer.from('</urlset>\n');

/** @param entries One after the other. */
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

/** Sitemaps want apostrophes escaped too. */
function escape(text: string): string {
  return escapeXml(text).replaceAll("'", '&apos;');
}
