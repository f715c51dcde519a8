import type { TableColumn } from '#catalogue/facets/family-table.ts';

/** Selection of a filter page, stored in the URL's query so that it can be shared. */
export interface FilterChoice {
  /** Maps columns to values; a product must have one of them. */
  values: Map<string, ReadonlySet<string>>;
  /** Maps columns to inclusive limits; a product's number must overlap them. */
  limits: Map<string, { min: number; max: number }>;
  sort?: { column: string; descending: boolean } | undefined;
}

/** Parses `fire-class=b&fire-class=e&width.min=60&sort=-width`. Ignores parameters that aren't columns. */
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
