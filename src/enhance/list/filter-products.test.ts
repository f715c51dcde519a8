import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGroup, DEMO_PRODUCTS } from '#catalogue/testing/create-group.ts';
import { columnValues, familyHighlights, listColumns } from '#catalogue/products/key-values.ts';
import type { FamilyTable } from '#catalogue/facets/family-table.ts';
import { makeFamilyTable } from '#components/facets/make-family-table.ts';
import { createUi } from '#i18n/index.ts';
import { convertLimits, readFilterChoice, filterProducts } from './start-list.ts';

const STRINGS = path.resolve(import.meta.dirname, '../../../content/strings');
const dictionaries = Object.fromEntries(
  readdirSync(STRINGS).map((file) => [
    path.basename(file, '.json'),
    JSON.parse(readFileSync(path.join(STRINGS, file), 'utf8')) as Record<string, string>,
  ]),
);
const tableOf = (taken: readonly number[], language = 'de-de'): FamilyTable =>
  makeTable(createGroup(taken, language), [], language);
const makeTable = (
  products: ReturnType<typeof createGroup>,
  columns: ReturnType<typeof listColumns>,
  language = 'de-de',
): FamilyTable => makeFamilyTable(products, { columns, version: '' }, createUi(dictionaries, language, 'de-de'));

const namesOf = ({ products }: FamilyTable, places: readonly number[]) => places.map((place) => products[place]?.name);
const filter = (table: FamilyTable, query: string) =>
  filterProducts(
    { ...table, size: table.products.length },
    readFilterChoice(new URLSearchParams(query), table.columns),
  );

