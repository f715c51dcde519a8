import { hash } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'csv-parse/sync';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { afterEach, expect, it } from 'vitest';
import { gtinCheckDigit } from '#contracts/index.ts';
import { FEED_COLUMNS, FEED_SCHEMA_NAMES, type FeedIndex, type FeedProduct } from '#contracts/feed/feed-files.ts';
import { product as productContract, PRODUCT_FIELDS, type ProductRecord } from '#contracts/product/index.ts';
import type { OptionsInput } from '#config/index.ts';
import { setBasePath } from '#catalogue/addresses/site-paths.ts';
import { createProduct, languages } from '#catalogue/testing/write-snapshot.ts';
import { records } from '../records/records.ts';
import { openTestSite, TEST_PICTURE, type TestSite } from '../testing/test-generators.ts';
import { feeds } from './feeds.ts';

const gtinOf = (index: number, prefix = '9524') => {
  const digits = `${prefix}${String(index).padStart(8, '0')}`;
  return `${digits}${gtinCheckDigit(digits)}`;
};

const FULL: Partial<ProductRecord> = {
  abas_id: '(1,2,0)',
  price: '10.00',
  length: '25.000',
  width: 0.06,
  folded: false,
  intro: '=1+1 & "quoted", <b>\nSecond line',
  image: TEST_PICTURE.url,
  datasheet: 'https://media.example/sheet.pdf',
  attributes: [{ name: 'Dicke', norm: 'EN 1849-2', value: '0,35 mm' }],
  materials: [{ name: 'Träger', value: 'PE' }],
};

const content = (products: readonly Partial<ProductRecord>[], more: { digest?: string } = {}) => ({
  records: {
    language: languages('de-de', 'en-gb'),
    family: [{ id: 'tapes', record: { id: 'tapes', names: { de: 'Bänder' }, descriptions: {} } }],
  },
  products: products.map((record, position) => ({
    language: record.language ?? 'de-de',
    record: createProduct({ gtin: gtinOf(position), ...record }),
    family: 'tapes',
    position,
  })),
  assets: [TEST_PICTURE],
  ...more,
});

let site: TestSite;
afterEach(() => site.close());

const read = (file: string) => site.files.get(file) ?? '';
const json = <T>(file: string): T => JSON.parse(read(file)) as T;
const ndjsonOf = (index: FeedIndex) => index.files.filter(({ format }) => format === 'ndjson');
const lines = (file: string) => read(file).split('\n').filter(Boolean);

