import { expect, test } from 'vitest';
import { user } from './store/schema.ts';
import { createTestContext } from './test-context.ts';

test('has the tables of the schema, empty', async () => {
  const context = await createTestContext({ product: { additions: false } });
  expect(await context.store.db.select().from(user)).toEqual([]);
  expect(context.product.additions).toBe(false);
  context.log('a line');
  expect(context.logged).toEqual(['a line']);
  await context.store.close();
}, 60_000);
