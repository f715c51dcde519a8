import { ID_PREFIX } from '#contracts/html/html-text.ts';
import { cleanText, type Problem, type StoredWarning } from '#contracts/index.ts';
import {
  DOCUMENT_FIELDS,
  IMAGE_FIELDS,
  product as productSchema,
  parseProduct,
  parseProductLeniently,
  type LastGoodRecord,
  type ProductField,
  type ProductRecord,
  type ProductWarning,
} from '#contracts/product/index.ts';
import type { FileReference } from '#contracts/synced/index.ts';
import { digestProduct } from '#snapshot/index.ts';
import { findAssets } from '../publishing/find-assets.ts';
import { sanitiseHtml, type LostMedia } from '../publishing/sanitise-html.ts';
import { describeLostMedia } from '../publishing/text-tools.ts';

export type CheckedProduct =
  | {
      ok: true;
      /** The record as received, with sanitised HTML. */
      record: ProductRecord;
      /** Language of the record. If it differs from the requested one, the record is a fallback. */
      recordLanguage: string;
      digest: string;
      references: FileReference[];
      warnings: (ProductWarning & StoredWarning)[];
    }
  | { ok: false; problems: Problem[]; warnings: ProductWarning[] };

const HTML_FIELDS = (Object.keys(productSchema.shape) as ProductField[]).filter(
  (field) => productSchema.shape[field].meta()?.['contentMediaType'] === 'text/html',
);

export interface CheckProductOptions {
  gtin: string;
  /** Address of the record, for resolving its relative links. */
  address?: string;
  /**
   * Rejects a record with an invalid optional field.
   * @default false
   */
  isStrict?: boolean;
  /**
   * The stored record, whose values replace invalid ones.
   * @default invalid values are omitted
   */
  lastGood?: () => LastGoodRecord | undefined;
  /** Address of the interface, for resolving relative links in texts. */
  htmlBase?: string | undefined;
  /**
   * True if files may be fetched from an address.
   * @default none
   */
  isMediaHost?: (url: URL) => boolean;
}

/**
 * Validates a record of the product interface and converts it to the stored form. IDs in its texts are prefixed with
 * the field name, because all texts share a page.
 */
export function checkProduct(wire: unknown, asked: CheckProductOptions): CheckedProduct {
  const { gtin, address: base, isStrict = false, lastGood } = asked;
  const parsed = isStrict
    ? parseProduct(wire, { gtin })
    : parseProductLeniently(wire, { gtin, base, ...(lastGood && { lastGood }) });
  if (!parsed.ok) return parsed;
  const { product, record, warnings } = parsed;
  const mediaWarnings: StoredWarning[] = [];
  // Last good texts are already sanitised.
  const isStored = (field: string) => warnings.some((warning) => warning.field === field && warning.lastGood);
  const texts = HTML_FIELDS.flatMap((field) => {
    const html = product[field];
    if (typeof html !== 'string' || html === '') return [];
    if (isStored(field)) return [{ field, text: html, isChanged: false }];
    const onLost = (lost: LostMedia) => void mediaWarnings.push({ field, ...describeLostMedia(lost) });
    const text = cleanText(sanitiseHtml(html, { base: asked.htmlBase, idPrefix: `${ID_PREFIX}${field}-`, onLost }));
    return [{ field, text, isChanged: text !== html }];
  });
  const changed = texts.filter(({ isChanged }) => isChanged).map(({ field, text }) => [field, text]);
  /** Replaces texts that were changed. Usually none are, and then nothing is copied. */
  const withTexts = <T extends object>(read: T): T =>
    changed.length === 0 ? read : { ...read, ...Object.fromEntries(changed) };
  const links = (fields: readonly (keyof typeof product)[], kind: FileReference['kind']) =>
    fields.flatMap((field) => {
      const address = product[field];
      return typeof address === 'string' && address !== '' ? [{ address, kind }] : [];
    });
  const isMediaHost = (address: string) => URL.canParse(address) && asked.isMediaHost?.(new URL(address)) === true;
  return {
    ok: true,
    record: withTexts(record),
    recordLanguage: product.language,
    digest: digestProduct(withTexts(product)),
    references: [
      ...links(IMAGE_FIELDS, 'image'),
      ...links(DOCUMENT_FIELDS, 'document'),
      ...texts.flatMap(({ text }) => findAssets(text, isMediaHost)),
    ],
    warnings: [...warnings, ...mediaWarnings],
  };
}
