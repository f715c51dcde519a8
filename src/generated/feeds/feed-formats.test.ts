import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { FEED_COLUMNS, feedProduct, type FeedProduct } from '#contracts/feed/feed-files.ts';
import { gtinCheckDigit } from '#contracts/index.ts';
import { createProduct, languages } from '#catalogue/testing/write-snapshot.ts';
import { openTestSite, TEST_PICTURE } from '../testing/test-generators.ts';
import { feeds } from './feeds.ts';
import { merchantFormat, csvFormat, jsonFormat } from './update-products.ts';

const GTINS = Array.from({ length: 5 }, (_, i) => `95240000000${i}`).map(
  (digits) => `${digits}${gtinCheckDigit(digits)}`,
);

const channel = { title: 'T]}<', link: 'https://catalogue.example/', description: '"D"', brand: 'B' };
const FORMATS = [
  jsonFormat({ $schema: 'https://catalogue.example/[]', language: 'de-de' }),
  csvFormat([]),
  merchantFormat('de-de', channel),
];

/** Texts that look like what stands between two products. */
const text = fc.oneof(
  fc.string(),
  fc.constantFrom(
    '\r\n"9524000000007",',
    '"\r\n"9524000000007","',
    '\r\n',
    '"',
    '},{"gtin":"9524000000007"',
    ',{"gtin":"9524000000007","name":"x"}',
    '\n{"gtin":"9524000000007"}\n',
    ']}\n',
    '</item>\n<item>\n<g:id>9524000000007</g:id>',
    '=1+1',
  ),
);

it('finds every product again in what each format makes, whatever its texts are', async () => {
  const base = await baseProduct();
  const product = fc.record({ name: text, intro: text, item_number: text, application: text, value: text });
  fc.assert(
    fc.property(fc.array(product, { maxLength: GTINS.length }), (drawn) => {
      const products = drawn.map(({ value, ...texts }, i) => {
        return { ...base, ...texts, gtin: GTINS[i] ?? '', attributes: [{ name: value, norm: value, value }] };
      });
      for (const format of FORMATS) {
        const pieces = format.compose(products);
        const [first] = format.files;
        expect(format.split(first?.join([...pieces.values()]) ?? '')).toEqual(pieces);
        if (first?.extension !== 'xml') expect(pieces.size).toBe(products.length);
      }
    }),
  );
});

it('puts together what writing all of it again gives, in each format', async () => {
  const range = GTINS.map((gtin, i) => ({ gtin, price: i, name: `Band ${i}` }));
  const [first = '', second = ''] = GTINS;
  const site = openTestSite(contentOf(range), { price: { show: 'gross', vat: { de: 19 } } });
  try {
    await site.update([feeds]);
    const xml = () => site.files.get('feeds/de-de/merchant.xml') ?? '';
    expect(xml().match(/<item>/g)).toHaveLength(4);
    for (const changed of [
      range.with(0, { gtin: first, price: 7, name: 'Band 0' }),
      range.with(1, { gtin: second, price: 0, name: 'Band, "neu"\r\n"9524000000007",' }),
      range.slice(2),
    ]) {
      site.write(contentOf(changed));
      await site.update([feeds]);
      const spliced = new Map([...site.files].toSorted());
      await site.update([feeds], { fromScratch: true });
      expect(spliced).toEqual(new Map([...site.files].toSorted()));
    }
    expect(xml().match(/<item>/g)).toHaveLength(3);
  } finally {
    site.close();
  }
});

it('gives Google the values of product.fields as details', async () => {
  const [first = ''] = GTINS;
  const content = contentOf([{ gtin: first, price: 5, name: 'Band' }]);
  const extra = { weight_of_roll: '7.50', colour: 'red', backing: 'x'.repeat(1001), hidden: 'secret' };
  const products = content.products.map((product) => ({ ...product, record: { ...product.record, extra } }));
  const site = openTestSite(
    { ...content, products },
    {
      price: { show: 'gross', vat: { de: 19 } },
      product: {
        fields: {
          weight_of_roll: { type: 'number', unit: 'kg', label: { de: 'Rollengewicht' }, show: ['feeds'] },
          colour: { type: 'choice', values: { red: { de: 'Rot & Co' } }, label: { de: 'Farbe' }, show: ['feeds'] },
          backing: { type: 'text', label: 'Träger', show: ['feeds'] },
          empty: { type: 'text', label: 'Leer', show: ['feeds'] },
          hidden: { type: 'text', label: 'Intern' },
        },
      },
    },
  );
  try {
    await site.update([feeds]);
    const xml = site.files.get('feeds/de-de/merchant.xml') ?? '';
    const detail = (name: string, value: string) =>
      `<g:section_name>Weitere Angaben</g:section_name><g:attribute_name>${name}</g:attribute_name><g:attribute_value>${value}</g:attribute_value>`;
    const details = Array.from(xml.matchAll(/<g:product_detail>(.*?)<\/g:product_detail>/g), ([, text]) => text);
    expect(details.slice(0, 2)).toEqual([detail('Rollengewicht', '7,5\u00a0kg'), detail('Farbe', 'Rot &amp; Co')]);
    expect(details).toHaveLength(3);
    expect(/<g:attribute_value>(x+…?)</.exec(details[2] ?? '')?.[1]).toHaveLength(1000);
  } finally {
    site.close();
  }
});

function contentOf(range: readonly { gtin: string; price: number; name: string }[]) {
  return {
    records: { language: languages('de-de') },
    products: range.map((record, position) => ({
      language: 'de-de',
      record: createProduct({ ...record, image: TEST_PICTURE.url }),
      position,
    })),
    assets: [TEST_PICTURE],
  };
}

/** One that can be sold. */
async function baseProduct(): Promise<FeedProduct> {
  const site = openTestSite(contentOf([{ gtin: GTINS[0] ?? '', price: 5, name: 'Band' }]), {
    price: { show: 'gross', vat: { de: 19 } },
  });
  try {
    await site.update([feeds]);
    return JSON.parse(site.files.get('feeds/de-de/products.ndjson') ?? '') as FeedProduct;
  } finally {
    site.close();
  }
}

it('describes each column on the English page as its schema does', () => {
  const strings = new Map(Object.entries<string>(JSON.parse(readFileSync('content/strings/en.json', 'utf8'))));
  for (const column of FEED_COLUMNS)
    expect(strings.get(`data.column.${column}`)).toBe(feedProduct.shape[column].meta()?.description);
});