it('says the same in all formats, as its published schemas ask', async () => {
  site = openTestSite(content([FULL, { ...FULL, gtin: '0412345000018' }, {}]), {
    price: { show: 'net' },
  });
  await site.update([feeds]);
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  const [productSchema, productsSchema, indexSchema] = FEED_SCHEMA_NAMES.map((name) =>
    ajv.compile(json<object>(`feeds/${name}.schema.json`)),
  );
  const products = lines('feeds/de-de/products.ndjson').map((line) => JSON.parse(line) as FeedProduct);
  expect(products).toHaveLength(3);
  for (const product of products) expect(productSchema?.(product), JSON.stringify(productSchema?.errors)).toBe(true);
  expect(productSchema?.({ ...products[0], gtin: '123' })).toBe(false);
  const document = json<{ products: FeedProduct[] }>('feeds/de-de/products.json');
  expect(productsSchema?.(document)).toBe(true);
  expect(document.products).toEqual(products);
  expect(indexSchema?.(json('feeds/de-de/index.json')), JSON.stringify(indexSchema?.errors)).toBe(true);
  // CSV gives back what was put in, but for the apostrophe before what a spreadsheet would calculate.
  const rows = parse(read('feeds/de-de/products.csv'), { columns: true });
  const back = (rows as Record<string, string>[]).map((row) =>
    Object.fromEntries(
      FEED_COLUMNS.map((column) => {
        const value = row[column] ?? '';
        const original = products.find(({ gtin }) => gtin === row['gtin'])?.[column];
        if (typeof original === 'string') return [column, value.replace(/^'(?=[=+\-@\t\r])/, '')];
        return [column, value === '' ? null : JSON.parse(value)];
      }),
    ),
  );
  expect(back).toEqual(products);
  expect(read('feeds/de-de/products.csv')).toContain('"\'=1+1');
  expect(read('feeds/de-de/products.csv')).toContain('"0412345000018"');
  expect(Object.keys(products[0] ?? {})).toEqual(FEED_COLUMNS);
  expect(products.find(({ intro }) => intro !== '')).toMatchObject({
    price: '10.00',
    price_tax: 'net',
    unit_price: '0.40',
    unit_price_unit: 'MTR',
    length: 25,
    folded: false,
    family_name: 'Bänder',
    image_300: 'https://catalogue.example/_images/0123456789abcdef-300.jpg',
    image_1600: 'https://catalogue.example/_images/0123456789abcdef-1600.jpg',
    attributes: [{ name: 'Dicke', norm: 'EN 1849-2', value: '0,35 mm' }],
  });
});

it('gives all fields of the product interface but the one of the maker’s own books', () => {
  site = openTestSite(content([]));
  const columns = new Set<string>(FEED_COLUMNS);
  expect(PRODUCT_FIELDS.filter((field) => !columns.has(field))).toEqual(['abas_id']);
});

it('names no price that the site does not show', async () => {
  site = openTestSite(content([FULL]));
  await site.update([feeds, records]);
  expect(json(`api/partner/v1/product/${gtinOf(0)}/de-de.json`)).toMatchObject({ price: null, abas_id: '' });
  expect(lines('feeds/de-de/products.ndjson').map((line) => JSON.parse(line).price)).toEqual([null]);
  expect([...site.files.values()].filter((text) => text.includes('10.00') || text.includes('(1,2,0)'))).toEqual([]);
  expect([...site.files.keys()].filter((file) => file.includes('merchant'))).toEqual([]);
});

it('tells Google of what can be bought, with all that it asks for', async () => {
  const attributes = [{ name: '', norm: '', value: ' ' }, ...(FULL.attributes ?? [])];
  const sold = { ...FULL, name: 'Tape & <Co>', item_number: 'HW-1', attributes };
  site = openTestSite(
    content([
      { ...sold, gtin: gtinOf(1, '4012') },
      sold,
      { ...FULL, image: '' },
      { ...FULL, price: 0 },
      { ...FULL, availability: 'unknown' },
    ]),
    { price: { show: 'gross', vat: { de: 19 } } },
  );
  await site.update([feeds]);
  const xml = read('feeds/de-de/merchant.xml');
  expect(XMLValidator.validate(xml)).toBe(true);
  const { rss } = new XMLParser({ ignoreAttributes: false, parseTagValue: false }).parse(xml);
  expect(rss['@_xmlns:g']).toBe('http://base.google.com/ns/1.0');
  const items: Record<string, unknown>[] = rss.channel.item;
  expect(items).toHaveLength(2);
  for (const item of items) {
    for (const field of ['id', 'title', 'description', 'link', 'image_link', 'availability', 'price', 'brand', 'mpn'])
      expect(item[`g:${field}`], field).toMatch(/\S/);
    expect(item['g:price']).toBe('11.90 EUR');
    expect(item['g:availability']).toBe('in_stock');
    expect(item['g:unit_pricing_measure']).toBe('25 m');
    expect(item['g:unit_pricing_base_measure']).toBe('1 m');
    expect(item['g:product_detail']).toEqual({
      'g:section_name': 'EN 1849-2',
      'g:attribute_name': 'Dicke',
      'g:attribute_value': '0,35 mm',
    });
  }
  // Numbers for demonstration are none that Google takes.
  expect(items.map((item) => item['g:gtin'])).toEqual([gtinOf(1, '4012'), undefined]);
});

it.each<[string, OptionsInput['price'], string[]]>([
  ['one rule for all languages', { show: 'gross', vat: { de: 19, en: 20 } }, ['de-de', 'en-gb']],
  ['a rule by language', { show: { 'de-de': 'gross', en: 'net' }, vat: { de: 19, en: 20 } }, ['de-de']],
  ['no VAT rate', { show: 'gross', vat: { en: 20 } }, ['en-gb']],
  ['net prices', { show: 'net' }, []],
])('writes a Merchant feed for each language that shows gross prices: %s', async (_, price, expected) => {
  site = openTestSite(content([FULL]), { price });
  await site.update([feeds]);
  const written = [...site.files.keys()].flatMap((file) => /^feeds\/(.+)\/merchant\.xml$/.exec(file)?.[1] ?? []);
  expect(written).toEqual(expected);
});

it('reads the changed product only, below a base path as well', async () => {
  setBasePath('/project/');
  try {
    site = openTestSite({ ...content([FULL, {}]), run: 'run_1' });
    await site.update([feeds]);
    site.write({ ...content([FULL, { price: 0.99 }]), run: 'run_2' });
    await site.update([feeds]);
    expect(new Set(site.read)).toEqual(new Set([gtinOf(1)]));
  } finally {
    setBasePath('/');
  }
});

it('writes one part of each format when one price changes, and names all parts with their checksums', async () => {
  const range = Array.from({ length: 1500 }, (_, i) => ({ price: i + 1 }));
  site = openTestSite({ ...content(range), run: 'run_1' }, { price: { show: 'net' } });
  await site.update([feeds]);
  const before = json<FeedIndex>('feeds/de-de/index.json');
  expect(ndjsonOf(before)).toHaveLength(4);
  site.write({ ...content(range.map((record, i) => (i === 700 ? { price: 0.99 } : record))), run: 'run_2' });
  await site.update([feeds]);
  const parts = site.written.filter((file) => file.startsWith('feeds/de-de/products'));
  expect(parts.map((file) => file.replace(/^.*\./, '')).toSorted()).toEqual(['csv', 'json', 'ndjson']);
  // The others of its part are taken over as they were.
  expect(new Set(site.read)).toEqual(new Set([gtinOf(700)]));
  const after = json<FeedIndex>('feeds/de-de/index.json');
  for (const { url, bytes, sha256 } of after.files) {
    const text = read(url.replace('https://catalogue.example/', ''));
    expect([Buffer.byteLength(text), hash('sha256', text)]).toEqual([bytes, sha256]);
  }
  const gtins = ndjsonOf(after).flatMap(({ url }) =>
    lines(url.replace('https://catalogue.example/', '')).map((line) => (JSON.parse(line) as FeedProduct).gtin),
  );
  expect(new Set(gtins).size).toBe(1500);
  expect(after.products).toBe(1500);
  expect(read('feeds/de-de/sha256sums.txt').split('\n')).toHaveLength(13);
  const kept = new Map([...site.files].toSorted());
  await site.update([feeds], { fromScratch: true });
  expect(new Map([...site.files].toSorted())).toEqual(kept);
});

const sold = (price: number) => ({ ...FULL, price });

it.each(['products.ndjson', 'products.csv', 'merchant.xml'])(
  'takes nothing over from %s where it is not as it was written',
  async (name) => {
    site = openTestSite(content([sold(1), sold(2)]), { price: { show: 'gross', vat: { de: 0 } } });
    await site.update([feeds]);
    const file = `feeds/de-de/${name}`;
    expect(read(file)).toContain('2.00');
    site.files.set(file, read(file).replaceAll('2.00', '9.00'));
    site.write(content([sold(3), sold(2)]));
    await site.update([feeds]);
    expect(read(file)).toContain('3.00');
    expect(read(file)).toContain('2.00');
    expect(read(file)).not.toContain('9.00');
  },
);

const range = (count: number) => content(Array.from({ length: count }, (_, i) => ({ price: i + 1 })));

it.each([
  [1001, 1000],
  [1000, 1001],
])('has every product once where %i become %i, which are in another number of parts', async (before, after) => {
  site = openTestSite(range(before), { price: { show: 'net' } });
  await site.update([feeds]);
  site.write(range(after));
  await site.update([feeds]);
  const gtins = ndjsonOf(json<FeedIndex>('feeds/de-de/index.json')).flatMap(({ url }) =>
    lines(url.replace('https://catalogue.example/', '')).map((line) => (JSON.parse(line) as FeedProduct).gtin),
  );
  expect(gtins.toSorted()).toEqual(Array.from({ length: after }, (_, i) => gtinOf(i)).toSorted());
  const updated = new Map([...site.files].toSorted());
  await site.update([feeds], { fromScratch: true });
  expect(updated).toEqual(new Map([...site.files].toSorted()));
});

it('comes in one part again when the range has become small', async () => {
  site = openTestSite(content(Array.from({ length: 600 }, () => ({}))));
  await site.update([feeds]);
  expect(site.files.has('feeds/de-de/products-1.csv')).toBe(true);
  site.write(content([{}]));
  await site.update([feeds]);
  expect([...site.files.keys()].filter((file) => /products.*csv/.test(file))).toEqual([
    'feeds/de-de/products.csv',
    'feeds/en-gb/products.csv',
  ]);
});

it('gives records that the product interface’s own contract reads, in each language that there is', async () => {
  site = openTestSite(content([FULL, { ...FULL, gtin: gtinOf(0), language: 'en-gb', name: 'Tape' }]));
  await site.update([records]);
  const record = json<ProductRecord>(`api/partner/v1/product/${gtinOf(0)}/en-gb.json`);
  expect(Object.keys(record)).toEqual(PRODUCT_FIELDS);
  expect(productContract.parse(record)).toMatchObject({ name: 'Tape', datasheet: 'https://media.example/sheet.pdf' });
  expect(json('api/partner/v1/language/index.json')).toEqual([
    { code: 'de-de', name: 'de-de' },
    { code: 'en-gb', name: 'en-gb' },
  ]);
  site.write(content([FULL]));
  await site.update([records]);
  expect([...site.files.keys()].filter((file) => file.includes('/product/'))).toEqual([
    `api/partner/v1/product/${gtinOf(0)}/de-de.json`,
  ]);
});
