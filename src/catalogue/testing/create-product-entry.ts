import { productEntry, type ProductEntry } from '#catalogue/entries/entries.ts';

/** Creates a complete product for tests. */
export function createProductEntry(changes: Partial<ProductEntry> = {}): ProductEntry {
  const entry = productEntry.parse({
    name: 'DIFFRANA Vario 75',
    gtin: '9524010000016',
    language: 'de-de',
    item_number: 'HW-10110',
    price: '142.50',
    availability: 'available',
    length: 50,
    width: 1.5,
    area: 75,
    weight: 7.4,
    folded: false,
    trade_unit: 'Rolle',
    packaging_unit: 'Palette',
    packaging_unit_quantity: 20,
    bundle_unit: 'Palette',
    bundle_unit_quantity: 20,
    intro: 'Feuchtevariable Dampfbremse.',
    attributes: [
      { name: 'Brandverhalten', norm: 'EN 13501-1', value: 'E' },
      { name: 'Temperaturbeständigkeit', norm: '', value: '-40 °C … +80 °C' },
    ],
    materials: [{ name: 'Schutzvlies', value: 'Polypropylen' }],
    storedAs: 'de-de',
    pageLanguage: 'de-de',
    fallback: false,
    translations: ['de-de', 'en-gb'],
    slug: 'diffrana-vario-75-9524010000016',
    slugs: { 'de-de': 'diffrana-vario-75-9524010000016', 'en-gb': 'diffrana-vario-75-9524010000016' },
    family: 'membranes',
    position: 0,
    documents: [
      {
        field: 'datasheet',
        href: '/documents/tds.pdf',
        fileName: 'tds.pdf',
        language: 'de-de',
        mimeType: 'application/pdf',
      },
    ],
    imageAsset: { digest: '0123456789abcdef', width: 1200, height: 1200, mimeType: 'image/png' },
    changed: '2026-11-03T10:00:00Z',
  });
  return { ...entry, ...changes };
}
