import { describe, expect, it } from 'vitest';
import { product, PRODUCT_FIELDS, reviveProduct, type ProductRecord } from './index.ts';

const FULL: Required<Omit<ProductRecord, 'documents' | 'extra'>> = {
  name: 'DIFFRANA Vario 75',
  gtin: '9524010000016',
  language: 'de-de',
  abas_id: '(20417,2,0)',
  item_number: 'HW-10110',
  price: '142.50',
  availability: 'available',
  length: 50,
  width: 1.5,
  height: 0.0000001,
  area: '75.000',
  joint: 0,
  weight: -7.4,
  folded: false,
  trade_unit: 'Rolle',
  packaging_unit: 'Palette',
  packaging_unit_quantity: 20,
  bundle_unit: 'Palette',
  bundle_unit_quantity: '20',
  erp_description: 'Dampfbremse\n1,5 m × 50 m',
  erp_description_short: 'Dampfbremse',
  intro: 'Feuchtevariable Dampfbremse.',
  application: '<p>Luftdichtung</p>',
  application_short: 'Luftdichtung',
  advantages: '<ul><li>Reißfest</li></ul>',
  substrate: '<p>Holz</p>',
  limiting_factors: '<p>Baufeuchte ablüften</p>',
  datasheet: 'https://haldenwerk.example/tds.pdf',
  safety_datasheet: 'https://haldenwerk.example/sds.pdf',
  declaration_of_performance: 'https://haldenwerk.example/dop.pdf',
  image: 'https://haldenwerk.example/a.png',
  banner: 'https://haldenwerk.example/b.png',
  attributes: [
    { name: 'Brandverhalten', norm: 'EN 13501-1', value: 'E' },
    { name: 'Temperaturbeständigkeit', norm: null, value: '-40 °C … +80 °C' },
    { name: 'Dicke', value: '0,35 mm' },
  ],
  materials: [{ name: 'Schutzvlies', value: 'Polypropylen' }],
};

/** The record with another value in a field, where the contract takes it. */
function* variants(): Generator<[name: string, record: ProductRecord]> {
  yield ['a full record', FULL];
  for (const field of PRODUCT_FIELDS) {
    const { [field]: _, ...without } = FULL;
    for (const [name, record] of [
      [`no ${field}`, without],
      ...[null, '', [], 1e-7, 1e21, '25.000', false, true].map((value) => [
        `${field} ${JSON.stringify(value)}`,
        { ...FULL, [field]: value },
      ]),
    ] as const) {
      if (product.safeParse(record).success) yield [String(name), record as ProductRecord];
    }
  }
}

describe('reviveProduct', () => {
  it.each([...variants()])('gives what the contract makes of %s', (_, record) => {
    expect(reviveProduct(record)).toEqual(product.parse(record));
  });

  it('leaves out what the contract does not know', () => {
    expect(reviveProduct({ ...FULL, colour: 'blue' } as ProductRecord)).toEqual(product.parse(FULL));
  });
});
