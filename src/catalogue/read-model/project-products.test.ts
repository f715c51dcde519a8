import { openProductIndex } from './product-index.ts';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { defineConfig, type OptionsInput } from '#config/index.ts';
import { createProduct, languages, writeSnapshot, type SnapshotContent } from '#catalogue/testing/write-snapshot.ts';
import type { ProductListEntry, ProductEntry } from '#catalogue/entries/entries.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { updateProductIndex } from './update-product-index.ts';
import { readFullProduct } from './product-readers.ts';

vi.stubEnv('SITE_URL', 'https://catalogue.example');
afterEach(() => vi.restoreAllMocks());

const LANGUAGES = { language: languages('de-de', 'en-gb', 'fr-fr') };
const german = { language: 'de-de', record: createProduct({ name: 'Bahn' }) };
const english = { language: 'en-gb', record: createProduct({ name: 'Membrane', language: 'en-gb' }) };

const optionsOf = (input: Partial<OptionsInput> = {}) =>
  defineConfig({
    site: { name: 'Haldenwerk' },
    maker: { name: 'Haldenwerk GmbH', address: ['Am Lehmgraben 12'], email: 'kontakt@haldenwerk.example' },
    mainLanguage: 'de-de',
    ...input,
  });

function load(content: SnapshotContent, input: Partial<OptionsInput> = {}) {
  const folder = writeSnapshot(content);
  const options = optionsOf(input);
  const snapshotPath = path.join(folder, '.sortiment/snapshot.sqlite');
  const productIndexFile = path.join(folder, '.sortiment/product-index.sqlite');
  updateProductIndex(productIndexFile, snapshotPath, options);
  const productIndex = openProductIndex(productIndexFile);
  const snapshot = openSnapshot(snapshotPath, { readOnly: true });
  /** As its page reads it. */
  const entry = (id: string): ProductEntry | undefined => {
    const [language = '', gtin = ''] = id.split('/');
    const listed = productIndex.product(language, gtin);
    return listed && readFullProduct(snapshot, options, listed);
  };
  const slugs = Object.fromEntries(productIndex.columns().map(({ id, columns }) => [id, columns.slug]));
  return { slugs, entry };
}

describe('a product', () => {
  it('has a page in every language, with its record in the main language where there is no translation', () => {
    const { slugs, entry } = load({ records: LANGUAGES, products: [german, english] });
    expect(Object.keys(slugs)).toEqual(['de-de/9524010000016', 'en-gb/9524010000016', 'fr-fr/9524010000016']);
    expect(entry('en-gb/9524010000016')).toMatchObject({ name: 'Membrane', fallback: false, pageLanguage: 'en-gb' });
    expect(entry('fr-fr/9524010000016')).toMatchObject({
      name: 'Bahn',
      language: 'de-de',
      pageLanguage: 'fr-fr',
      fallback: true,
      translations: ['de-de', 'en-gb'],
      slug: 'bahn-9524010000016',
      slugs: {
        'de-de': 'bahn-9524010000016',
        'en-gb': 'membrane-9524010000016',
        'fr-fr': 'bahn-9524010000016',
      },
    });
  });

  it('that the interface answers in another language is a fallback too', () => {
    const fallback = { language: 'fr-fr', record: createProduct({ name: 'Membrane', language: 'en-gb' }) };
    const { entry } = load({ records: LANGUAGES, products: [german, english, fallback] });
    expect(entry('fr-fr/9524010000016')).toMatchObject({
      fallback: true,
      language: 'de-de',
      translations: ['de-de', 'en-gb'],
    });
  });

  it('without the main language falls back to what there is', () => {
    const { entry } = load({ records: LANGUAGES, products: [english] });
    expect(entry('de-de/9524010000016')).toMatchObject({ name: 'Membrane', language: 'en-gb', fallback: true });
  });

  it('appears in the chosen languages only', () => {
    const { slugs, entry } = load({ records: LANGUAGES, products: [german, english] }, { languages: ['de-de'] });
    expect(Object.keys(slugs)).toEqual(['de-de/9524010000016']);
    expect(entry('de-de/9524010000016')?.translations).toEqual(['de-de']);
  });

  it('keeps what the contract makes of its record', () => {
    const record = createProduct({ price: '142.50', length: null, safety_datasheet: '' });
    const { entry } = load({ records: LANGUAGES, products: [{ language: 'de-de', record }] });
    expect(entry('de-de/9524010000016')?.price).toEqual({ value: 142.5, text: '142.50' });
    expect(entry('de-de/9524010000016')?.changed).toEqual(new Date('2026-11-20T08:00:00Z'));
    expect(entry('de-de/9524010000016')?.safety_datasheet).toBeUndefined();
  });
});

