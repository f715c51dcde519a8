import { baseLanguage } from '#contracts/localized.ts';
import { TRADE_FORMATS, type TradeFormat } from '#contracts/feed/trade-formats.ts';
import { feedFilePath } from '../addresses/shop-paths.ts';
import { partitionFeed, type FeedPartition } from './change-feed.ts';

/** People open these files, so they are few and large. A change of one product rewrites its file. */
const PRODUCTS_PER_TRADE_FILE = 5000;

export interface TradePart {
  part: FeedPartition;
  /** Position among the parts, from 0. */
  index: number;
  files: TradeFile[];
}

export interface TradeFile {
  format: TradeFormat;
  name: string;
  path: string;
}

/** Returns the trade files of a language, by part. Each part has one file per format. */
export function tradeParts(
  language: string,
  products: number,
  { feeds, trade }: { feeds: boolean; trade: readonly TradeFormat[] },
): TradePart[] {
  if (!feeds) return [];
  return partitionFeed(products, PRODUCTS_PER_TRADE_FILE).map((part, index) => ({
    part,
    index,
    files: trade.flatMap((format) => {
      const { base, extension, german } = TRADE_FORMATS[format];
      if (german && baseLanguage(language) !== 'de') return [];
      const isCounted = extension === '001';
      const name = isCounted ? `${base}.${String(index + 1).padStart(3, '0')}` : part.fileName(base, extension);
      return { format, name, path: feedFilePath(language, name) };
    }),
  }));
}
