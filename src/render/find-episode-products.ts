import { hash } from 'node:crypto';
import type { CollectionEntries } from '#catalogue/port/render-context.ts';
import { episodeProducts, productEpisodes, type EpisodeEntry } from '#catalogue/podcast/podcast-pages.ts';
import type { ProductIndex } from '#product-index/index.ts';

/**
 * The products that episodes are about, by `<language>/<gtin>`, each with a digest of the episodes that its page shows,
 * although nothing of the product says so.
 * @param collections As pages read them.
 */
export function findEpisodeProducts(
  collections: ReadonlyMap<string, CollectionEntries>,
  productIndex: Pick<ProductIndex, 'named' | 'product'>,
): Record<string, string> {
  // The loader has made them by the schema of episodes.
  const episodes = (collections.get('episodes') ?? []).map(({ data }) => data as EpisodeEntry);
  const byLanguage = Map.groupBy(episodes, ({ language }) => language);
  const site = {
    named: productIndex.named,
    product: productIndex.product,
    episodes: (language: string) => byLanguage.get(language) ?? [],
  };
  const found: Record<string, string> = {};
  for (const episode of episodes)
    for (const { gtin } of episodeProducts(site, episode)) {
      const { language } = episode;
      found[`${language}/${gtin}`] ??= hash('sha1', JSON.stringify(productEpisodes(site, language, gtin)), 'base64url');
    }
  return found;
}
