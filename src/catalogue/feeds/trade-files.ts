import { baseLanguage } from '#contracts/localized.ts';
import { TRADE_FORMATS, type TradeFormat } from '#contracts/feed/trade-formats.ts';
import { feedFilePath } from '../addresses/shop-paths.ts';
import { partitionFeed, type FeedPartition } from './change-feed.ts';

/** People open these files, so they are few and large. A change of one product rewrites its file. */
const PRODUCTS_PER_TRADE_FILE = 5000;

/** Products with one file per format. */
export interface TradePart extends FeedPartition {
  files: { format: TradeFormat; name: string; path: string }[];
}

/** Returns the trade files of a language, by part. */
export function tradeParts(
  language: string,
  products: number,
  { feeds, trade }: { feeds: boolean; trade: readonly TradeFormat[] },
): TradePart[] {
  const formats = trade.filter((format) => !TRADE_FORMATS[format].german || baseLanguage(language) === 'de');
  const parts = feeds ? partitionFeed(products, PRODUCTS_PER_TRADE_FILE) : [];
  return parts.map((part, index) => ({
    ...part,
    files: formats.map((format) => {
      const { base, extension } = TRADE_FORMATS[format];
      const isCounted = extension === '001';
      const name = isCounted ? `${base}.${String(index + 1).padStart(3, '0')}` : part.fileName(base, extension);
      return { format, name, path: feedFilePath(language, name) };
    }),
  }));
}
