import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { mapConcurrently } from './sync-options.ts';

it('runs so many at once and keeps the order', async () => {
  let running = 0;
  let most = 0;
  const results: number[] = [];
  const items = Array.from({ length: 50 }, (_, i) => i);
  const run = async (item: number) => {
    running += 1;
    most = Math.max(most, running);
    await sleep(item % 7);
    running -= 1;
    return item;
  };
  for await (const result of mapConcurrently(items, 4, run)) results.push(result);
  expect(results).toEqual(items);
  expect(most).toBe(4);
});

it('begins nothing new once one has failed, and lets none of the others reject unheard', async () => {
  let begun = 0;
  const run = async (item: number) => {
    begun += 1;
    await sleep(1);
    if (item >= 3) throw new Error(`no ${item}`);
    return item;
  };
  const read = async () => {
    for await (const _ of mapConcurrently(
      Array.from({ length: 1000 }, (_, i) => i),
      2,
      run,
    ));
  };
  await expect(read()).rejects.toThrow('no 3');
  await sleep(50);
  expect(begun).toBeLessThan(20);
});
