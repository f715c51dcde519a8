import { expect, test } from 'vitest';
import { option, user } from '#origin/platform/store/schema.ts';
import { createTestContext } from './test-context.ts';

test('has the tables of the schema, empty', async () => {
  const context = await createTestContext({ product: { additions: false } });
  expect(await context.store.db.select().from(user)).toEqual([]);
  expect(context.product.additions).toBe(false);
  context.log('a line');
  expect(context.logged).toEqual(['a line']);
  await context.store.close();
}, 60_000);

test('is empty after another was closed, which no longer responds', async () => {
  const before = await createTestContext();
  await before.store.db.insert(option).values({ name: 'left', value: 1 });
  await before.store.close();
  const after = await createTestContext();
  expect(await after.store.db.select().from(option)).toEqual([]);
  await expect(async () => before.store.db.select().from(option)).rejects.toThrow();
  await after.store.close();
}, 60_000);