describe('a product that is no longer offered', () => {
  const since = '2027-03-01T08:00:00.000Z';
  const gone = { state: 'gone', changedAt: since };
  const datasheet = 'https://media.example/de/dop.pdf';
  const withDocument = {
    language: 'de-de',
    record: createProduct({ name: 'Bahn', declaration_of_performance: datasheet, price: '142.50' }),
  };
  const assets = [{ url: datasheet, kind: 'document', digest: '1a2b3c4d'.repeat(8), file: '1a/x.pdf' }] as const;

  it('keeps each of its pages at its address, with its last record and its documents', () => {
    const products = [withDocument, english];
    const before = load({ records: LANGUAGES, assets: [...assets], products });
    const { slugs, entry } = load({
      records: LANGUAGES,
      assets: [...assets],
      products: products.map((row) => ({ ...row, ...gone })),
    });
    expect(slugs).toEqual(before.slugs);
    expect(entry('de-de/9524010000016')).toMatchObject({
      name: 'Bahn',
      documents: [{ field: 'declaration_of_performance', href: '/documents/1a2b3c4d-dop.pdf' }],
      translations: [],
      archivedTranslations: ['de-de', 'en-gb'],
      archived: { since: new Date(since), reason: 'gone', everywhere: true },
    });
    expect(entry('fr-fr/9524010000016')).toMatchObject({ fallback: true, archived: { everywhere: true } });
    expect(before.entry('de-de/9524010000016')?.archived).toBeUndefined();
  });

  it('in one language is archived there, and goes on in the others', () => {
    const { entry } = load({
      records: LANGUAGES,
      products: [german, { ...english, state: 'unlisted', changedAt: since }],
    });
    expect(entry('en-gb/9524010000016')).toMatchObject({
      name: 'Membrane',
      fallback: false,
      translations: ['de-de'],
      archivedTranslations: ['en-gb'],
      archived: { since: new Date(since), reason: 'unlisted', everywhere: false },
    });
    expect(entry('de-de/9524010000016')).toMatchObject({
      translations: ['de-de'],
      slugs: { 'en-gb': 'membrane-9524010000016' },
    });
    expect(entry('de-de/9524010000016')?.archived).toBeUndefined();
    expect(entry('fr-fr/9524010000016')).toMatchObject({ name: 'Bahn', fallback: true });
    expect(entry('fr-fr/9524010000016')?.archived).toBeUndefined();
  });

  it('gets its page back at the same address when it is offered again', () => {
    const archived = load({ records: LANGUAGES, products: [{ ...german, ...gone }] });
    const { slugs, entry } = load({ records: LANGUAGES, products: [german] });
    expect(slugs).toEqual(archived.slugs);
    for (const id of Object.keys(slugs)) expect(entry(id)?.archived).toBeUndefined();
  });
});

