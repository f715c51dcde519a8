import type { FamilyTable, TableColumn } from '#catalogue/facets/family-table.ts';
import type { FilterChoice } from './filter-choice.ts';

export interface FilterResult {
  /** Sorted indexes of the matching products. */
  found: number[];
  /**
   * Maps columns and values to the number of products if that value were selected too. Ignores other values of the same
   * column.
   */
  counts: Map<string, Map<string, number>>;
}

/** Filters products: values of a column are alternatives, and different columns must all match. */
export function filterProducts({ products, columns }: FamilyTable, choice: FilterChoice): FilterResult {
  const tests = columns.map((column) => createTest(column, choice));
  const counts = new Map<string, Map<string, number>>(
    columns.filter(({ kind }) => kind === 'choice').map(({ id }) => [id, new Map()]),
  );
  const found: number[] = [];
  for (const index of products.keys()) {
    const failed = failedTests(tests, index);
    if (failed.length > 1) continue;
    if (failed.length === 0) found.push(index);
    // A product that fails in a single column counts for that column: selecting its value would include it.
    for (const [i, column] of columns.entries()) {
      const tally = counts.get(column.id);
      if (tally && (failed.length === 0 || failed[0] === i)) countValues(column, index, tally);
    }
  }
  return { found: sortIndexes(found, columns, choice.sort), counts };
}

type Test = ((index: number) => boolean) | undefined;

function createTest({ id, values, of }: TableColumn, choice: FilterChoice): Test {
  const chosen = choice.values.get(id);
  const limits = choice.limits.get(id);
  if (!chosen && !limits) return undefined;
  const passing = values.map(({ id: value, low, high }) => {
    if (chosen) return value !== undefined && chosen.has(value);
    return limits !== undefined && low !== undefined && high !== undefined && high >= limits.min && low <= limits.max;
  });
  return (index) => of[index]?.some((value) => passing[value]) ?? false;
}

/** Returns the failed columns of a product, at most two. */
function failedTests(tests: readonly Test[], index: number): number[] {
  const failed: number[] = [];
  for (const [i, test] of tests.entries()) {
    if (test && !test(index)) failed.push(i);
    if (failed.length > 1) break;
  }
  return failed;
}

function countValues({ values, of }: TableColumn, index: number, tally: Map<string, number>): void {
  const ids = (of[index] ?? []).flatMap((value) => values[value]?.id ?? []);
  // Two declared texts may belong to the same class.
  for (const [i, id] of ids.entries()) if (ids.indexOf(id) === i) tally.set(id, (tally.get(id) ?? 0) + 1);
}

/** Sorts products; those without a value come last in either direction. */
function sortIndexes(indexes: number[], columns: readonly TableColumn[], sort: FilterChoice['sort']): number[] {
  const column = columns.find(({ id }) => id === sort?.column);
  if (!column || !sort) return indexes;
  const numberOf = (index: number): number | undefined => {
    const numbers = (column.of[index] ?? []).flatMap((value) => column.values[value]?.low ?? []);
    return numbers.length === 0 ? undefined : Math.min(...numbers);
  };
  const numbers = new Map(indexes.map((index) => [index, numberOf(index)]));
  return indexes.toSorted((a, b) => {
    const [left, right] = [numbers.get(a), numbers.get(b)];
    if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
    return sort.descending ? right - left : left - right;
  });
}
