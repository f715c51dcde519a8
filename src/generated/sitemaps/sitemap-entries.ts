import { sitePath } from '#catalogue/addresses/base.ts';
import type { Settings } from '#config/index.ts';
import { contentDates } from '#projection/content-dates.ts';
import type { ProductIndex } from '#catalogue/port/product-index.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import type { HeadMetadata } from '../scan/read-head.ts';
import { sitemapAddress, sitemapEntry } from './sitemap.ts';

/** @returns Returns the sitemap entry of a page by its file and its head as JSON. */
export function createSitemapEntries(
  { siteUrl, options }: Settings,
  snapshot: SnapshotReader,
  productIndex: Pick<ProductIndex, 'changedAt'>,
): (file: string, head: string) => string {
  const dateOf = contentDates(snapshot, options, productIndex);
  return (file, head) => {
    const url = sitemapAddress(file, siteUrl);
    if (url === undefined || head === '') return '';
    return sitemapEntry(
      url,
      JSON.parse(head) as HeadMetadata,
      dateOf(sitePath(`/${file.slice(0, -'index.html'.length)}`)),
    );
  };
}
