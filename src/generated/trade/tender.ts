import { SHEET_WIDTH_M } from '#catalogue/quantities/material-need.ts';
import { toMeasure } from '#catalogue/quantities/measure.ts';
import { baseLanguage } from '#contracts/localized.ts';
import { toSingleLine } from '#contracts/scan-text.ts';
import { DIMENSION_FIELDS, toDecimal } from '#contracts/product/index.ts';
import type { FeedProduct } from '#contracts/feed/feed-files.ts';
import { isTypeset } from '#i18n/index.ts';
import { attributeName, htmlLines, type ComposeTradeFile, type TradeCatalogue } from './trade-format.ts';

/** Composes the tender texts as one document: a text per product, by family. */
export const composeTenderTexts: ComposeTradeFile = (catalogue) => {
  const sections = tenderProducts(catalogue).map((product, i, products) => {
    const isFirst = product.family !== products[i - 1]?.family;
    const heading = isFirst && product.family_name ? `${product.family_name.toUpperCase()}\n\n\n` : '';
    return `${heading}${tenderText(product, catalogue)}\n`;
  });
  // Editors on Windows recognise UTF-8 by the byte order mark.
  return `\uFEFF${sections.join('\n\n').replaceAll('\n', '\r\n')}`;
};

/** Returns the products with texts in the language of the file. A tender in two languages is of no use. */
export function tenderProducts({ products, language }: TradeCatalogue): readonly FeedProduct[] {
  return products.filter((product) => baseLanguage(product.language) === baseLanguage(language));
}

/**
 * Returns the tender text of a product: heading, description, declared values with their norms, dimensions, make, and
 * unit of measurement. Values are quoted.
 */
export function tenderText(product: FeedProduct, { ui, settings }: TradeCatalogue): string {
  const { t, formats } = ui;
  const pair = (name: string, value: string) => `${name}${isTypeset(ui.lang) ? '\u00a0' : ''}: ${value}`;
  const values = product.attributes.map((attribute) => `- ${pair(attributeName(attribute), attribute.value)}`);
  const dimensions = DIMENSION_FIELDS.flatMap((field) => {
    const size = product[field];
    if (size === null) return [];
    const { text, unit } = toMeasure(field, toDecimal(size));
    return `- ${pair(t(`field.${field}`), toSingleLine(formats.measure(text, unit)))}`;
  });
  const materials = product.materials.map(({ name, value }) => `- ${pair(name, value)}`);
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [pair(title, '').trimEnd(), ...lines];
  return [
    product.name,
    product.intro,
    htmlLines(product.application),
    ...section(t('product.values'), values),
    ...section(t('field.format'), dimensions),
    ...section(t('product.materials'), materials),
    t('tender.make', { product: product.name, maker: settings.options.maker.name }),
    product.item_number && pair(t('field.item_number'), product.item_number),
    pair(t('field.gtin'), product.gtin),
    t('tender.unit', { unit: tenderUnit(product).name }),
  ]
    .filter((line) => line !== '')
    .join('\n');
}

/**
 * Returns the unit in which work with a product is measured, and the content of a trade unit in it: sheets and boards by
 * area, tapes by length, all others by trade unit.
 */
export function tenderUnit(product: FeedProduct): { name: string; code?: string; content?: number } {
  const { length, width, area } = product;
  if (width && area && width >= SHEET_WIDTH_M) return { name: 'm²', code: 'MTK', content: area };
  if (width && length && length >= 1) return { name: 'm', code: 'MTR', content: length };
  return { name: product.trade_unit };
}
