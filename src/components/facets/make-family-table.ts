import type { FamilyTable, TableColumn } from '#catalogue/facets/family-table.ts';
import { highlightedColumns } from '#catalogue/facets/highlighted-columns.ts';
import { groupCharacteristics } from '#catalogue/facets/group-characteristics.ts';
import { productPath } from '#catalogue/addresses/paths.ts';
import type { Highlight } from '#catalogue/products/key-values.ts';
import type { ProductGroup } from '#catalogue/site/product-groups.ts';
import type { Ui } from '#i18n/index.ts';
import { formatDimensions } from '../product/format-dimensions.ts';
import { facetName, valueText } from './facet-text.ts';

/** Creates the comparison table of products in a language; columns shown in lists come first. */
export function makeFamilyTable(products: ProductGroup['products'], named: readonly Highlight[], ui: Ui): FamilyTable {
  const characteristics = groupCharacteristics(products).filter(({ values }) => values.length > 0);
  const highlights = highlightedColumns(characteristics, named);
  const first = highlights.flat();
  const inOrder = [
    ...first.flatMap((id) => characteristics.find((one) => one.id === id) ?? []),
    ...characteristics.filter(({ id }) => !first.includes(id)),
  ];
  return {
    products: products.map((product) => ({
      gtin: product.gtin,
      name: product.name,
      path: productPath(ui.language, product.slug),
      item: product.item_number,
      size: formatDimensions(product, ui.formats),
      lang: ui.langOf(product.language),
    })),
    highlights,
    columns: inOrder.map((characteristic): TableColumn => ({
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
