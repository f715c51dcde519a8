import { fileAt } from '#catalogue/addresses/base.ts';
import { feedFilePath } from '#catalogue/addresses/shop-paths.ts';
import type { FeedDelta, FeedProduct } from '#contracts/feed/index.ts';
import type { GeneratorContext } from '../generator.ts';
import { composeFeedProduct } from './compose-feed-product.ts';
import { feedProductOptions } from './feed-product-options.ts';
import type { Delta } from './find-deltas.ts';

/** What leads from each earlier state to the present one. @returns Places of the files. */
export function writeDeltas(context: GeneratorContext, language: string, deltas: readonly Delta[]): string[] {
  const { productIndex, readProduct, digest = '', put } = context;
  const options = feedProductOptions(context, language);
  const read = new Map<string, FeedProduct>();
  const feedProductOf = (gtin: string): FeedProduct | undefined => {
    const listed = productIndex.product(language, gtin);
    if (!listed || listed.archived) return undefined;
    const known = read.get(gtin) ?? composeFeedProduct(readProduct(listed), options);
    read.set(gtin, known);
    return known;
  };
  return deltas.map(({ since, gtins }) => {
    const sorted = [...gtins].toSorted();
    const delta: FeedDelta = {
      language,
      since,
      digest,
      put: sorted.flatMap((gtin) => feedProductOf(gtin) ?? []),
      remove: sorted.filter((gtin) => !feedProductOf(gtin)),
    };
    const place = feedFilePath(language, `delta/${since}.json`);
    put(fileAt(place), `${JSON.stringify(delta)}\n`);
    return place;
  });
}
