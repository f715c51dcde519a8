import type { Options } from '#config/index.ts';
import { countNoun, formatIssueLines, formatValue } from '#contracts/index.ts';
import { pickText } from '#contracts/localized.ts';
import type { ProductRecord } from '#contracts/product/index.ts';
import { parseFieldValue } from '#contracts/product/product-fields.ts';
import type { FieldView } from '../entries/entries.ts';
import type { OverlayData } from '../products/listed-product.ts';
import { valueName } from '../products/product-fields.ts';

/** A value of `product.fields` that is left out. */
export interface InvalidFieldValue {
  field: string;
  gtin: string;
  language: string;
  wire: unknown;
  /** Continues the name of the field. */
  problem: string;
}

/**
 * Creates the values of `product.fields` for a page, in the order of the options. Undefined if there are none.
 * @param page `overlay`: merged overlays of the product, whose values take precedence.
 */
export function createFieldViews(
  page: { record: ProductRecord; language: string; overlay: Pick<OverlayData, 'fields'> },
  { product, mainLanguage }: Pick<Options, 'product' | 'mainLanguage'>,
  onInvalid: ((invalid: InvalidFieldValue) => void) | undefined,
): FieldView[] | undefined {
  const { record, language, overlay } = page;
  const views = Object.entries(product.fields).flatMap(([field, options]): FieldView[] => {
    const { type, label, unit = '', source = field, show } = options;
    const wire = overlay.fields?.[field] ?? record.extra?.[source];
    const { value, problems } = parseFieldValue(options, wire);
    for (const problem of problems) onInvalid?.({ field, gtin: record.gtin, language: record.language, wire, problem });
    if (value === undefined) return [];
    const keys = Array.isArray(value) ? value : [typeof value === 'object' ? value.text : String(value)];
    const values = keys.map((key) => {
      const name = valueName(options, key, language, mainLanguage);
      return name === undefined ? { text: key } : { key, text: name };
    });
    return [{ field, label: pickText(label, language, mainLanguage) ?? field, type, unit, values, show }];
  });
  return views.length > 0 ? views : undefined;
}

/** Maximum number of products that a warning names for each field. */
const MAX_EXAMPLES = 3;

/** Describes the values that pages leave out, by field and problem. */
export function describeInvalidFields(invalid: readonly InvalidFieldValue[]): string {
  const groups = Map.groupBy(invalid, ({ field, problem }) => `${field} ${problem}`);
  const lines = [...groups].map(([what, values]) => {
    // Fallback pages repeat values of a record.
    const examples = [
      ...new Set(values.map(({ gtin, language, wire }) => `${gtin} ${language}: ${formatValue(wire)}`)),
    ];
    return {
      who: countNoun(examples.length, 'product record'),
      what: `${what}, so the value is left out`,
      examples: examples.slice(0, MAX_EXAMPLES),
      more: Math.max(0, examples.length - MAX_EXAMPLES),
      advice: 'Correct it in content/products or at the product interface, or correct `product.fields`.',
    };
  });
  return `Invalid values of product.fields:\n${formatIssueLines(lines)}`;
}
