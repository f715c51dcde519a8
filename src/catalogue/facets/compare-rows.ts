import type { FamilyTable, TableValue } from './family-table.ts';

/** Row of a comparison. */
export interface CompareRow {
  id: string;
  name: string;
  norm?: string | undefined;
  /** Declared values of each product. Empty if a product declares none. */
  cells: TableValue[][];
  /** True if the products declare different values. */
  differs: boolean;
}

/** Maximum number of products in a comparison. */
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
