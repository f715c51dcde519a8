import { hostPath, outputPath, sitePath } from '#catalogue/addresses/site-paths.ts';
import { escapeXml } from '#contracts/html/html-text.ts';
import { hashParts, hashBucket, findParts, type HashPart } from '#files/hash-parts.ts';
import type { HeadMetadata } from '../scan/read-head.ts';
import type { Settings } from '#config/index.ts';
import { contentDates } from '#catalogue/read-model/articles.ts';
import type { ProductIndex } from '#catalogue/read-model/product-index.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import { globSync } from 'node:fs';
import path from 'node:path';
import type { PageWriter } from '#files/page-writer.ts';

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
  return /(^|\/)index\.html$/.test(file) ? new URL(pathOf(file), siteUrl).href : undefined;
}

const pathOf = (file: string): string => hostPath(`/${file.slice(0, -'index.html'.length)}`);

/** Returns the sitemaps for a number of pages, with their names and hash buckets. */
export function sitemapRanges(pages: number): (HashPart & { name: string })[] {
  const perSitemap = pages <= FEW_ADDRESSES ? FEW_ADDRESSES : ADDRESSES_PER_SITEMAP;
  return hashParts(pages, perSitemap).map((part, i) => ({ name: `sitemap-${i}.xml`, ...part }));
}

const HEAD = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">`);
const TAIL = Buffer.from('</urlset>\n');

/** @param entries Concatenated entries. */
export function sitemapXml(entries: Uint8Array): Uint8Array {
  return Buffer.concat([HEAD, entries, TAIL]);
}

export const SITEMAP_INDEX = 'sitemap-index.xml';

/** @param names Files relative to the site's folder. */
function sitemapIndexXml(names: readonly string[], siteUrl: string): string {
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

/** @returns Returns the sitemap entry of a page by its file and its head as JSON. */
export function createSitemapEntries(
  { siteUrl, options }: Settings,
  snapshot: SnapshotReader,
  productIndex: Pick<ProductIndex, 'changedAt'>,
): (file: string, head: string) => string {
  const dateOf = contentDates(snapshot, options, productIndex);
  return (file, head) => {
    const url = sitemapAddress(file, siteUrl);
    // A sitemap may only list pages of its folder.
    if (url === undefined || head === '' || !file.startsWith(outputPath(sitePath('/')))) return '';
    return sitemapEntry(url, JSON.parse(head) as HeadMetadata, dateOf(pathOf(file)));
  };
}

/** Returns the folder of the sitemaps. */
export function sitemapFolder({ distFolder }: Pick<Settings, 'distFolder'>): string {
  return path.join(distFolder, outputPath(sitePath('/')));
}

/** Stored sitemap entries of all pages. */
interface SitemapEntries {
  countInSitemap(): number;
  /** Returns the entries of a range's pages, sorted by path, as UTF-8. */
  sitemapEntries(range: { from: number; to: number }): Uint8Array;
}

/**
 * @param moved Files whose entries have changed. Undefined if all may have.
 * @returns Files relative to the site's folder: the current ones, and obsolete ones, which still exist.
 */
export function writeSitemaps(
  { siteUrl, distFolder }: Pick<Settings, 'siteUrl' | 'distFolder'>,
  entries: SitemapEntries,
  moved: readonly string[] | undefined,
  writer: Pick<PageWriter, 'write'>,
) {
  const folder = outputPath(sitePath('/'));
  const ranges = sitemapRanges(entries.countInSitemap()).map((range) => ({ ...range, name: folder + range.name }));
  const maps = new Set(ranges.map(({ name }) => name));
  const present = globSync('sitemap-*.xml', { cwd: sitemapFolder({ distFolder }) })
    .filter((file) => /^sitemap-\d+\.xml$/.test(file))
    .map((file) => folder + file);
  // With another number of sitemaps, each contains other pages.
  const isSameSet = present.length === maps.size && present.every((file) => maps.has(file));
  for (const range of moved && isSameSet ? findParts(ranges, moved.map(hashBucket)) : ranges)
    writer.write(range.name, sitemapXml(entries.sitemapEntries(range)));
  writer.write(folder + SITEMAP_INDEX, Buffer.from(sitemapIndexXml([...maps], siteUrl)));
  return { names: [folder + SITEMAP_INDEX, ...maps], surplus: present.filter((file) => !maps.has(file)) };
}
