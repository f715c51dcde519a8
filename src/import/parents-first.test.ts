import { expect, it } from 'vitest';
import { parentsFirst } from './parents-first.ts';

const idsOf = (rows: readonly { id: number; parent: number }[]) => parentsFirst(rows).map(({ id }) => id);

it('puts each row behind the one it hangs on, and keeps those that hang on themselves', () => {
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

it('takes no time for a thread that is as deep as it is long', () => {
  const deep = Array.from({ length: 50_000 }, (_, n) => ({ id: n + 1, parent: n + 2 }));
  const before = process.threadCpuUsage();
  expect(idsOf(deep)[0]).toBe(50_000);
  expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(1000);
});
