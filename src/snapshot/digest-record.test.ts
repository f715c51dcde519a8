import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { product } from '#contracts/product/index.ts';
import { createProduct } from './testing/fill-snapshot.ts';
import { canonicalJson, digestProduct, digestRecord, normaliseDecimal, stripSignature } from './digest-record.ts';

const digest = (changes: Parameters<typeof createProduct>[0] = {}) =>
  digestProduct(product.parse(createProduct(changes)));

describe('digestProduct', () => {
  it.each([
    ['a number as a text', { price: '142.500', length: '50.0' }],
    ['white space around texts', { intro: '  Dampfbremse mit feuchtevariablem Diffusionswiderstand.\r\n' }],
    ['another way to write umlauts', { application_short: 'Raumseitige Luftdichtung.'.normalize('NFD') }],
    ['null for an empty text', { substrate: null, bundle_unit: null, datasheet: null }],
    ['a field that the contract does not know', { modified: '2026-11-21T00:00:00Z' }],
    ['another line end', { erp_description: 'DIFFRANA Vario 75\r\nGewicht: 7,4 kg / Rolle' }],
  ])('is the same for %s', (_, changes) => {
    expect(digest(changes)).toBe(digest());
  });

  it.each([
    ['a price', { price: 149.9 }],
    [
      'a declared value, even by a zero at its end',
      { attributes: [{ name: 'sd-Wert', norm: 'EN 1931', value: '7.50' }] },
    ],
    ['an item number that only looks like the same number', { item_number: 'HW-010110' }],
    ['the language of a fallback', { language: 'en-gb' }],
    ['the order of attributes', { attributes: createProduct().attributes?.toReversed() }],
  ])('is another one for %s', (_, changes) => {
    expect(digest(changes)).not.toBe(digest());
  });

  it('keeps texts apart that are equal as numbers', () => {
    const [a, b] = ['7.5', '7.50'].map((value) => digest({ attributes: [{ name: 'a', norm: '', value }] }));
    expect(a).not.toBe(b);
  });

  it('is not moved by a new signature in an address', () => {
    const image = (signature: string) =>
      digest({ image: `https://cdn.example/a.png?v=2&X-Amz-Date=1&X-Amz-Signature=${signature}` });
    expect(image('aaa')).toBe(image('bbb'));
    expect(digest({ image: 'https://cdn.example/a.png?v=2' })).not.toBe(
      digest({ image: 'https://cdn.example/a.png?v=3' }),
    );
  });
});

describe('digests', () => {
  /** Another digest of the same content would rebuild every page of every site: then it is a new normaliser. */
  it('are those of every snapshot of normaliser 4', () => {
    expect(digest()).toBe('e9ac0c5c1984f0a7b3a2847470449722f8ddee01634ce4fe06341ec53ce1b31c');
    const record = { ö: [1, null, undefined, { b: 'x ', a: undefined }], a: { z: true, 10: 1, 9: 'e\u0301\r\n' } };
    expect(digestRecord(record)).toBe('4818fe6e88dea446cefa49e38d778794c74029f26e4ca30b32e6a5528f828c2d');
  });

  it('of products are those of their canonical JSON', () => {
    const odd = fc.constantFrom(
      'e\u0301',
      ' x\r\n',
      'a\rb',
      '–',
      '"\\',
      '\u1E9B\u0323',
      '0.50',
      'ſ',
      '\u212B',
      '\uD800',
      '',
    );
    const texts = fc.record({ name: odd, norm: odd, value: odd });
    fc.assert(
      fc.property(odd, fc.array(texts, { maxLength: 3 }), (intro, attributes) => {
        const read = product.parse(createProduct({ intro, attributes, materials: attributes }));
        const members = Object.entries(read).flatMap(([field, value]) => {
          if (value === '') return [];
          const isQuantity = typeof value === 'object' && 'text' in value;
          return [[field, isQuantity ? normaliseDecimal(value.text) : value]];
        });
        expect(digestProduct(read)).toBe(digestRecord(Object.fromEntries(members)));
      }),
      { seed: 20 },
    );
  });
});

describe('canonicalJson', () => {
  it('doesn’t depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (map) => {
        const reversed = Object.fromEntries(Object.entries(map).toReversed());
        expect(canonicalJson(reversed)).toBe(canonicalJson(map));
      }),
    );
  });

  it('is JSON', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void JSON.parse(canonicalJson(value))));
  });
});

describe('normaliseDecimal', () => {
  it.each([
    ['25.000', '25'],
    ['25', '25'],
    ['0.50', '0.5'],
    ['007.50', '7.5'],
    ['-0.0', '0'],
    ['-1.20', '-1.2'],
    ['100', '100'],
    ['0', '0'],
    ['12345678901234567890.10', '12345678901234567890.1'],
  ])('%s -> %s', (text, normal) => {
    expect(normaliseDecimal(text)).toBe(normal);
  });

  it('is done at once with a number that is made to take long', () => {
    const long = `1.${'0'.repeat(1_000_000)}1`;
    expect(normaliseDecimal(`${long}00`)).toBe(long);
  });
});

describe('stripSignature', () => {
  it.each([
    ['https://a.example/x.png', 'https://a.example/x.png'],
    ['https://a.example/x.png?size=2', 'https://a.example/x.png?size=2'],
    ['https://a.example/x.png?st=1&se=2', 'https://a.example/x.png?st=1&se=2'],
    ['https://a.example/x.png?sv=1&sig=abc&se=2', 'https://a.example/x.png'],
    ['https://a.example/x.png?w=1&Expires=5&Signature=abc&Key-Pair-Id=K', 'https://a.example/x.png?w=1'],
    ['not an address?sig=1', 'not an address?sig=1'],
  ])('%s', (address, bare) => {
    expect(stripSignature(address)).toBe(bare);
  });
});
