/** Formats of the trade: `feeds/<language>/<base>.<extension>`. */
export const TRADE_FORMATS = {
  xlsx: { base: 'products', extension: 'xlsx' },
  tender: { base: 'tender', extension: 'txt' },
  bmecat: { base: 'bmecat', extension: 'xml' },
} as const;

export type TradeFormat = keyof typeof TRADE_FORMATS;

export const TRADE_FORMAT_NAMES = Object.keys(TRADE_FORMATS) as [TradeFormat, ...TradeFormat[]];
