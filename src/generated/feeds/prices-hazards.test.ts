import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { mergeOverlays } from '#catalogue/products/listed-product.ts';
import { createProductEntry } from '#catalogue/testing/create-product-entry.ts';
import { productJsonLd } from '#catalogue/seo/linked-data.ts';
import { createPriceView, type PriceRule } from '#catalogue/products/price.ts';
import type { FeedProduct } from '#contracts/feed/feed-files.ts';
import { createProduct, languages } from '#catalogue/testing/write-snapshot.ts';
import { readOverlays } from '#catalogue/read-model/read-overlays.ts';
import { readDemoContent } from '#origin/admin/seed/demo-content.ts';
import { markdownFiles } from '../markdown/markdown.ts';
import { openTestSite, TEST_PICTURE } from '../testing/test-generators.ts';
import { feeds } from './feeds.ts';

const PRICE: PriceRule = { show: 'gross', vat: { de: 19, en: 20, fr: 20 }, currency: 'EUR' };
const LANGUAGES = ['de-de', 'en-gb', 'fr-fr'] as const;
const SUBSTANCE = {
  'de-de': '1,2-Benzisothiazol-3(2H)-on.',
  'en-gb': '1,2-benzisothiazol-3(2H)-one.',
  'fr-fr': '1,2-benzisothiazol-3(2H)-one.',
};
const { products } = await readDemoContent('content/demo');
const overlays = readOverlays(process.cwd());
const decimal = (value: number | null) => (value === null ? undefined : { value, text: String(value) });

it('gives every unit price and hazard that a page shows in every feed, and the same', async () => {
  const site = openTestSite(
    {
      records: { language: languages(...LANGUAGES), family: [] },
      products: Object.values(products).flatMap((versions, position) =>
        LANGUAGES.flatMap((language) => {
          const stated = versions[language];
          return stated ? [{ language, position, record: createProduct({ ...stated, image: TEST_PICTURE.url }) }] : [];
        }),
      ),
      assets: [TEST_PICTURE],
    },
    { price: PRICE },
  );
  try {
    await site.update([feeds, markdownFiles]);
    let priced = 0;
    let substances = 0;
    for (const language of LANGUAGES) {
      const read = (file: string) => site.files.get(`feeds/${language}/${file}`) ?? '';
      const rows = read('products.ndjson')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as FeedProduct);
      const table: Record<string, string>[] = parse(read('products.csv'), { columns: true });
      const items = new Map(
        read('merchant.xml')
          .split('<item>')
          .slice(1)
          .map((item) => [/<g:id>(\d+)/.exec(item)?.[1], item]),
      );
      expect(rows).toHaveLength(Object.keys(products).length);
      for (const [i, row] of rows.entries()) {
        const { content, hazard } = mergeOverlays(language, row.gtin, (id) => overlays.get(id));
        const stated = products[row.gtin]?.[language]?.price;
        const product = createProductEntry({
          gtin: row.gtin,
          price: stated ? { value: Number(stated), text: String(stated) } : undefined,
          length: decimal(row.length),
          width: decimal(row.width),
          area: decimal(row.area),
        });
        const shown = createPriceView(product, PRICE, language, content);
        const unitPrice = shown.kind === 'amount' ? shown.unitPrice : undefined;
        expect([row.gtin, row.unit_price, row.unit_price_measure]).toEqual([
          row.gtin,
          unitPrice?.amount ?? null,
          unitPrice?.measure ?? '',
        ]);
        expect(table[i]?.['unit_price']).toBe(unitPrice?.amount ?? '');
        expect(JSON.parse(table[i]?.['hazard_statements'] ?? '')).toEqual(row.hazard_statements);
        expect(row.hazard_statements.filter(({ code }) => code).map(({ code }) => code)).toEqual(
          hazard?.statements.map(({ code }) => code) ?? [],
        );
        // Substances have their names in the language of the page, in Markdown too.
        const named = row.hazard_statements.find(({ code }) => code === 'EUH208');
        if (named) {
          expect(named.text).toContain(SUBSTANCE[language]);
          const [file = ''] = [...site.files.keys()].filter(
            (key) => key.startsWith(`${language}/p/`) && key.includes(row.gtin),
          );
          expect(site.files.get(file)?.replaceAll('\\', '')).toContain(named.text);
          substances++;
        }
        if (!unitPrice) continue;
        priced++;
        const node = productJsonLd(product, {
          path: '/p/',
          site: new URL('https://catalogue.example'),
          maker: 'M',
          price: shown,
          label: (field) => field,
        });
        expect(node['offers']).toMatchObject({
          price: row.price,
          priceSpecification: { referenceQuantity: { value: row.unit_price_measure, unitCode: row.unit_price_unit } },
        });
        const item = items.get(row.gtin);
        if (item) {
          expect(item).toContain(`<g:unit_pricing_measure>${row.unit_price_measure} `);
          expect(item).toContain('<g:unit_pricing_base_measure>1 ');
        }
      }
      expect(read('merchant.xml')).toMatch(/<g:unit_pricing_base_measure>1 l</);
      expect(read('merchant.xml')).toMatch(/<g:unit_pricing_base_measure>1 kg</);
      // Two formats of the same membrane.
      expect(items.get('9524010000023')).toContain('<g:item_group_id>9524010000016</g:item_group_id>');
    }
    expect(priced).toBeGreaterThan(50);
    expect(substances).toBe(4 * LANGUAGES.length);
  } finally {
    site.close();
  }
});
