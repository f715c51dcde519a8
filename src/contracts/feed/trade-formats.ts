/**
 * Formats of the trade: `feeds/<language>/<base>.<extension>`. An extension with digits counts the parts. `german`
 * formats are only in use in German-speaking countries.
 */
export const TRADE_FORMATS = {
  xlsx: { base: 'products', extension: 'xlsx', german: false },
  tender: { base: 'tender', extension: 'txt', german: false },
  bmecat: { base: 'bmecat', extension: 'xml', german: false },
  datanorm: { base: 'datanorm', extension: '001', german: true },
  gaeb: { base: 'tender', extension: 'x81', german: true },
} as const;

export type TradeFormat = keyof typeof TRADE_FORMATS;

export const TRADE_FORMAT_NAMES = Object.keys(TRADE_FORMATS) as [TradeFormat, ...TradeFormat[]];