describe('its files', () => {
  const datasheet = 'https://media.example/de/HW 10110%20TDS.pdf';
  const sheet = 'https://media.example/de/safety.pdf';
  const image = 'https://media.example/img/hw-10110.png';
  const content: SnapshotContent = {
    records: LANGUAGES,
    products: [{ language: 'de-de', record: createProduct({ datasheet, safety_datasheet: sheet, image }) }],
    assets: [
      {
        url: datasheet,
        kind: 'document',
        digest: `${'1a2b3c4d'.repeat(8)}`,
        file: '1a/x.pdf',
        bytes: 1200,
        mimeType: 'application/pdf',
      },
      { url: sheet, kind: 'document', reachable: false },
      {
        url: image,
        kind: 'image',
        digest: `${'f0'.repeat(32)}`,
        file: 'f0/x.png',
        mimeType: 'image/png',
        width: 800,
        height: 600,
      },
    ],
  };

  it('are mirrored under their digest; what could not be fetched is linked and marked', () => {
    const { entry } = load(content);
    expect(entry('de-de/9524010000016')?.documents).toMatchObject([
      {
        field: 'datasheet',
        href: '/documents/1a2b3c4d-hw-10110-tds.pdf',
        fileName: 'HW 10110 TDS.pdf',
        bytes: 1200,
        language: 'de-de',
      },
      { field: 'safety_datasheet', href: sheet, failure: 'unreachable' },
    ]);
    expect(entry('de-de/9524010000016')?.imageAsset).toMatchObject({
      digest: 'f0f0f0f0f0f0f0f0',
      width: 800,
      alt: 'DIFFRANA Vario 75',
    });
  });

  it('are linked at their source when the options say so', () => {
    const { entry } = load(content, { documents: 'link' });
    expect(entry('de-de/9524010000016')?.documents[0]).toMatchObject({ href: datasheet, bytes: 1200 });
  });

  it('keep the language of the record on a fallback page', () => {
    const { entry } = load(content);
    expect(entry('en-gb/9524010000016')?.documents[0]?.language).toBe('de-de');
  });
});

/** Digest of an entry after an update of the product index. */
function digestIn(folder: string, language: string, gtin: string): string {
  const file = path.join(folder, 'product-index.sqlite');
  updateProductIndex(file, path.join(folder, '.sortiment/snapshot.sqlite'), optionsOf());
  const productIndex = openProductIndex(file);
  const entry = productIndex.product(language, gtin);
  const digest = entry ? productIndex.digestOf(entry) : '';
  productIndex.close();
  return digest;
}

describe('loading again', () => {
  const two = {
    records: LANGUAGES,
    products: [
      german,
      { language: 'de-de', record: createProduct({ gtin: '9524010000023', name: 'Band' }), position: 1 },
    ],
  };

  it('changes an entry of the product index when only another language, a document or its place did', () => {
    const folder = writeSnapshot(two);
    const before = digestIn(folder, 'fr-fr', '9524010000023');
    writeSnapshot(
      {
        ...two,
        products: [
          german,
          {
            language: 'en-gb',
            record: createProduct({ gtin: '9524010000023', name: 'Tape', language: 'en-gb' }),
            position: 1,
          },
          ...two.products.slice(1),
        ],
      },
      folder,
    );
    expect(digestIn(folder, 'fr-fr', '9524010000023')).not.toBe(before);
  });

  it('leaves the product index as it was when anything goes wrong', () => {
    const folder = writeSnapshot(two);
    const digest = digestIn(folder, 'de-de', '9524010000016');
    const broken = {
      language: 'de-de',
      record: createProduct({ gtin: '9524010000047', availability: 'sometimes' as 'limited' }),
      position: 2,
    };
    writeSnapshot({ ...two, products: [{ ...german, record: createProduct({ name: 'Anders' }) }, broken] }, folder);
    expect(() => digestIn(folder, 'de-de', '9524010000016')).toThrow('availability');
    const productIndex = openProductIndex(path.join(folder, 'product-index.sqlite'));
    expect(productIndex.digestOf(productIndex.product('de-de', '9524010000016') as ProductListEntry)).toBe(digest);
    productIndex.close();
  });
});
