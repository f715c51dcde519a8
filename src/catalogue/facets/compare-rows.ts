import type { FamilyTable, TableValue } from './family-table.ts';

/** One line of a comparison. */
export interface CompareRow {
  id: string;
  name: string;
  norm?: string | undefined;
  /** For each product what it declares; nothing where nothing is declared. */
  cells: TableValue[][];
  /** Whether the products say different things. */
  differs: boolean;
}

/** Products that can be put side by side by choice. */
export const MAX_COMPARED = 4;

/**
 * What products declare, line by line: what none of them says is left out.
 * @param places Of the products in the table.
 */
export function compareRows({ columns }: Pick<FamilyTable, 'columns'>, places: readonly number[]): CompareRow[] {
  return columns.flatMap(({ id, name, norm, values, of }): CompareRow | [] => {
    const cells = places.map((place) => (of[place] ?? []).flatMap((value) => values[value] ?? []));
    if (cells.every((cell) => cell.length === 0)) return [];
    const said = new Set(cells.map((cell) => JSON.stringify(cell.map(({ text }) => text).toSorted())));
    return { id, name, norm, cells, differs: said.size > 1 };
  });
}
