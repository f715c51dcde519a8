import { readdirSync } from 'node:fs';
import type { Settings } from '#config/index.ts';
import { rangesOf, SITEMAP_INDEX, sitemapIndexXml, sitemapRanges, sitemapXml } from './sitemap.ts';
import type { PageWriter } from '#files/page-writer.ts';

export interface WrittenSitemaps {
  /** Files of all sitemaps. */
  names: string[];
  /** Those that are still there from when there were more. */
  surplus: string[];
}

/** Where the entries of all pages are kept. */
interface SitemapEntries {
  countInSitemap(): number;
  /** Of the pages of a range, by their paths, as UTF-8. */
  sitemapEntries(range: { from: number; to: number }): Uint8Array;
}

/** @param moved Files whose entries have changed; undefined when that may be all. */
export function writeSitemaps(
  { siteUrl, distFolder }: Pick<Settings, 'siteUrl' | 'distFolder'>,
  entries: SitemapEntries,
  moved: readonly string[] | undefined,
  writer: Pick<PageWriter, 'write'>,
): WrittenSitemaps {
  const ranges = sitemapRanges(entries.countInSitemap());
  const maps = new Set(ranges.map(({ name }) => name));
  const present = readdirSync(distFolder).filter((file) => /^sitemap-\d+\.xml$/.test(file));
  // With more of them or fewer, each holds other pages.
  const areSame = present.length === maps.size && present.every((file) => maps.has(file));
  for (const range of moved && areSame ? rangesOf(ranges, moved) : ranges)
    writer.write(range.name, sitemapXml(entries.sitemapEntries(range)));
  writer.write(SITEMAP_INDEX, Buffer.from(sitemapIndexXml([...maps], siteUrl)));
  return { names: [SITEMAP_INDEX, ...maps], surplus: present.filter((file) => !maps.has(file)) };
}
