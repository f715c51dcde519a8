import { afterEach, expect, it } from 'vitest';
import type { OptionsInput } from '#config/index.ts';
import type { ProductRecord } from '#contracts/product/index.ts';
import type { TestSite } from '../testing/test-generators.ts';
import { createTradeSite, readTrade, TAPE, TRADE_GTINS } from './testing/create-trade-site.ts';

let site: TestSite;
afterEach(() => site.close());

/** Code page 850, as far as German texts need it. */
const CHARACTERS: Readonly<Record<number, string>> = {
  0x81: 'ü',
  0x84: 'ä',
  0x8e: 'Ä',
  0x94: 'ö',
  0x99: 'Ö',
  0x9a: 'Ü',
  0xe1: 'ß',
  0xf8: '°',
  0xfc: '³',
  0xfd: '²',
};

interface Article {
  number: string;
  names: string[];
  unit: string;
  priceIndicator: string;
  priceUnit: string;
  price: string;
  gtin: string;
  packaging: string;
  textFlag: string;
  text: string[];
}

/** Reads a DATANORM 5 article file by its published field order, and checks what holds for every line. */
async function read(products: readonly Partial<ProductRecord>[], options: Partial<OptionsInput> = {}) {
  site = createTradeSite(products, options);
  await readTrade(site, 'datanorm.001');
  const bytes = site.bytesOf('feeds/de-de/datanorm.001') ?? new Uint8Array();
  const text = [...bytes].map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : (CHARACTERS[byte] ?? '�'))).join('');
  expect(text).not.toMatch(/[[\]{}\\|~]/);
  expect(text.endsWith(';\r\n')).toBe(true);
  const lines = text.split('\r\n').slice(0, -1);
  const rows = lines.map((line) => line.split(';').slice(0, -1));
  expect(rows.at(-1)?.slice(0, 2)).toEqual(['E', String(rows.length)]);
  const texts = new Map<string, string[]>();
  for (const [type, action, number = '', usage, line, content = ''] of rows) {
    if (type !== 'T') continue;
    expect([action, usage]).toEqual(['N', '1']);
    expect(content.length).toBeLessThanOrEqual(40);
    const known = texts.get(number) ?? [];
    expect(Number(line)).toBe(known.length + 1);
    texts.set(number, [...known, content]);
  }
  const articles = rows
    .filter(([type]) => type === 'A')
    .map((row): Article => {
      expect(row).toHaveLength(29);
      for (const name of row.slice(3, 5)) expect(name.length).toBeLessThanOrEqual(40);
      const [, , number = '', first = '', second = '', unit = '', priceIndicator = '', priceUnit = '', price = ''] =
        row;
      expect(number.length).toBeLessThanOrEqual(15);
      return {
        number,
        names: [first, second],
        unit,
        priceIndicator,
        priceUnit,
        price,
        gtin: row[18] ?? '',
        packaging: row[20] ?? '',
        textFlag: row[22] ?? '',
        text: texts.get(row[23] ?? '') ?? [],
      };
    });
  return { header: rows[0], articles, warnings: site.warnings.filter((warning) => warning.includes('datanorm')) };
}

it('writes header, articles with list prices in cents, and texts in code page 850', async () => {
  const record = { ...TAPE, name: 'Größe Ä Ö Ü ß 5 m² [neu]; „gut“ – ≥ 2', intro: 'Über; alles' };
  const { header, articles } = await read([record], { price: { show: 'net' } });
  expect(header?.slice(0, 6)).toEqual(['V', '050', 'A', expect.stringMatching(/^20\d{6}$/), 'EUR', 'Haldenwerk']);
  expect(articles).toMatchObject([
    {
      number: '0815',
      names: ['Größe Ä Ö Ü ß 5 m² (neu), "gut" - >= 2', ''],
      unit: 'RO',
      priceIndicator: '1',
      priceUnit: '1',
      price: '2490',
      gtin: TRADE_GTINS[0],
      packaging: '1',
      textFlag: '4',
    },
  ]);
  expect(articles[0]?.text.slice(1, 3)).toEqual(['Über, alles', 'Für Bahnen:']);
  expect(articles[0]?.text).toContain('- Dicke (EN 1849-2): 0,35 mm');
});

it('writes hidden and gross prices as on request', async () => {
  expect((await read([TAPE])).articles).toMatchObject([{ priceIndicator: '9', price: '' }]);
  site.close();
  const gross = { price: { show: 'gross' as const, vat: { de: 19 } } };
  expect((await read([TAPE], gross)).articles).toMatchObject([{ priceIndicator: '9', price: '' }]);
});

it('replaces long, missing and repeated numbers by the GTIN, and reports what does not fit', async () => {
  const products = [
    { ...TAPE, item_number: '', name: 'x'.repeat(300) },
    { name: 'B', item_number: 'N'.repeat(16), price: '1234567.00' },
    { name: 'C', item_number: 'C\n1' },
  ];
  const { articles, warnings } = await read(products, { price: { show: 'net' } });
  expect(articles.map(({ number }) => number)).toEqual([TRADE_GTINS[0], TRADE_GTINS[2], TRADE_GTINS[1]]);
  expect(articles[0]?.names).toEqual(['x'.repeat(40), 'x'.repeat(40)]);
  expect(articles[0]?.text.join('')).toContain('x'.repeat(300));
  expect(warnings.map((warning) => warning.slice('/feeds/de-de/datanorm.001: '.length))).toEqual([
    `${TRADE_GTINS[0]}: no item number, so the GTIN is used. Correct "item_number" at its source.`,
    `${TRADE_GTINS[2]}: an item number with reserved characters, so the GTIN is used. Correct "item_number" at its source.`,
    `${TRADE_GTINS[1]}: an item number of more than 15 characters, so the GTIN is used. Correct "item_number" at its source.`,
    `${TRADE_GTINS[0]}: a name of more than two lines of 40 characters, whose rest is only in the long text.`,
    `${TRADE_GTINS[1]}: a price of more than 999999.99 EUR, which is "on request".`,
  ]);
});

it('is written in German only', async () => {
  await read([TAPE]);
  expect([...site.files.keys()].filter((file) => file.includes('datanorm'))).toEqual(['feeds/de-de/datanorm.001']);
});
