import { unzipSync, zipSync } from 'fflate';
import { priceDisplay } from '#catalogue/products/price.ts';
import { shorten } from '#catalogue/languages/fold-text.ts';
import { DIMENSION_FIELDS, getFieldUnit, TEXT_FIELDS } from '#contracts/product/index.ts';
import type { FeedProduct } from '#contracts/feed/feed-files.ts';
import { isDocumentField } from '#contracts/product/document-kinds.ts';
import { feedFieldTexts } from '../feeds/compose-feed-product.ts';
import { attributeName, htmlLines, type ComposeTradeFile, type TradeCatalogue } from './trade-format.ts';

/** Heading, content, and width in characters. */
type Column = [head: string, cell: (product: FeedProduct) => string | number | null, width?: number];

/** Limits of Excel. It offers to repair files that exceed them. */
const MAX_ATTRIBUTES = 16_384 - 100;
const PROPERTIES_MISSING = `properties beyond the ${MAX_ATTRIBUTES} of a sheet, which are missing. Name equal properties alike.`;
const MAX_CELL = 32_767;
const MAX_SHEET_NAME = 31;
const RESERVED_IN_SHEET_NAME = /[\\/?*[\]:']/g;

/** Whole numbers. `1.500` and `0,35` depend on the language, and `07` or `25.0` would lose digits. */
const PLAIN_NUMBER = /^(?:0|-?[1-9]\d{0,14})$/;

const HEAD_STYLE = { fontWeight: 'bold', wrap: true, alignVertical: 'top' } as const;
const NARROW = 14;
const WIDE = 40;

/** Composes a workbook with a row per product and a column per property. */
export const composeXlsx: ComposeTradeFile = async (catalogue) => {
  const { products, ui, report } = catalogue;
  const columns = [...productColumns(catalogue), ...fieldColumns(catalogue), ...attributeColumns(catalogue)];
  const head = columns.map(([value]) => ({ value: shorten(value, MAX_CELL), ...HEAD_STYLE }));
  const rows = products.map((product) =>
    columns.map(([, cell]) => {
      const value = cell(product);
      if (typeof value !== 'string' || value.length <= MAX_CELL) return value === '' ? null : value;
      report(`a text of more than ${MAX_CELL} characters, which is cut off. Shorten it at its source.`, product);
      return shorten(value, MAX_CELL);
    }),
  );
  const sheet = ui.t('nav.products').replace(RESERVED_IN_SHEET_NAME, ' ').slice(0, MAX_SHEET_NAME);
  // Loaded on demand because few sites have these files.
  const { default: writeXlsxFile } = await import('write-excel-file/node');
  const workbook = writeXlsxFile([head, ...rows], {
    sheet,
    columns: columns.map(([, , width = NARROW]) => ({ width })),
    stickyRowsCount: 1,
    // Number and name stay visible.
    stickyColumnsCount: 3,
    rightToLeft: ui.dir === 'rtl',
  });
  // With a fixed time, the same products result in the same bytes.
  return zipSync(unzipSync(await workbook.toBuffer()), { mtime: new Date(1980, 0) });
};

function productColumns({ ui, language, currency, settings }: TradeCatalogue): Column[] {
  const { t } = ui;
  const display = priceDisplay(settings.options.price, language);
  const prices: Column[] = [
    [`${t(display === 'net' ? 'price.net' : 'field.price')} (${currency})`, ({ price }) => price && Number(price)],
    [`${t('data.unit_price')} (${currency})`, ({ unit_price }) => unit_price && Number(unit_price)],
    [t('data.price_unit'), ({ unit_price_unit }) => UNITS[unit_price_unit] ?? null],
  ];
  return [
    [t('field.item_number'), ({ item_number }) => item_number],
    [t('field.gtin'), ({ gtin }) => gtin, 15],
    [t('field.name'), ({ name }) => name, WIDE],
    [t('field.family'), ({ family_name }) => family_name, 24],
    [t('data.availability'), ({ availability }) => t(`availability.${availability}`), 18],
    ...(display === 'none' ? [] : prices),
    ...DIMENSION_FIELDS.map((field): Column => [
      `${t(`field.${field}`)} (${getFieldUnit(field).unit})`,
      (product) => product[field],
    ]),
    [t('field.trade_unit'), ({ trade_unit }) => trade_unit],
    ...(['packaging_unit', 'bundle_unit'] as const).flatMap((field): Column[] => [
      [t(`field.${field}`), (product) => product[field]],
      [t('data.units_in', { unit: t(`field.${field}`) }), (product) => product[`${field}_quantity`]],
    ]),
    [t('field.intro'), ({ intro }) => intro, WIDE],
    ...TEXT_FIELDS.map((field): Column => [t(`field.${field}`), (product) => htmlLines(product[field]), WIDE]),
    [
      t('product.materials'),
      ({ materials }) => materials.map(({ name, value }) => `${name}: ${value}`).join('\n'),
      WIDE,
    ],
    [t('data.page'), ({ url }) => url, WIDE],
    ...settings.options.documentKinds.map(({ key }): Column => {
      const urls = ({ documents }: FeedProduct) => documents.flatMap(({ kind, url }) => (kind === key ? url : []));
      const cell = (product: FeedProduct) => (isDocumentField(key) ? product[key] : urls(product).join('\n'));
      return [ui.fieldLabel(key), cell, WIDE];
    }),
    [t('field.image'), ({ image_1600 }) => image_1600, WIDE],
  ];
}

/** Returns a column per field of `product.fields` that feeds have. */
function fieldColumns({ ui, language, settings }: TradeCatalogue): Column[] {
  return feedFieldTexts(settings.options, language, ui).map(({ field, name, unit, textsOf }) => [
    unit === undefined ? name : `${name} (${unit})`,
    (product) => {
      const value = product.fields?.[field];
      return typeof value === 'number' ? value : textsOf(product).join('\n');
    },
  ]);
}

/** Symbols of the units of unit prices, by UN/CEFACT code. */
const UNITS: Readonly<Record<string, string>> = { MTR: 'm', MTK: 'm²', MTQ: 'm³', KGM: 'kg', LTR: 'l' };

/** Returns a column per declared property and norm, in the order in which products declare them. */
function attributeColumns({ products, report }: TradeCatalogue): Column[] {
  const declared = new Map(products.map((product) => [product, Map.groupBy(product.attributes, attributeName)]));
  const heads = [...new Set([...declared.values()].flatMap((values) => [...values.keys()]))];
  const missing = new Set(heads.slice(MAX_ATTRIBUTES));
  for (const [product, values] of missing.size > 0 ? declared : [])
    if ([...values.keys()].some((head) => missing.has(head))) report(PROPERTIES_MISSING, product);
  return heads.slice(0, MAX_ATTRIBUTES).map((head) => [
    head,
    (product) => {
      const values = declared.get(product)?.get(head) ?? [];
      const text = values.map(({ value }) => value).join('\n');
      return PLAIN_NUMBER.test(text) ? Number(text) : text;
    },
  ]);
}
