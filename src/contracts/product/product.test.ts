import { describe, expect, it } from 'vitest';
import { languagePage, PRODUCT_FIELDS, product, toBcp47, getFieldUnit, type ProductRecord } from './index.ts';
import { parseProduct, parseProductLeniently } from './parse-product.ts';

const record = (overrides: Record<string, unknown> = {}): Record<string, unknown> => ({
  name: 'DIFFRANA Vario 75',
  gtin: '9524010000016',
  language: 'de-de',
  abas_id: '(20417,2,0)',
  item_number: 'HW-10110',
  price: 142.5,
  availability: 'available',
  datasheet: 'https://media.example/ds.pdf',
  safety_datasheet: '',
  attributes: [{ name: 'Brandverhalten', norm: 'EN 13501-1', value: 'E' }],
  ...overrides,
});

describe('a product record', () => {
  it('has the 34 fields of the interface, in its order', () => {
    expect(PRODUCT_FIELDS.slice(0, 8)).toEqual([
      'name',
      'gtin',
      'language',
      'abas_id',
      'item_number',
      'price',
      'availability',
      'length',
    ]);
    expect(PRODUCT_FIELDS.slice(-2)).toEqual(['attributes', 'materials']);
    expect(PRODUCT_FIELDS).toHaveLength(34);
  });

  it('keeps the text of a number beside its value', () => {
    const read = product.parse(record({ length: '25.000', weight: 1.5, width: null }));
    expect(read.length).toEqual({ value: 25, text: '25.000' });
    expect(read.weight).toEqual({ value: 1.5, text: '1.5' });
    expect(read.width).toBeUndefined();
  });

  it('is read as its schema says, to the order of the fields', () => {
    for (const sent of [record(), record({ length: '25.000', height: null, materials: null, banner: '' })]) {
      const reading = parseProduct(sent);
      expect(reading.ok && JSON.stringify(reading.product)).toBe(JSON.stringify(product.parse(sent)));
    }
  });

  it.each(['1,5', '', 'about 3', '1e3', Number.NaN, true])('refuses %j where a number belongs', (length) => {
    expect(parseProduct(record({ length }))).toMatchObject({ ok: false, problems: [{ field: 'length' }] });
  });

  it('takes "" and null for a document that does not exist', () => {
    const read = product.parse(record({ safety_datasheet: '', declaration_of_performance: null }));
    expect(read.safety_datasheet).toBeUndefined();
    expect(read.declaration_of_performance).toBeUndefined();
  });

  it.each(['javascript:alert(1)', 'ftp://host/x.pdf', 'x.pdf'])('refuses the link %s', (datasheet) => {
    expect(parseProduct(record({ datasheet }))).toMatchObject({ ok: false, problems: [{ field: 'datasheet' }] });
  });

  it('survives an unknown availability and an unknown field, with a warning each', () => {
    const reading = parseProduct(record({ availability: 'soon', colour: 'red' }));
    expect(reading).toMatchObject({ ok: true, product: { availability: 'unknown' } });
    expect(reading.warnings.map(({ field }) => field)).toEqual(['colour', 'availability']);
  });

  it('leaves out characters that no text has, with a warning', () => {
    const attributes = [{ name: 'Breite\u0000', value: '\ud800' }];
    const reading = parseProduct(record({ intro: 'Zeile\tZeile\nZeile', attributes }));
    expect(reading).toMatchObject({
      ok: true,
      product: { intro: 'Zeile\tZeile\nZeile', attributes: [{ name: 'Breite', value: '\ufffd' }] },
    });
    expect(reading.warnings.map(({ field }) => field)).toEqual(['attributes']);
  });

  it.each([
    [1e21, '1000000000000000000000'],
    [1.25e22, '12500000000000000000000'],
    [1.5e-7, '0.00000015'],
    [3e-30, '0.000000000000000000000000000003'],
    [25.5, '25.5'],
  ])('writes the number %d without an exponent', (weight, text) => {
    expect(parseProduct(record({ weight }))).toMatchObject({ ok: true, product: { weight: { value: weight, text } } });
  });

  it('refuses a name of spaces, and a price and a size below zero', () => {
    const reading = parseProduct(record({ name: ' ', price: '-0.01', weight: -1, length: -0 }));
    expect(!reading.ok && reading.problems).toEqual([
      { field: 'name', problem: 'is empty' },
      { field: 'price', problem: 'is less than zero' },
      { field: 'weight', problem: 'is less than zero' },
    ]);
  });

  it('refuses a number that is larger than any', () => {
    expect(parseProduct(record({ weight: '9'.repeat(400) }))).toMatchObject({
      ok: false,
      problems: [{ field: 'weight', problem: 'is larger than any number' }],
    });
  });

  it('names every problem at once', () => {
    const reading = parseProduct(record({ name: '', gtin: '9524010000017', attributes: [{ name: 1, value: 'x' }] }));
    expect(reading).toMatchObject({ ok: false });
    expect(!reading.ok && reading.problems.map(({ field }) => field)).toEqual(['name', 'gtin', 'attributes[0].name']);
  });

  it('refuses a record of another product than the one asked for', () => {
    expect(parseProduct(record(), { gtin: '9524010000023' })).toMatchObject({
      ok: false,
      problems: [{ field: 'gtin' }],
    });
  });

  it.each(PRODUCT_FIELDS)('is kept without its %s when that is invalid and may be left out', (field) => {
    const isRequired = ['name', 'gtin', 'language'].includes(field);
    const reading = parseProductLeniently(record({ [field]: { not: 'valid' } }), { gtin: '9524010000016' });
    expect(reading.ok).toBe(!isRequired);
    const named = reading.ok ? reading.warnings : reading.problems;
    expect(named.map((problem) => problem.field)).toEqual([field]);
    if (!reading.ok) return;
    expect(named[0]?.advice).toContain('product interface');
    expect(product.parse(reading.record)).toEqual(reading.product);
    expect(parseProduct(record({ [field]: { not: 'valid' } })).ok).toBe(field === 'availability');
  });

  it('takes the last good values of what is invalid, entry by entry, and nothing of another language', () => {
    const wind = { name: 'Wind', norm: 'EN 1', value: '5 m' };
    const earlier = record({
      price: 99,
      intro: 'Früher',
      attributes: [{ name: 'Brandverhalten', norm: 'EN 13501-1', value: 'D' }, wind, { ...wind, norm: 'EN 2' }],
    });
    const lastGood = () => ({ record: earlier as ProductRecord, dateOf: (field: string) => `2026-11-20 ${field}` });
    const wire = record({
      price: -1,
      intro: ['x'],
      datasheet: 7,
      attributes: [
        { name: 'Brandverhalten', norm: 'EN 13501-1', value: 'E' },
        { name: 'Wind', norm: 'EN 1', value: 5 },
        { name: 'Wind', value: 5 },
        { name: 'Neu', value: 5 },
      ],
    });
    const reading = parseProductLeniently(wire, { gtin: '9524010000016', lastGood });
    if (!reading.ok) throw new Error('not readable');
    expect(reading.record).toMatchObject({
      price: 99,
      intro: 'Früher',
      datasheet: 'https://media.example/ds.pdf',
      attributes: [{ name: 'Brandverhalten', norm: 'EN 13501-1', value: 'E' }, wind],
    });
    expect(reading.warnings.map(({ field, lastGood: used }) => [field, used?.value, used?.date])).toEqual([
      ['datasheet', 'https://media.example/ds.pdf', '2026-11-20 datasheet'],
      ['attributes[1].value', wind, '2026-11-20 attributes'],
      // Which of two it would be, and what is new, is unknown.
      ['attributes[2].value', undefined, undefined],
      ['attributes[3].value', undefined, undefined],
      ['intro', 'Früher', '2026-11-20 intro'],
      ['price', 99, '2026-11-20 price'],
    ]);
    const english = parseProductLeniently({ ...wire, language: 'en-gb' }, { gtin: '9524010000016', lastGood });
    expect(english.ok && english.record.intro).toBeUndefined();
  });

  it('leaves out a last good value that is invalid too', () => {
    const lastGood = () => ({ record: record({ price: 'viel' }) as ProductRecord, dateOf: () => '' });
    const reading = parseProductLeniently(record({ price: 'mehr' }), { gtin: '9524010000016', lastGood });
    expect(reading.ok && reading.product.price).toBeUndefined();
    expect(reading.warnings.map(({ problem }) => problem)).toEqual([
      expect.stringContaining('its last good value stays'),
      expect.stringContaining('the field is left out'),
    ]);
  });

  it('is kept without the entries of a list that are invalid', () => {
    const attributes = [{ name: 1, value: 'x' }, { name: 'Brandverhalten', value: 'E' }, 'nonsense'];
    const reading = parseProductLeniently(record({ attributes, price: -1 }), { gtin: '9524010000016' });
    expect(reading).toMatchObject({ ok: true, product: { attributes: [{ name: 'Brandverhalten' }] } });
    expect(reading.ok && reading.product.price).toBeUndefined();
    expect(reading.warnings.map(({ field }) => field)).toEqual(['attributes[0].name', 'attributes[2]', 'price']);
  });

  it.each([
    ['/media/d.pdf', 'https://api.example/media/d.pdf'],
    ['d.pdf?v=1', 'https://api.example/v1/product/1/d.pdf?v=1'],
    ['//cdn.example/d.pdf', 'https://cdn.example/d.pdf'],
    ['https://a.example/d.pdf', 'https://a.example/d.pdf'],
    ['kein Blatt', undefined],
    ['javascript:alert(1)', undefined],
    ['www.a.example/d.pdf', undefined],
    ['n.v.', undefined],
  ])('has the link %s resolved, if it is one', (datasheet, expected) => {
    const asked = { gtin: '9524010000016', base: 'https://api.example/v1/product/1/' };
    const reading = parseProductLeniently(record({ datasheet }), asked);
    expect(reading.ok && reading.product.datasheet).toBe(expected);
    expect(reading.warnings).toHaveLength(datasheet === expected ? 0 : 1);
  });

  it('gives a record that parses again to the same product', () => {
    const first = parseProduct(record({ availability: 'soon', length: '25.000' }));
    if (!first.ok) throw new Error('not readable');
    expect(product.parse(first.record)).toEqual(first.product);
  });

  it('states units', () => {
    expect(getFieldUnit('length')).toEqual({ unit: 'm', unitCode: 'MTR' });
    expect(getFieldUnit('joint')).toEqual({ unit: 'mm', unitCode: 'MMT' });
    expect(getFieldUnit('price')).toEqual({ unit: 'EUR' });
    expect(getFieldUnit('name')).toEqual({});
  });
});

describe('the language list', () => {
  it.each([
    ['codes', ['de-de', 'fr-fr']],
    ['objects with code', [{ code: 'de-de' }, { code: 'fr-fr', name: 'français (France)' }]],
    ['objects with slug', [{ slug: 'de-de' }, { slug: 'fr-fr' }]],
    ['a paginated list', { count: 2, results: [{ language: 'de-de' }, { id: 'fr-fr' }] }],
  ])('is read from %s', (_, wire) => {
    const { results } = languagePage.parse(wire);
    expect(results.map(({ code }) => code)).toEqual(['de-de', 'fr-fr']);
    expect(results[1]?.name).toBe('français (France)');
  });

  it.each([[['DE_de']], [['de-de-de']], [[{ title: 'German' }]], ['de-de']])('refuses %j', (wire) => {
    expect(languagePage.safeParse(wire).success).toBe(false);
  });

  it('becomes BCP 47', () => {
    expect(['de-de', 'en', 'zh-hant-tw'].map(toBcp47)).toEqual(['de-DE', 'en', 'zh-Hant-TW']);
  });
});
