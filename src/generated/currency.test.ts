import { strFromU8, unzipSync } from 'fflate';
import { afterEach, expect, it } from 'vitest';
import { createProduct, languages } from '#catalogue/testing/write-snapshot.ts';
import type { OptionsInput } from '#config/index.ts';
import type { FeedProduct } from '#contracts/feed/feed-files.ts';
import { TRADE_FORMAT_NAMES } from '#contracts/feed/trade-formats.ts';
import { feeds } from './feeds/feeds.ts';
import { openTestSite, TEST_PICTURE, type TestSite } from './testing/test-generators.ts';
import { trade } from './trade/trade.ts';

const [SWISS, UNTRANSLATED] = ['9524010000016', '9524010000023'];

let site: TestSite;
afterEach(() => site.close());

const read = (file: string) => site.files.get(`feeds/de-ch/${file}`) ?? '';

async function update(price: OptionsInput['price']) {
  const product = { price: '24.90', length: 25, width: 0.06, image: TEST_PICTURE.url };
  const rows = [
    { language: 'de-de', record: createProduct({ ...product, gtin: SWISS, language: 'de-de', price: '19.90' }) },
    { language: 'de-ch', record: createProduct({ ...product, gtin: SWISS, language: 'de-ch' }) },
    { language: 'de-de', record: createProduct({ ...product, gtin: UNTRANSLATED, language: 'de-de' }) },
  ];
  site = openTestSite(
    { records: { language: languages('de-de', 'de-ch') }, products: rows, assets: [TEST_PICTURE] },
    { price, shops: { trade: [...TRADE_FORMAT_NAMES] } },
  );
  await site.update([feeds, trade]);
  return read('products.ndjson')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as FeedProduct);
}

it('writes prices in the currency of the language in every format', async () => {
  const products = await update({ show: 'net', currency: { de: 'EUR', 'de-ch': 'CHF' } });
  expect(products.map(({ gtin, price, price_currency }) => [gtin, price, price_currency])).toEqual([
    [SWISS, '24.90', 'CHF'],
    // The only price is in euro.
    [UNTRANSLATED, null, null],
  ]);
  expect(read('products.csv')).toMatch(/"?price_currency"?,"?documents"?\r\n[^]*"CHF","\[\]"\r\n/);
  expect(read('bmecat.xml')).toContain('<CURRENCY>CHF<');
  expect(read('bmecat.xml').match(/<PRICE_CURRENCY>\w+/g)).toEqual(['<PRICE_CURRENCY>CHF', '<PRICE_CURRENCY>CHF']);
  expect(read('tender.x81')).toContain('<Cur>CHF<');
  expect(read('datanorm.001')).toMatch(/^V;050;A;\d{8};CHF;/);
  const texts = Object.entries(unzipSync(site.bytesOf('feeds/de-ch/products.xlsx') ?? new Uint8Array()));
  const workbook = texts.map(([, bytes]) => strFromU8(bytes)).join('');
  expect(workbook).toContain('Listenpreis ohne MwSt. (CHF)');
  expect(workbook).toContain('Grundpreis (CHF)');
  expect([...site.files].filter(([file, text]) => file.includes('de-ch') && /\bEUR\b|€/.test(text))).toEqual([]);
  expect(site.files.get('feeds/de-de/products.ndjson')).toContain('"price_currency":"EUR"');
});

it('writes gross prices for Google in the currency of the language', async () => {
  await update({ show: 'gross', vat: { de: 19, 'de-ch': 8.1 }, currency: { 'de-de': 'EUR', 'de-ch': 'CHF' } });
  expect(read('merchant.xml').match(/<g:price>[^<]+/g)).toEqual(['<g:price>26.92 CHF']);
});

it('fails for a language without a currency', async () => {
  await expect(update({ show: 'net', currency: { 'de-de': 'EUR' } })).rejects.toThrow(
    '"price.currency" has no currency for de-ch.',
  );
});
