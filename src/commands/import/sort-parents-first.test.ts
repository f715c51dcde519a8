import { expect, it } from 'vitest';
import { sortParentsFirst } from './import-articles.ts';

const idsOf = (rows: readonly { id: number; parent: number }[]) => sortParentsFirst(rows).map(({ id }) => id);

it('sorts parents before children and tolerates cycles', () => {
  expect(
    idsOf([
      { id: 1, parent: 3 },
      { id: 2, parent: 0 },
      { id: 3, parent: 2 },
    ]),
  ).toEqual([2, 3, 1]);
  expect(
    idsOf([
      { id: 1, parent: 2 },
      { id: 2, parent: 1 },
      { id: 3, parent: 3 },
    ]),
  ).toEqual([2, 1, 3]);
});

it('visits each row of a deep thread once', () => {
  let looks = 0;
  const deep = Array.from({ length: 50_000 }, (_, n) => ({
    id: n + 1,
    get parent() {
      looks += 1;
      return n + 2;
    },
  }));
  expect(idsOf(deep)[0]).toBe(50_000);
  expect(looks).toBeLessThanOrEqual(deep.length);
});
