import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { createTestContext } from '#origin/testing/test-context.ts';
import { retryTransaction } from './query-errors.ts';

vi.setConfig({ testTimeout: 120_000 });

const fail = (state: string) => sql.raw(`do $$ begin raise exception 'told to' using errcode = '${state}'; end $$`);

test.each(['40001', '40P01'])('runs a transaction again after %s', async (state) => {
  const { store } = await createTestContext();
  let runs = 0;
  const result = await retryTransaction(store.db, async (tx) => {
    runs += 1;
    if (runs < 3) await tx.execute(fail(state));
    return 'done';
  });
  expect([result, runs]).toEqual(['done', 3]);
  await store.close();
});

test('lets other errors through at once, and gives up in the end', async () => {
  const { store } = await createTestContext();
  let runs = 0;
  const run = (state: string) =>
    retryTransaction(store.db, async (tx) => {
      runs += 1;
      await tx.execute(fail(state));
    });
  await expect(run('23505')).rejects.toMatchObject({ cause: { code: '23505' } });
  expect(runs).toBe(1);
  await expect(run('40001')).rejects.toMatchObject({ cause: { code: '40001' } });
  expect(runs).toBe(7);
  await store.close();
});
