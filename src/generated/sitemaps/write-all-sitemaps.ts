import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sitePath } from '#catalogue/addresses/base.ts';
import type { Settings } from '#config/index.ts';
import type { ScannedHead } from '../scan/read-head.ts';
import {
  SITEMAP_INDEX,
  sitemapAddress,
  sitemapEntry,
  sitemapIndexXml,
  sitemapBucket,
  sitemapRanges,
  sitemapXml,
} from './sitemap.ts';

/** Writes the sitemaps of a whole site. @param heads Of all its pages, by their places. */
export async function writeAllSitemaps(
  { siteUrl }: Pick<Settings, 'siteUrl'>,
  distFolder: string,
  heads: ReadonlyMap<string, ScannedHead>,
  dateOf: (pathname: string) => string | undefined,
): Promise<void> {
  const entries = [...heads]
    .map(([pathname, head]) => ({
      pathname,
      head,
      file: `${pathname.slice(1)}${pathname.endsWith('/') ? 'index.html' : ''}`,
    }))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1))
    .map(({ pathname, head, file }) => {
      const url = sitemapAddress(file, siteUrl);
      return {
        place: sitemapBucket(file),
        xml: url === undefined ? '' : sitemapEntry(url, head, dateOf(sitePath(pathname))),
      };
    })
    .filter(({ xml }) => xml !== '');
  const ranges = sitemapRanges(entries.length);
  for (const { name, from, to } of ranges) {
    const inside = entries.filter(({ place }) => place >= from && place < to);
    await writeFile(path.join(distFolder, name), sitemapXml(inside.map(({ xml }) => xml)));
  }
  const names = ranges.map(({ name }) => name);
  await writeFile(path.join(distFolder, SITEMAP_INDEX), sitemapIndexXml(names, siteUrl));
}
