import { readdirSync } from 'node:fs';
import type { Settings } from '#config/index.ts';
import { rangesOf, SITEMAP_INDEX, sitemapIndexXml, sitemapRanges, sitemapXml } from './sitemap.ts';
import type { PageWriter } from '#files/page-writer.ts';

export interface SitemapFiles {
  /** Names of all sitemaps. */
  names: string[];
  /** Names of obsolete sitemaps, which still exist. */
  surplus: string[];
}

/** Stored sitemap entries of all pages. */
interface SitemapEntries {
  countInSitemap(): number;
  /** Returns the entries of a range's pages, sorted by path, as UTF-8. */
  sitemapEntries(range: { from: number; to: number }): Uint8Array;
}

/** @param moved Files whose entries have changed. Undefined if all may have. */
export function writeSitemaps(
  { siteUrl, distFolder }: Pick<Settings, 'siteUrl' | 'distFolder'>,
  entries: SitemapEntries,
  moved: readonly string[] | undefined,
  writer: Pick<PageWriter, 'write'>,
): SitemapFiles {
  const ranges = sitemapRanges(entries.countInSitemap());
  const maps = new Set(ranges.map(({ name }) => name));
  const present = readdirSync(distFolder).filter((file) => /^sitemap-\d+\.xml$/.test(file));
  // With another number of sitemaps, each contains other pages.
  const isSameSet = present.length === maps.size && present.every((file) => maps.has(file));
  for (const range of moved && isSameSet ? rangesOf(ranges, moved) : ranges)
    writer.write(range.name, sitemapXml(entries.sitemapEntries(range)));
  writer.write(SITEMAP_INDEX, Buffer.from(sitemapIndexXml([...maps], siteUrl)));
  return { names: [SITEMAP_INDEX, ...maps], surplus: present.filter((file) => !maps.has(file)) };
}
