import type { CharacteristicValue, Characteristic } from '#catalogue/facets/characteristic.ts';
import type { FacetOptionSummary } from '#catalogue/facets/summarise-facets.ts';
import { toMeasure } from '#catalogue/quantities/measure.ts';
import { availability, DIMENSION_FIELDS, DOCUMENT_FIELDS, toDecimal } from '#contracts/product/index.ts';
import type { Ui } from '#i18n/index.ts';

type Named = Pick<Characteristic, 'source' | 'name'>;

/** Returns the name of a characteristic: fields in the site's language, attributes as declared. */
export function facetName({ source, name = '' }: Named, ui: Ui): string {
  switch (source) {
    case 'materials':
      return ui.t('product.materials');
    case 'documents':
      return ui.t('product.documents');
    case 'availability':
      return ui.t('facet.availability');
    case 'fire':
      return ui.t('facet.fire');
    case 'attribute':
      return name;
    default:
      return ui.t(`field.${source}`);
  }
}

/** Formats a value: declared texts unchanged, quantities and list values in the site's language. */
export function valueText({ source }: Named, { text }: Pick<CharacteristicValue, 'text'>, ui: Ui): string {
  const dimension = DIMENSION_FIELDS.find((field) => field === source);
  if (dimension) {
    const { text: digits, unit } = toMeasure(dimension, toDecimal(text));
    return ui.formats.measure(digits, unit);
  }
  if (source === 'availability') return ui.t(`availability.${availability.parse(text)}`);
  if (source === 'folded') return ui.t(text === 'yes' ? 'yes' : 'no');
  const document = source === 'documents' && DOCUMENT_FIELDS.find((field) => field === text);
  return document ? ui.t(`field.${document}`) : text;
}

/** Returns the label of an option: its class, value, or range. */
export function optionText(facet: Named, { values }: Pick<FacetOptionSummary, 'values'>, ui: Ui): string {
  const [from, to] = values;
  const text = from.className ?? valueText(facet, from, ui);
  return to ? ui.t('facet.span', { from: text, to: valueText(facet, to, ui) }) : text;
}
