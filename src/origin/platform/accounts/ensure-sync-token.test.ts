import { afterAll, beforeAll, expect, test } from 'vitest';
import { productToken, user } from '#origin/platform/store/schema.ts';
import { createTestContext, type TestContext } from '#origin/testing/test-context.ts';
import { ensureSyncToken } from './product-tokens.ts';
import { createUser } from './users.ts';

let context: TestContext;
let other: TestContext;
beforeAll(async () => {
  context = await createTestContext();
  other = await createTestContext({ store: context.store });
}, 60_000);
afterAll(() => context.store.close());

test('two origins that start at once on an empty store both get a token, of one account', async () => {
  const { db } = context.store;
  for (let round = 0; round < 20; round += 1) {
    const tokens = await Promise.all([ensureSyncToken(context), ensureSyncToken(other)]);
    expect(tokens).toEqual([expect.stringMatching(/^[0-9a-f]{40}$/), expect.stringMatching(/^[0-9a-f]{40}$/)]);
    expect(await db.select({ login: user.login }).from(user)).toEqual([{ login: 'sync' }]);
    await db.delete(productToken);
    await db.delete(user);
  }
});

test('where the name is taken by somebody who may read no products, the error says what to do', async () => {
  await createUser(context, { login: 'sync', email: 'sync@example.org', role: 'subscriber' });
  await expect(ensureSyncToken(context)).rejects.toMatchObject({
    code: 'SYNC_USER_MISSING',
    hint: expect.stringContaining('user create'),
  });
});
