import type { ProductView, ListedProduct } from '#catalogue/products/product-view.ts';
import type { Ui, Formats } from '#i18n/index.ts';
import { hasLanguage, PDF } from '#contracts/product/document-kinds.ts';
import { productMeasures } from '#catalogue/quantities/measure.ts';

type Document = ProductView['product']['documents'][number];

/** Formats type and size, `PDF · 312 kB`, with the language if it differs from that of the page. */
export function documentSize(document: Document, { formats, langOf }: Ui): string {
  return documentDetails({ ...document, modified: undefined }, { formats }, langOf(document.language) !== undefined);
}

/** Formats the known facts: `PDF · Deutsch · 312 kB · 03.02.2026`. */
export function documentDetails(document: Document, { formats }: Pick<Ui, 'formats'>, showsLanguage = true): string {
  const { mimeType, fileName, language, bytes, modified } = document;
  return [
    mimeType === PDF ? 'PDF' : (/\.(\w{2,5})$/.exec(fileName)?.[1]?.toUpperCase() ?? mimeType),
    showsLanguage && hasLanguage(document) && formats.languageName(language),
    bytes === undefined ? '' : formats.bytes(bytes),
    modified ? formats.shortDate(modified) : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Formats dimensions: `1,5 m × 50 m`, or `1220 × 575 × 160 mm` if all sides share a unit; empty without dimensions. */
export function formatDimensions(
  product: Pick<ListedProduct, 'length' | 'width' | 'height'>,
  formats: Formats,
): string {
  const measures = productMeasures(product);
  const units = new Set(measures.map(({ unit }) => unit));
  if (units.size !== 1 || measures.length === 1) {
    return measures.map(({ text, unit }) => formats.measure(text, unit)).join(' × ');
  }
  const [unit = ''] = units;
  const numbers = measures.map(({ text }) => formats.decimal(text)).join(' × ');
  return `${numbers}\u00a0${unit}`;
}
