import { TRADE_FORMAT_NAMES } from '#contracts/feed/trade-formats.ts';
import { createProduct, languages, type SnapshotContent } from '#catalogue/testing/write-snapshot.ts';
import type { OptionsInput } from '#config/index.ts';
import type { ProductRecord } from '#contracts/product/index.ts';
import { feeds } from '../../feeds/feeds.ts';
import { openTestSite, TEST_PICTURE, type TestSite } from '../../testing/test-generators.ts';
import { trade } from '../trade.ts';

export const TRADE_GTINS = ['9524010000016', '9524010000023', '9524010000030'] as const;

/** A tape with values that formats tend to damage. */
export const TAPE: Partial<ProductRecord> = {
  name: 'Band "60" & <Co>',
  item_number: '0815',
  price: '24.90',
  intro: 'Klebt.',
  application: '<p>Für\nBahnen:</p><ul><li>innen</li><li>m<sup>2</sup> &amp; mehr</li></ul>',
  length: '25.000',
  width: 0.06,
  trade_unit: 'Rolle',
  packaging_unit: 'Karton',
  packaging_unit_quantity: 10,
  image: TEST_PICTURE.url,
  datasheet: 'https://media.example/sheet.pdf',
  attributes: [
    { name: 'Dicke', norm: 'EN 1849-2', value: '0,35 mm' },
    { name: 'Klasse', norm: '', value: '4' },
    { name: 'Kennzahl', norm: '', value: '07' },
    { name: 'Dehnung', norm: '', value: '1.500' },
    { name: 'Formel', norm: '', value: '=1+1' },
  ],
  materials: [{ name: 'Träger', value: 'PE' }],
};

/** Returns a snapshot with a family of tapes in German. */
export function tradeContent(products: readonly Partial<ProductRecord>[]): SnapshotContent {
  return {
    records: {
      language: languages('de-de', 'en-gb'),
      family: [{ id: 'tapes', record: { id: 'tapes', names: { de: 'Bänder' }, descriptions: {} } }],
    },
    products: products.map((record, position) => ({
      language: 'de-de',
      record: createProduct({ gtin: TRADE_GTINS[position] ?? '', ...record }),
      family: 'tapes',
      position,
    })),
    assets: [TEST_PICTURE],
  };
}

export function createTradeSite(
  products: readonly Partial<ProductRecord>[],
  options: Partial<OptionsInput> = {},
): TestSite {
  return openTestSite(tradeContent(products), {
    ...options,
    shops: { trade: [...TRADE_FORMAT_NAMES], ...options.shops },
  });
}

/** Updates the site and returns one of its trade files. */
export async function readTrade(site: TestSite, file: string, language = 'de-de'): Promise<string> {
  await site.update([feeds, trade]);
  return site.files.get(`feeds/${language}/${file}`) ?? '';
}
