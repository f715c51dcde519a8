import { hash } from 'node:crypto';
import { episodeProducts, productEpisodes } from '../podcast/podcast-pages.ts';
import type { Site } from './load-site.ts';

/**
 * Returns the products mentioned in episodes, by `<language>/<gtin>`. The value is a digest of the episodes on the
 * product's page, which isn't part of the product's data.
 */
export function digestEpisodeProducts(
  site: Pick<Site, 'languages' | 'named' | 'product' | 'episodes'>,
): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { code } of site.languages)
    for (const episode of site.episodes(code))
      for (const { gtin } of episodeProducts(site, episode))
        found[`${code}/${gtin}`] ??= hash('sha1', JSON.stringify(productEpisodes(site, code, gtin)), 'base64url');
  return found;
}
