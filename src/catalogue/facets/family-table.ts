import type { Characteristic } from './group-characteristics.ts';

/** Table of a family for its list and the comparison, in one language: `facets.json`. */
export interface FamilyTable {
  products: TableProduct[];
  columns: TableColumn[];
  /** Version of the product group. Only its lists have the same products in the same rows. */
  version: string;
}

/** Table of all products for filtering, in one language: `products/facets.json`. */
export interface CatalogueTable {
  /** Number of products of each family, in the order of the page. */
  counts: number[];
  /** Versions of the families, separated by spaces. */
  version: string;
  columns: (Pick<TableColumn, 'id' | 'kind' | 'of'> & { values: Pick<TableValue, 'id' | 'low' | 'high'>[] })[];
}

export interface TableProduct {
  gtin: string;
  name: string;
  path: string;
  item: string;
  size: string;
  /** Declared value of each column of lists. Empty if none is declared. */
  values: string[];
  /** Norm of each value, if its column has several. */
  norms: string[];
  /** Path of its picture in lists. */
  image?: string | undefined;
  /** Language of the name and the values if it differs from the page's language. */
  lang?: string | undefined;
}

export interface TableColumn extends Pick<Characteristic, 'id' | 'kind' | 'unit' | 'of'> {
  name: string;
  norm?: string | undefined;
  values: TableValue[];
}

export interface TableValue {
  /** ID of the option. Values of one class share it. */
  id?: string | undefined;
  /** Display text. Declared values are shown as declared. */
  text: string;
  lang?: string | undefined;
  /** Lowest and highest number covered, for sorting and filtering. */
  low?: number | undefined;
  high?: number | undefined;
}

export interface CompareRow {
  id: string;
  name: string;
  norm?: string | undefined;
  /** Declared values of each product. Empty if a product declares none. */
  cells: TableValue[][];
  /** True if the products declare different values. */
  differs: boolean;
}

export const MAX_COMPARED = 4;

/**
 * Creates the rows of a comparison. Rows without values are omitted.
 * @param positions Indexes of the products in the table.
 */
export function compareRows({ columns }: Pick<FamilyTable, 'columns'>, positions: readonly number[]): CompareRow[] {
  return columns.flatMap(({ id, name, norm, values, of }): CompareRow | [] => {
    const cells = positions.map((position) => (of[position] ?? []).flatMap((value) => values[value] ?? []));
    if (cells.every((cell) => cell.length === 0)) return [];
    const distinctCells = new Set(cells.map((cell) => JSON.stringify(cell.map(({ text }) => text).toSorted())));
    return { id, name, norm, cells, differs: distinctCells.size > 1 };
  });
}
