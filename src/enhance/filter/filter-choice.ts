import type { TableColumn } from '#catalogue/facets/family-table.ts';

/** What is chosen of a family: the query of the page's address says it, so that it can be shared. */
export interface FilterChoice {
  /** Column -> values of which a product has to have one. */
  values: Map<string, ReadonlySet<string>>;
  /** Column -> limits into which a number of a product has to reach, both included. */
  limits: Map<string, { min: number; max: number }>;
  sort?: { column: string; descending: boolean } | undefined;
}

/** Reads `fire-class=b&fire-class=e&width.min=60&sort=-width`. What names no column is for others. */
export function readFilterChoice(
  query: URLSearchParams,
  columns: readonly Pick<TableColumn, 'id' | 'kind'>[],
): FilterChoice {
  const choice: FilterChoice = { values: new Map(), limits: new Map() };
  for (const { id, kind } of columns) {
    if (kind === 'choice' && query.has(id)) choice.values.set(id, new Set(query.getAll(id)));
    if (kind !== 'number') continue;
    const min = readNumber(query.get(`${id}.min`)) ?? -Infinity;
    const max = readNumber(query.get(`${id}.max`)) ?? Infinity;
    if (min > -Infinity || max < Infinity) choice.limits.set(id, { min, max });
  }
  const sort = query.get('sort') ?? '';
  const column = sort.replace(/^-/, '');
  if (columns.some(({ id }) => id === column)) choice.sort = { column, descending: sort.startsWith('-') };
  return choice;
}

function readNumber(text: string | null): number | undefined {
  const number = Number(text);
  return text && Number.isFinite(number) ? number : undefined;
}
