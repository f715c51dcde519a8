import type { ProductView } from '#catalogue/products/product-view.ts';
import type { Ui } from '#i18n/index.ts';

type Document = ProductView['product']['documents'][number];

/** Formats the known facts: `PDF · Deutsch · 312 kB · 03.02.2026`. */
export function documentDetails({ mimeType, language, bytes, modified }: Document, { formats }: Ui): string {
  return [
    mimeType === 'application/pdf' ? 'PDF' : mimeType,
    formats.languageName(language),
    bytes === undefined ? '' : formats.bytes(bytes),
    modified ? formats.shortDate(modified) : '',
  ]
    .filter(Boolean)
    .join(' · ');
}
