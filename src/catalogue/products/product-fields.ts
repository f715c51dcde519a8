import type { ProductFieldOptions, ProductFields } from '#config/index.ts';
import { pickText } from '#contracts/localized.ts';
import { toDecimal } from '#contracts/product/index.ts';
import type { FieldValue } from '#contracts/product/product-fields.ts';
import type { FieldView } from '../entries/entries.ts';

/** Returns the values of `product.fields` that a place shows. */
export function fieldsIn(
  product: { fieldViews?: readonly FieldView[] | undefined },
  place: FieldView['show'][number],
): FieldView[] {
  return product.fieldViews?.filter(({ show }) => show.includes(place)) ?? [];
}

/** Key of a field among the columns of lists. Keys of declared properties have no dot. */
export const fieldKey = (field: string): string => `fields.${field}`;

/** Returns the names of all fields of `product.fields` in a language. */
export function fieldLabels(fields: ProductFields, language: string, mainLanguage: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { label }]) => [name, pickText(label, language, mainLanguage) ?? name]),
  );
}

/** Returns the name of a choice in a language. Undefined if the options don't name the values. */
export function valueName(
  { values }: Pick<ProductFieldOptions, 'values'>,
  key: string,
  language: string,
  mainLanguage: string,
): string | undefined {
  const names = values?.[key];
  return names === undefined ? undefined : (pickText(names, language, mainLanguage) ?? key);
}

/** Returns the value as `getEntry('products', …)` has it. */
export function toFieldValue({ type, values }: Pick<FieldView, 'type' | 'values'>): FieldValue {
  const keys = values.map(({ key, text }) => key ?? text);
  const [first = ''] = keys;
  if (type === 'list') return keys;
  if (type === 'number') return toDecimal(first);
  return type === 'boolean' ? first === 'true' : first;
}
