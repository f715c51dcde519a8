import { afterEach, expect, it } from 'vitest';
import { createProduct, languages } from '#catalogue/testing/write-snapshot.ts';
import { markdownFiles } from './markdown.ts';
import { openTestSite, type TestSite } from '../testing/test-generators.ts';

const GTINS = ['9524010000016', '9524010000023'];
const product = (position: number, name: string, value: string) => ({
  language: 'de-de',
  position,
  family: 'membranes',
  record: createProduct({
    name,
    gtin: GTINS[position] ?? '',
    attributes: [{ name: 'sd-Wert', norm: 'EN 1931', value }],
    application: '<p>Für <strong>Dächer</strong></p>',
  }),
});
const content = (...products: ReturnType<typeof product>[]) => ({
  records: {
    language: languages('de-de'),
    family: [{ id: 'membranes', record: { id: 'membranes', names: { de: 'Bahnen' }, descriptions: {} } }],
  },
  products,
});

let site: TestSite;
afterEach(() => site.close());

it('tells declared values as they are declared, beside the page', async () => {
  site = openTestSite(content(product(0, 'Alpha', '0,25 – 25 m')));
  await site.update([markdownFiles]);
  const text = site.files.get('de-de/p/alpha-9524010000016/index.html.md') ?? '';
  expect(text).toContain('url: "https://catalogue.example/de-de/p/alpha-9524010000016/"');
  expect(text).toContain('\n# Alpha\n');
  expect(text).toContain('\n| sd-Wert | 0,25 – 25 m | EN 1931 |\n');
  expect(text).toContain('\nFür **Dächer**\n');
  expect(text).toContain('- Produkte: [Bahnen](https://catalogue.example/de-de/products/membranes/)\n');
  expect(text).not.toMatch(/undefined|\{\w+\}/);
});

it('writes what has changed, moves with a new name, and goes with its product', async () => {
  site = openTestSite(content(product(0, 'Alpha', '1 m'), product(1, 'Beta', '2 m')));
  await site.update([markdownFiles]);
  site.write(content(product(0, 'Alpha', '1 m'), product(1, 'Gamma', '2 m')));
  await site.update([markdownFiles]);
  expect(site.written).toEqual(['de-de/p/gamma-9524010000023/index.html.md']);
  expect([...site.files.keys()].toSorted()).toEqual([
    'de-de/p/alpha-9524010000016/index.html.md',
    'de-de/p/gamma-9524010000023/index.html.md',
  ]);
  site.write(content(product(0, 'Alpha', '1 m')));
  await site.update([markdownFiles]);
  expect([...site.files.keys()]).toEqual(['de-de/p/alpha-9524010000016/index.html.md']);
});

it('names the hazards of the label, with their substances in the language of the page', async () => {
  const foam = { ...product(0, 'Foam', '1 m'), record: createProduct({ name: 'Foam', gtin: '9524010000191' }) };
  const primer = { ...product(1, 'Primer', '1 m'), record: createProduct({ name: 'Primer', gtin: '9524010000207' }) };
  site = openTestSite(content(foam, primer));
  await site.update([markdownFiles]);
  const texts = [...site.files.values()].join('\n');
  expect(texts).toContain('- H222 Extrem entzündbares Aerosol.');
  expect(texts).toContain('**Gefahr**');
  expect(texts).toContain('Schulung');
  expect(texts).toMatch(/EUH208 Enthält 1,2-Benzisothiazol-3\(2H\)-on\. Kann allergische/);
});
