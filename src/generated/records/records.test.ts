import { afterEach, expect, it } from 'vitest';
import { recordPath } from '#catalogue/addresses/shop-paths.ts';
import { PRODUCT_FIELDS } from '#contracts/product/index.ts';
import { languages } from '#catalogue/testing/write-snapshot.ts';
import { createProduct } from '#snapshot/testing/fill-snapshot.ts';
import { openTestSite, TEST_PICTURE, type TestSite } from '../testing/test-generators.ts';
import { records } from './records.ts';

let site: TestSite;
afterEach(() => site.close());

const german = createProduct({ language: 'de-de', substrate: '<p>Holz</p>' });
const english = createProduct({
  language: 'en-gb',
  image: TEST_PICTURE.url,
  banner: '',
  datasheet: null,
  weight: '7.40',
  folded: null,
  bundle_unit: null,
  // The page shows the German text here.
  substrate: '',
});
const content = {
  records: { language: languages('de-de', 'en-gb') },
  products: [german, english].map((record) => ({ language: record.language, record })),
  assets: [TEST_PICTURE],
};
const recordIn = (language: string): Record<string, unknown> =>
  JSON.parse(site.files.get(recordPath(language, german.gtin).slice(1)) ?? '') as Record<string, unknown>;

it.each([
  ['none', null],
  ['net', 142.5],
  ['gross', 142.5],
] as const)('gives what the interface gives, field by field, where prices are shown: %s', async (show, price) => {
  site = openTestSite(content, { price: { show, vat: { de: 19, en: 20 } } });
  await site.update([records]);
  expect(Object.keys(recordIn('de-de'))).toEqual(PRODUCT_FIELDS);
  expect(recordIn('de-de')).toEqual({ ...german, abas_id: '', price });
  expect(recordIn('en-gb')).toEqual({
    ...english,
    abas_id: '',
    price,
    image: 'https://catalogue.example/_images/0123456789abcdef-1200.jpg',
  });
});
