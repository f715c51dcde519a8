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

/** Returns the options of the fields that a place shows, with their names. */
export function declaredIn(fields: ProductFields, place: FieldView['show'][number]) {
  return Object.entries(fields).filter(([, { show }]) => show.includes(place));
}

/** Key of a field among the columns of lists. Keys of declared properties have no dot. */
export const fieldKey = (field: string): string => `fields.${field}`;

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
