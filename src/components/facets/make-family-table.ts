import type { FamilyTable, TableColumn } from '#catalogue/facets/family-table.ts';
import {
  groupCharacteristics,
  type CharacteristicValue,
  type Characteristic,
} from '#catalogue/facets/group-characteristics.ts';
import { productPath } from '#catalogue/addresses/paths.ts';
import { pictureSources } from '#catalogue/images/image-variants.ts';
import { columnValues } from '#catalogue/products/key-values.ts';
import type { ProductGroup } from '#catalogue/site/product-groups.ts';
import type { Ui } from '#i18n/index.ts';
import { formatDimensions } from '../product/document-details.ts';
import type { FacetOptionSummary, FacetSummary } from '#catalogue/facets/group-facets.ts';
import { formatField, formatFieldValue } from '../product/field-texts.ts';
import { useName } from '../product/use-texts.ts';
import { toMeasure } from '#catalogue/quantities/measure.ts';
import { availability, DIMENSION_FIELDS, toDecimal } from '#contracts/product/index.ts';

/** Creates the comparison table of products in a language; columns shown in lists come first. */
export function makeFamilyTable(
  products: ProductGroup['products'],
  { columns, version }: Pick<ProductGroup, 'columns' | 'version'>,
  ui: Ui,
): FamilyTable {
  const characteristics = groupCharacteristics(products).filter(({ values }) => values.length > 0);
  const listed = columns.flatMap(({ keys }) =>
    keys.flatMap((name) => characteristics.filter(({ key }) => key === name)),
  );
  return {
    products: products.map((product) => {
      const values = columnValues(product, columns, (view) => formatField(view, ui));
      return {
        gtin: product.gtin,
        name: product.name,
        path: productPath(ui.language, product.slug),
        item: product.item_number,
        size: formatDimensions(product, ui.formats),
        values: values.map((value) => value?.value ?? ''),
        norms: values.map((value) => value?.norm ?? ''),
        image: product.imageAsset && pictureSources(product.imageAsset, 'row').sources.at(-1)?.srcset.split(' ')[0],
        lang: ui.langOf(product.language),
      };
    }),
    version,
    columns: [...new Set([...listed, ...characteristics])].map((characteristic): TableColumn => ({
      id: characteristic.id,
      name: facetName(characteristic, ui),
      norm: characteristic.norm || undefined,
      kind: characteristic.kind,
      unit: characteristic.unit,
      values: characteristic.values.map(({ id, text, language, low, high }) => ({
        id,
        text: valueText(characteristic, { text }, ui),
        lang: language && ui.langOf(language),
        low,
        high,
      })),
      of: characteristic.of,
    })),
  };
}

type Named = Pick<Characteristic, 'source' | 'name'> & Partial<Pick<Characteristic, 'type' | 'unit'>>;

/** Returns the name of a characteristic: fields in the site's language, others as declared. */
export function facetName({ source, name = '' }: Named, ui: Ui): string {
  switch (source) {
    case 'materials':
      return ui.t('product.materials');
    case 'place':
    case 'substrates':
    case 'season':
      return ui.t(`use.${source}`);
    case 'documents':
      return ui.t('product.documents');
    case 'availability':
      return ui.t('facet.availability');
    case 'fire':
      return ui.t('facet.fire');
    case 'attribute':
    case 'field':
      return name;
    default:
      return ui.t(`field.${source}`);
  }
}

/** Formats a value: declared texts unchanged, quantities and list values in the site's language. */
function valueText({ source, type, unit = '' }: Named, { text }: Pick<CharacteristicValue, 'text'>, ui: Ui): string {
  if (type) return formatFieldValue({ type, unit }, text, ui);
  const dimension = DIMENSION_FIELDS.find((field) => field === source);
  if (dimension) {
    const { text: digits, unit } = toMeasure(dimension, toDecimal(text));
    return ui.formats.measure(digits, unit);
  }
  if (source === 'availability') return ui.t(`availability.${availability.parse(text)}`);
  if (source === 'place' || source === 'substrates' || source === 'season') return useName(text, ui);
  if (source === 'folded') return ui.t(text === 'yes' ? 'yes' : 'no');
  return source === 'documents' ? ui.fieldLabel(text) : text;
}

/** Dimensions offered one by one. */
const BUTTON_FIELDS: readonly string[] = ['width', 'height'];
/** Maximum number of other measurements offered one by one. More are chosen by limits. */
const MAX_BUTTONS = 4;

/** True if the values of a facet are chosen one by one, instead of by limits. */
export function hasButtons({ kind, source, options }: Pick<FacetSummary, 'kind' | 'source' | 'options'>): boolean {
  return (
    kind === 'choice' ||
    (options.every(({ values }) => values.length === 1) &&
      (BUTTON_FIELDS.includes(source) || options.length <= MAX_BUTTONS))
  );
}

/** Returns the label of an option: its class, value, or range. */
export function optionText(facet: Named, { values }: Pick<FacetOptionSummary, 'values'>, ui: Ui): string {
  const [from, to] = values;
  const text = from.className ?? valueText(facet, from, ui);
  return to ? ui.t('facet.span', { from: text, to: valueText(facet, to, ui) }) : text;
}
