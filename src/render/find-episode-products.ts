import type { CollectionEntries } from '#catalogue/port/render-context.ts';
import { episodeProducts, type EpisodeEntry } from '#catalogue/podcast/podcast-pages.ts';
import type { ProductIndex } from '#product-index/index.ts';

/**
 * `<language>/<gtin>` of each product that an episode is about: its page shows the episode, although nothing of the
 * product says so.
 * @param collections As pages read them.
 */
export function findEpisodeProducts(
  collections: ReadonlyMap<string, CollectionEntries>,
  productIndex: Pick<ProductIndex, 'named' | 'product'>,
): string[] {
  // The loader has made them by the schema of episodes.
  const episodes = (collections.get('episodes') ?? []).map(({ data }) => data as EpisodeEntry);
  const byLanguage = Map.groupBy(episodes, ({ language }) => language);
  const site = {
    named: productIndex.named,
    product: productIndex.product,
    episodes: (language: string) => byLanguage.get(language) ?? [],
  };
  const places = episodes.flatMap((episode) =>
    episodeProducts(site, episode).map(({ gtin }) => `${episode.language}/${gtin}`),
  );
  return [...new Set(places)].toSorted();
}
