import { productMeasures } from '#catalogue/quantities/measure.ts';
import type { ListedProduct } from '#catalogue/products/product-view.ts';
import type { Formats } from '#i18n/index.ts';

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
