import { cleanText, type Problem } from '../../contracts/index.ts';
import {
  DOCUMENT_FIELDS,
  IMAGE_FIELDS,
  product as productSchema,
  readProduct,
  type ProductField,
  type ProductRecord,
} from '../../contracts/product/index.ts';
import { digestProduct, type AssetReference } from '../../snapshot/index.ts';
import { sanitiseHtml } from '../publishing/sanitise-html.ts';

export type CheckedProduct =
  | {
      ok: true;
      /** As on the wire, its HTML sanitised. */
      record: ProductRecord;
      /** Another one than was asked for means that the record is a fallback. */
      recordLanguage: string;
      digest: string;
      references: AssetReference[];
      warnings: Problem[];
    }
  | { ok: false; problems: Problem[]; warnings: Problem[] };

const HTML_FIELDS = (Object.keys(productSchema.shape) as ProductField[]).filter(
  (field) => productSchema.shape[field].meta()?.['contentMediaType'] === 'text/html',
);

/** Checks a record of the product interface and makes it what the snapshot keeps. */
export function checkProduct(wire: unknown, asked: { gtin: string }): CheckedProduct {
  const reading = readProduct(wire, asked);
  if (!reading.ok) return reading;
  const { product, record, warnings } = reading;
  const sanitised = Object.fromEntries(
    HTML_FIELDS.flatMap((field) => {
      const html = product[field];
      return typeof html === 'string' && html !== '' ? [[field, cleanText(sanitiseHtml(html))]] : [];
    }),
  );
  const links = (fields: readonly (keyof typeof product)[], kind: AssetReference['kind']) =>
    fields.flatMap((field) => {
      const address = product[field];
      return typeof address === 'string' && address !== '' ? [{ address, kind }] : [];
    });
  return {
    ok: true,
    record: { ...record, ...sanitised },
    recordLanguage: product.language,
    digest: digestProduct({ ...product, ...sanitised }),
    references: [...links(IMAGE_FIELDS, 'image'), ...links(DOCUMENT_FIELDS, 'document')],
    warnings,
  };
}
