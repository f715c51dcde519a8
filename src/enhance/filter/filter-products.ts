import type { FamilyTable, TableColumn } from '#catalogue/facets/family-table.ts';
import type { FilterChoice } from './filter-choice.ts';

export interface Filtered {
  /** Sorted indexes of the matching products. */
  found: number[];
  /**
   * Maps columns and values to the number of products if that value were selected too. Ignores other values of the same
   * column.
   */
  counts: Map<string, Map<string, number>>;
}

/** Filters products: values of a column are alternatives, and different columns must all match. */
export function filterProducts({ products, columns }: FamilyTable, choice: FilterChoice): Filtered {
  const tests = columns.map((column) => testOf(column, choice));
  const counts = new Map<string, Map<string, number>>(
    columns.filter(({ kind }) => kind === 'choice').map(({ id }) => [id, new Map()]),
  );
  const found: number[] = [];
  for (const place of products.keys()) {
    const failed = failedTests(tests, place);
    if (failed.length > 1) continue;
    if (failed.length === 0) found.push(place);
    // A product that fails in a single column counts for that column: selecting its value would include it.
    for (const [i, column] of columns.entries()) {
      const tally = counts.get(column.id);
      if (tally && (failed.length === 0 || failed[0] === i)) countValues(column, place, tally);
    }
  }
  return { found: sortPlaces(found, columns, choice.sort), counts };
}

type Test = ((place: number) => boolean) | undefined;

function testOf({ id, values, of }: TableColumn, choice: FilterChoice): Test {
  const chosen = choice.values.get(id);
  const limits = choice.limits.get(id);
  if (!chosen && !limits) return undefined;
  const passing = values.map(({ id: value, low, high }) => {
    if (chosen) return value !== undefined && chosen.has(value);
    return limits !== undefined && low !== undefined && high !== undefined && high >= limits.min && low <= limits.max;
  });
  return (place) => of[place]?.some((value) => passing[value]) ?? false;
}

/** Returns the failed columns of a product, at most two. */
function failedTests(tests: readonly Test[], place: number): number[] {
  const failed: number[] = [];
  for (const [i, test] of tests.entries()) {
    if (test && !test(place)) failed.push(i);
    if (failed.length > 1) break;
  }
  return failed;
}

function countValues({ values, of }: TableColumn, place: number, tally: Map<string, number>): void {
  const ids = (of[place] ?? []).flatMap((value) => values[value]?.id ?? []);
  // Two declared texts may belong to the same class.
  for (const [i, id] of ids.entries()) if (ids.indexOf(id) === i) tally.set(id, (tally.get(id) ?? 0) + 1);
}

/** Sorts products; those without a value come last in either direction. */
function sortPlaces(places: number[], columns: readonly TableColumn[], sort: FilterChoice['sort']): number[] {
  const column = columns.find(({ id }) => id === sort?.column);
  if (!column || !sort) return places;
  const numberOf = (place: number): number | undefined => {
    const numbers = (column.of[place] ?? []).flatMap((value) => column.values[value]?.low ?? []);
    return numbers.length === 0 ? undefined : Math.min(...numbers);
  };
  const numbers = new Map(places.map((place) => [place, numberOf(place)]));
  return places.toSorted((a, b) => {
    const [left, right] = [numbers.get(a), numbers.get(b)];
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
    return sort.descending ? right - left : left - right;
  });
}
