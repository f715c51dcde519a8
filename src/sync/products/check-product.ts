import { cleanText, type Problem } from '../../contracts/index.ts';
import {
  DOCUMENT_FIELDS,
  IMAGE_FIELDS,
  product as productSchema,
  readProduct,
  readProductLeniently,
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

export interface AskedRecord {
  gtin: string;
  /** Address of the record, which relative links in it are relative to. */
  address?: string;
  /** Refuses a record with an invalid field that it could do without. @default false */
  isStrict?: boolean;
}

/** Checks a record of the product interface and makes it what the snapshot keeps. */
export function checkProduct(wire: unknown, asked: AskedRecord): CheckedProduct {
  const { gtin, address: base, isStrict = false } = asked;
  const reading = isStrict ? readProduct(wire, { gtin }) : readProductLeniently(wire, { gtin, base });
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
