import type { FieldView, ProductEntry } from '#catalogue/entries/entries.ts';
import { fieldsIn } from '#catalogue/products/product-fields.ts';
import { imperialMeasure } from '#catalogue/quantities/measure.ts';
import type { Ui } from '#i18n/index.ts';

/** Formats the values of a field of `product.fields` in the language of the page. */
export function formatField(view: Pick<FieldView, 'type' | 'unit' | 'values'>, ui: Ui): string {
  return view.values.map(({ text }) => formatFieldValue(view, text, ui)).join(', ');
}

/** Formats one value. Texts and names stay as they are. */
export function formatFieldValue({ type, unit }: Pick<FieldView, 'type' | 'unit'>, text: string, ui: Ui): string {
  const { t, formats } = ui;
  switch (type) {
    case 'number':
      return unit === '' ? formats.decimal(text) : formats.measure(text, unit);
    case 'boolean':
      return t(text === 'true' ? 'yes' : 'no');
    case 'date':
      return formats.date(new Date(text));
    default:
      return text;
  }
}

/** Returns the fields that a product page shows. @param isImperial True if it also shows inches, feet and pounds. */
export function fieldRows(product: Pick<ProductEntry, 'fieldViews' | 'language'>, ui: Ui, isImperial: boolean) {
  return fieldsIn(product, 'page').map((view) => {
    const { label, type, unit, values } = view;
    const [{ key, text = '' } = {}] = values;
    const imperial = isImperial && type === 'number' ? imperialMeasure({ text, unit }) : undefined;
    const further = imperial ? ` (${formatFieldValue({ type, unit: imperial.unit }, imperial.text, ui)})` : '';
    return {
      name: label,
      value: formatField(view, ui) + further,
      href: type === 'url' ? text : undefined,
      lang: key === undefined && (type === 'text' || type === 'list') ? ui.langOf(product.language) : undefined,
    };
  });
}
