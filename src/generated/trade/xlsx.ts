import writeXlsxFile, { type Row } from 'write-excel-file/node';
import { priceDisplay } from '#catalogue/products/price.ts';
import { shorten } from '#catalogue/languages/fold-text.ts';
import { DIMENSION_FIELDS, DOCUMENT_FIELDS, getFieldUnit, TEXT_FIELDS } from '#contracts/product/index.ts';
import type { FeedProduct } from '#contracts/feed/feed-files.ts';
import { htmlLines, type ComposeTradeFile, type TradeCatalogue } from './trade-format.ts';

interface Column {
  head: string;
  /** In characters. */
  width: number;
  cell: (product: FeedProduct) => string | number | null;
}

/** Limits of Excel. It offers to repair files that exceed them. */
const MAX_ATTRIBUTES = 16_384 - 100;
const MAX_CELL = 32_767;

const PROPERTIES_MISSING = `properties beyond the ${MAX_ATTRIBUTES} of a sheet, which are missing. Name equal properties alike.`;

/** Whole numbers. `1.500` and `0,35` depend on the language, and `07` or `25.0` would lose digits. */
const PLAIN_NUMBER = /^(?:0|-?[1-9]\d{0,14})$/;

const NARROW = 14;
const WIDE = 40;

/** Composes a workbook with a row per product and a column per property. */
export const composeXlsx: ComposeTradeFile = async (catalogue) => {
  const { products, ui, report } = catalogue;
  const columns = [...productColumns(catalogue), ...attributeColumns(catalogue)];
  const head: Row = columns.map(({ head: value }) => ({
    value: shorten(value, MAX_CELL),
    fontWeight: 'bold',
    wrap: true,
    alignVertical: 'top',
  }));
  const rows = products.map((product): Row =>
    columns.map(({ cell }) => {
      const value = cell(product);
      if (typeof value !== 'string' || value.length <= MAX_CELL) return value === '' ? null : value;
      report(`a text of more than ${MAX_CELL} characters, which is cut off. Shorten it at its source.`, product);
      return shorten(value, MAX_CELL);
    }),
  );
  const workbook = writeXlsxFile([head, ...rows], {
    // Excel allows 31 characters, without punctuation.
    sheet: ui
      .t('nav.products')
      .replace(/[\\/?*[\]:']/g, ' ')
      .slice(0, 31),
    columns: columns.map(({ width }) => ({ width })),
    stickyRowsCount: 1,
    stickyColumnsCount: FROZEN_COLUMNS,
    rightToLeft: ui.dir === 'rtl',
  });
  return withoutTimes(await workbook.toBuffer());
};

/** Number and name stay visible. */
const FROZEN_COLUMNS = 3;

function productColumns({ ui, language, settings }: TradeCatalogue): Column[] {
  const { t } = ui;
  const { price: rule } = settings.options;
  const text = (head: string, cell: Column['cell'], width = NARROW): Column => ({ head, width, cell });
  const count = (unit: 'packaging_unit' | 'bundle_unit'): Column[] => [
    text(t(`field.${unit}`), (product) => product[unit]),
    text(t('data.units_in', { unit: t(`field.${unit}`) }), (product) => product[`${unit}_quantity`]),
  ];
  const display = priceDisplay(rule, language);
  const priceHead = display === 'net' ? t('price.net') : t('field.price');
  return [
    text(t('field.item_number'), ({ item_number }) => item_number),
    text(t('field.gtin'), ({ gtin }) => gtin, 15),
    text(t('field.name'), ({ name }) => name, WIDE),
    text(t('field.family'), ({ family_name }) => family_name, 24),
    text(t('data.availability'), ({ availability }) => t(`availability.${availability}`), 18),
    ...(display === 'none'
      ? []
      : [
          text(`${priceHead} (EUR)`, ({ price }) => (price === null ? null : Number(price))),
          text(t('data.unit_price'), ({ unit_price }) => (unit_price === null ? null : Number(unit_price))),
          text(
            t('data.price_unit'),
            ({ unit_price, unit_price_unit }) => unit_price && (UNITS[unit_price_unit] ?? unit_price_unit),
          ),
        ]),
    ...DIMENSION_FIELDS.map((field) =>
      text(`${t(`field.${field}`)} (${getFieldUnit(field).unit})`, (product) => product[field]),
    ),
    text(t('field.trade_unit'), ({ trade_unit }) => trade_unit),
    ...count('packaging_unit'),
    ...count('bundle_unit'),
    text(t('field.intro'), ({ intro }) => intro, WIDE),
    ...TEXT_FIELDS.map((field) => text(t(`field.${field}`), (product) => htmlLines(product[field]), WIDE)),
    text(
      t('product.materials'),
      ({ materials }) => materials.map(({ name, value }) => `${name}: ${value}`).join('\n'),
      WIDE,
    ),
    text(t('data.page'), ({ url }) => url, WIDE),
    ...DOCUMENT_FIELDS.map((field) => text(t(`field.${field}`), (product) => product[field], WIDE)),
    text(t('field.image'), ({ image_1600 }) => image_1600, WIDE),
  ];
}

/** Symbols of the units of unit prices, by UN/CEFACT code. */
const UNITS: Readonly<Record<string, string>> = { MTR: 'm', MTK: 'm²', MTQ: 'm³', KGM: 'kg', LTR: 'l' };

/** Returns a column per declared property and norm, in the order in which products declare them. */
function attributeColumns({ products, report }: TradeCatalogue): Column[] {
  const heads = new Set<string>();
  const values = new Map<FeedProduct, Map<string, string>>();
  for (const product of products) {
    const declared = new Map<string, string>();
    values.set(product, declared);
    for (const attribute of product.attributes) {
      const head = headOf(attribute);
      const earlier = declared.get(head);
      declared.set(head, earlier === undefined ? attribute.value : `${earlier}\n${attribute.value}`);
      if (heads.size < MAX_ATTRIBUTES) heads.add(head);
      else if (!heads.has(head)) report(PROPERTIES_MISSING, product);
    }
  }
  return [...heads].map((head) => ({
    head,
    width: NARROW,
    cell: (product) => {
      const value = values.get(product)?.get(head) ?? '';
      return PLAIN_NUMBER.test(value) ? Number(value) : value;
    },
  }));
}

function headOf({ name, norm }: FeedProduct['attributes'][number]): string {
  return norm === '' ? name : `${name} (${norm})`;
}

const DIRECTORY_END = 0x06054b50;
const EARLIEST_DATE = 0x0021_0000;

/** Replaces the times in a ZIP file by the earliest one, so that the same products result in the same bytes. */
function withoutTimes(zip: Buffer): Buffer {
  const end = zip.length - 22;
  if (zip.readUInt32LE(end) !== DIRECTORY_END) throw new Error('The workbook is not a ZIP file without a comment.');
  let entry = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    zip.writeUInt32LE(EARLIEST_DATE, entry + 12);
    zip.writeUInt32LE(EARLIEST_DATE, zip.readUInt32LE(entry + 42) + 10);
    const lengths = [28, 30, 32].map((at) => zip.readUInt16LE(entry + at));
    entry += 46 + lengths.reduce((sum, length) => sum + length, 0);
  }
  return zip;
}
