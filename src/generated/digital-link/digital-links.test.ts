import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterEach, expect, it } from 'vitest';
import { createProduct, languages } from '#catalogue/testing/write-snapshot.ts';
import { openTestSite, type TestSite } from '../testing/test-generators.ts';
import { digitalLinks } from './digital-links.ts';

const GTIN = '9524010000016';
const PAGE = '01/09524010000016/index.html';
const LINKSET = '01/09524010000016/linkset.json';
const SHELL =
  '<html><head><link rel="stylesheet" href="/_astro/a.css"><link rel="canonical" href="/x"></head>' +
  '<body class="plain"><header class="site-header"><a href="/" aria-current="page">Haldenwerk</a></header></body></html>';

/** GS1's schema for linksets: members by name, without additional ones. */
const link = {
  type: 'object',
  required: ['href', 'title'],
  additionalProperties: false,
  properties: {
    href: { type: 'string', format: 'uri' },
    title: { type: 'string', minLength: 1 },
    type: { type: 'string', pattern: '^[a-z]+/[-+.a-z]+$' },
    hreflang: { type: 'array', minItems: 1, items: { type: 'string', pattern: '^[a-z]{2}(-[a-z]{2})?$' } },
  },
};
const titleOnly = { ...link, properties: { href: link.properties.href, title: link.properties.title } };
const GS1 = 'https://ref.gs1.org/voc/';
const schema = {
  type: 'object',
  required: ['linkset'],
  additionalProperties: false,
  properties: {
    linkset: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['anchor', 'itemDescription', `${GS1}defaultLink`],
        additionalProperties: false,
        properties: {
          anchor: { type: 'string', format: 'uri', pattern: '/01/[0-9]{14}$' },
          itemDescription: { type: 'string' },
          [`${GS1}defaultLink`]: { type: 'array', minItems: 1, maxItems: 1, items: titleOnly },
        },
        patternProperties: { '^https://ref\\.gs1\\.org/voc/[a-zA-Z]+$': { type: 'array', minItems: 1, items: link } },
      },
    },
  },
};

const content = (...names: [language: string, name: string, recordLanguage?: string][]) => ({
  records: { language: languages('de-de', 'en-gb', 'fr-fr') },
  products: names.map(([language, name, recordLanguage = language]) => ({
    language,
    record: createProduct({
      name,
      gtin: GTIN,
      language: recordLanguage,
      image: 'https://media.example/a.png',
      datasheet: 'https://media.example/sheet.pdf',
      safety_datasheet: 'https://media.example/safety.pdf',
      declaration_of_performance: `https://media.example/${language}.pdf`,
    }),
  })),
  assets: [
    {
      url: 'https://media.example/a.png',
      kind: 'image' as const,
      digest: '0123456789abcdef0123',
      file: 'a',
      width: 900,
      height: 600,
      mimeType: 'image/png',
    },
  ],
});

let site: TestSite;
afterEach(() => site.close());

it('gives machines a linkset as GS1 asks for it, with documents and pages in all languages', async () => {
  site = openTestSite(content(['de-de', 'Bahn & Co'], ['en-gb', 'Membrane']));
  await site.update([digitalLinks]);
  const linkset = JSON.parse(site.files.get(LINKSET) ?? '');
  const ajv = new Ajv2020({ allowMatchingProperties: true });
  formats.default(ajv);
  const validate = ajv.compile(schema);
  expect(validate(linkset), JSON.stringify(validate.errors)).toBe(true);
  const [context] = linkset.linkset;
  expect(context.anchor).toBe('https://catalogue.example/01/09524010000016');
  expect(context[`${GS1}defaultLink`]).toEqual([
    { href: `https://catalogue.example/de-de/p/bahn-co-${GTIN}/`, title: 'Bahn & Co' },
  ]);
  expect(context[`${GS1}defaultLinkMulti`].map(({ hreflang }: { hreflang: string[] }) => hreflang)).toEqual([
    ['de-de'],
    ['en-gb'],
  ]);
  expect(context[`${GS1}certificationInfo`]).toHaveLength(2);
  expect(context[`${GS1}safetyInfo`]).toEqual([
    {
      href: 'https://media.example/safety.pdf',
      title: expect.stringContaining('Bahn & Co'),
      type: 'application/pdf',
      hreflang: ['de-de'],
    },
  ]);
  expect(context[`${GS1}relatedImage`][0].href).toBe('https://catalogue.example/_images/0123456789abcdef-900.jpg');
});

it('lets the reader of a code choose the language', async () => {
  site = openTestSite(content(['de-de', 'Bahn <a>'], ['en-gb', 'Membrane']));
  await site.update([digitalLinks], { pages: { 'index.html': SHELL } });
  const page = site.files.get(PAGE) ?? '';
  expect(page).toContain(`<a href="/en-gb/p/membrane-${GTIN}/" hreflang="en-GB">`);
  expect(page).toContain(`<link rel="canonical" href="https://catalogue.example/de-de/p/bahn-a-${GTIN}/">`);
  expect(page).toContain('<link rel="stylesheet" href="/_astro/a.css">');
  expect(page).not.toContain('http-equiv="refresh"');
});

it('goes straight on where there is one language only, and where nothing is translated to what there is', async () => {
  site = openTestSite(content(['de-de', 'Bahn']));
  await site.update([digitalLinks], { pages: { 'index.html': SHELL } });
  expect(site.files.get(PAGE)).toContain(`content="0; url=/de-de/p/bahn-${GTIN}/"`);
});

it('follows a product that is renamed, and goes when it is gone for good', async () => {
  site = openTestSite(content(['de-de', 'Bahn'], ['en-gb', 'Membrane']));
  await site.update([digitalLinks]);
  site.write(content(['de-de', 'Bahn'], ['en-gb', 'Membrane II']));
  await site.update([digitalLinks]);
  expect(site.written).toEqual([PAGE, LINKSET]);
  expect(site.files.get(LINKSET)).toContain('membrane-ii');
  site.write(content());
  await site.update([digitalLinks]);
  expect([...site.files.keys()]).toEqual([]);
});