describe('filterProducts', () => {
  const membranes = tableOf([4, 5, 6]);

  it('finds by class, by limits and by both', () => {
    expect(namesOf(membranes, filter(membranes, 'fire-class=b').found)).toEqual(['DIFFRANA Fassade UV']);
    expect(namesOf(membranes, filter(membranes, 'width.max=1.2').found)).toEqual(['DIFFRANA Sockel KSK']);
    expect(namesOf(membranes, filter(membranes, 'fire-class=e&width.min=1.2').found)).toEqual(['DIFFRANA Dach 150']);
    expect(filter(membranes, 'fire-class=b&width.max=1.2').found).toEqual([]);
  });

  it('has the columns of lists first, the same in every language', () => {
    const highlights = familyHighlights(createGroup([0, 1, 2, 3], 'de-de'), [['EN ISO 12572'], ['EN 12311-2']]);
    for (const language of ['de-de', 'en-gb', 'fr-fr']) {
      const products = createGroup([0, 1, 2, 3], language);
      const columns = listColumns(products, highlights);
      const table = makeTable(products, columns, language);
      const keys = columns.flatMap((column) => column.keys);
      expect(table.columns.slice(0, keys.length).map(({ id }) => id)).toEqual(keys);
    }
  });

  it('has the values of a row below their headings, if others are shared or undeclared', () => {
    const declare = (...values: string[]) =>
      createGroup([0], 'de-de').map((product) => ({
        ...product,
        attributes: values.map((value, i) => ({ name: KEYS[i] ?? '', norm: '', value })),
        attributeKeys: KEYS,
      }));
    const KEYS = ['fire', 'sd', 'force', 'strain'];
    const products = [declare('E', 'NPD', '250 N', '40 %'), declare('E', '–', '300 N', 'NPD')].flat();
    const columns = listColumns(
      products,
      KEYS.map((key) => [key]),
    );
    expect(columns.map(({ name }) => name)).toEqual(['sd', 'force', 'strain']);
    const { products: rows } = makeTable(products, columns);
    expect(rows.map(({ values }) => values)).toEqual([
      ['', '250 N', '40 %'],
      ['', '300 N', ''],
    ]);
    const built = products.map((product) =>
      columnValues(product, columns, () => '').map((value) => value?.value ?? ''),
    );
    expect(rows.map(({ values }) => values)).toEqual(built);
  });

  it('asks for no folding where nothing is folded', () => {
    const [tapes, others] = [tableOf([7, 8, 9]), tableOf([0, 1])].map(({ columns }) => columns.map(({ id }) => id));
    expect(tapes).not.toContain('folded');
    expect(others).toContain('folded');
  });

  it('says what choosing a value would bring', () => {
    const { counts } = filter(membranes, 'fire-class=e&width.min=1.2');
    expect(Object.fromEntries(counts.get('fire-class') ?? [])).toEqual({ b: 1, e: 1 });
    expect(Object.fromEntries(counts.get('availability') ?? [])).toEqual({ available: 1 });
  });

  it('sorts by a value, and puts at the end what declares none', () => {
    const tapes = tableOf([7, 8, 9, 10, 11, 12]);
    const widths = (query: string) =>
      filter(tapes, query).found.map((place) => {
        const { of, values } = tapes.columns.find(({ id }) => id === 'width') ?? { of: [], values: [] };
        return values[of[place]?.[0] ?? -1]?.text;
      });
    expect(widths('sort=width')).toEqual(
      ['25 mm', '50 mm', '60 mm', '60 mm', '100 mm', '150 mm'].map((text) => text.replace(' ', '\u00a0')),
    );
    expect(widths('sort=-width')[0]).toBe('150\u00a0mm');
    const byThickness = filter(tapes, 'sort=-height').found;
    expect(namesOf(tapes, byThickness).slice(0, 2)).toEqual(['KLEVENTO Nagel 50', 'KLEVENTO Butyl 25']);
  });

  it('leaves alone what it does not know', () => {
    expect(filter(membranes, 'utm_source=mail&sort=price&width.min=wide').found).toEqual([0, 1, 2]);
  });

  it('counts as one would count by hand, whatever is chosen', () => {
    const productGroups = fc.array(fc.nat({ max: DEMO_PRODUCTS - 1 }), { minLength: 1, maxLength: 25 });
    fc.assert(
      fc.property(
        productGroups,
        fc.constantFrom('de-de', 'en-gb', 'fr-fr'),
        fc.infiniteStream(fc.nat({ max: 9 })),
        (taken, language, dice) => {
          const table = tableOf(taken, language);
          const roll = (): number => Number(dice.next().value);
          const query = new URLSearchParams();
          for (const { id, kind, values } of table.columns) {
            const some = values.filter(({ id: value }) => value !== undefined);
            if (roll() < 7 || some.length === 0) continue;
            const picked = some[roll() % some.length];
            if (kind === 'choice') {
              query.append(id, picked?.id ?? '');
              if (roll() > 5) query.append(id, some.at(-1)?.id ?? '');
            } else if (kind === 'number') query.append(`${id}.${roll() % 2 ? 'min' : 'max'}`, String(picked?.low));
          }
          const { found, counts } = filter(table, query.toString());
          expect(found).toEqual([...table.products.keys()].filter((place) => holds(table, place, query)));
          for (const { id, kind, values } of table.columns) {
            if (kind !== 'choice') continue;
            for (const value of new Set(values.flatMap(({ id: some }) => some ?? []))) {
              const others = new URLSearchParams(query);
              others.delete(id);
              others.append(id, value);
              const byHand = [...table.products.keys()].filter((place) => holds(table, place, others)).length;
              expect(counts.get(id)?.get(value) ?? 0, `${id}=${value} with ${query.toString()}`).toBe(byHand);
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('convertLimits', () => {
  it('divides the limits of the named columns by a thousand, and leaves the rest', () => {
    const query = new URLSearchParams('length.min=30000&length.max=1234&width.min=60&length=30-m&sort=-length');
    expect(convertLimits(query, ['length']).toString()).toBe(
      'length.min=30&length.max=1.234&width.min=60&length=30-m&sort=-length',
    );
    expect(convertLimits(query, ['']).toString()).toBe(query.toString());
  });
});

/** Reference implementation: checks a single product. */
function holds({ columns }: FamilyTable, place: number, query: URLSearchParams): boolean {
  return columns.every(({ id, values, of }) => {
    const declared = (of[place] ?? []).map((value) => values[value]);
    const chosen = query.getAll(id);
    const [min, max] = [query.get(`${id}.min`), query.get(`${id}.max`)];
    if (chosen.length > 0 && !declared.some((value) => chosen.includes(value?.id ?? ''))) return false;
    if (min === null && max === null) return true;
    return declared.some(
      (value) =>
        value?.low !== undefined &&
        value.high !== undefined &&
        (min === null || value.high >= Number(min)) &&
        (max === null || value.low <= Number(max)),
    );
  });
}
