import { hash } from 'node:crypto';
import type { PageHead } from './read-head.ts';

/** Search engines take 50,000 addresses; small files are quickly written anew when one page changes. */
const ADDRESSES_PER_SITEMAP = 1000;
const PLACES = 2 ** 32;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/**
 * The entry of a page: the alternates that it names itself, and the date of its content. Empty for what search engines
 * should leave out: pages that say so, and those that stand for another one.
 * @param lastmod When its content last changed, ISO.
 */
export function sitemapEntry(url: string, head: PageHead, lastmod: string | undefined): string {
  if (head.noindex || (head.canonical !== undefined && head.canonical !== url)) return '';
  const alternates = head.alternates.length > 1 ? head.alternates : [];
  const links = alternates.map(
    ({ lang, url: href }) => `<xhtml:link rel="alternate" hreflang="${escape(lang)}" href="${escape(href)}"/>`,
  );
  const date = lastmod === undefined ? '' : `<lastmod>${escape(lastmod)}</lastmod>`;
  return `<url><loc>${escape(url)}</loc>${date}${links.join('')}</url>`;
}

/** The address of a page in the sitemap, by its file; undefined for files that are none, such as `404.html`. */
export function sitemapAddress(file: string, siteUrl: string): string | undefined {
  return /(^|\/)index\.html$/.test(file) ? new URL(`/${file.slice(0, -'index.html'.length)}`, siteUrl).href : undefined;
}

/** Where a page stands among all: the same place whatever pages there are, so that a change moves no other. */
export function sitemapPlace(file: string): number {
  return hash('md5', file, 'buffer').readUInt32BE();
}

/** The sitemaps that so many pages need: their names, and the places that each of them holds. */
export function sitemapRanges(pages: number): { name: string; from: number; to: number }[] {
  const count = 2 ** Math.max(0, Math.ceil(Math.log2(pages / ADDRESSES_PER_SITEMAP)));
  const size = PLACES / count;
  return Array.from({ length: count }, (_, i) => ({ name: `sitemap-${i}.xml`, from: i * size, to: (i + 1) * size }));
}

/** The ranges that files are in. */
export function rangesOf<T extends { from: number; to: number }>(ranges: readonly T[], files: readonly string[]): T[] {
  const places = files.map(sitemapPlace);
  return ranges.filter(({ from, to }) => places.some((place) => place >= from && place < to));
}

export function sitemapXml(entries: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">${entries.join('')}</urlset>
`;
}

export const SITEMAP_INDEX = 'sitemap-index.xml';

export function sitemapIndexXml(names: readonly string[], siteUrl: string): string {
  const maps = names.map((name) => `<sitemap><loc>${escape(new URL(name, siteUrl).href)}</loc></sitemap>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${maps.join('')}</sitemapindex>
`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}
