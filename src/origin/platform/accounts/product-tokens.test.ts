import { afterAll, beforeAll, expect, test } from 'vitest';
import { productToken } from '#origin/platform/store/schema.ts';
import { createTestContext, type TestContext } from '#origin/testing/test-context.ts';
import {
  createProductToken,
  findTokenOwner,
  listProductTokens,
  decryptTokens,
  revokeProductToken,
} from './product-tokens.ts';
import { createUser } from './users.ts';

let context: TestContext;
let userId: number;

beforeAll(async () => {
  context = await createTestContext();
  userId = (await createUser(context, { login: 'planer', email: 'planer@example.org', role: 'author' })).id;
}, 60_000);
afterAll(() => context.store.close());

test('a token finds its owner until it is revoked', async () => {
  const { id, token } = await createProductToken(context, { userId, label: 'Shop' });
  expect(token).toMatch(/^[0-9a-f]{40}$/);
  expect(await findTokenOwner(context, token)).toMatchObject({ tokenId: id, user: { login: 'planer', active: true } });
  expect(await findTokenOwner(context, token.toUpperCase())).toBeUndefined();
  expect(await findTokenOwner(context, '')).toBeUndefined();

  expect(await revokeProductToken(context, id)).toBe(true);
  expect(await revokeProductToken(context, id)).toBe(false);
  expect(await findTokenOwner(context, token)).toBeUndefined();
  expect(await listProductTokens(context, { userId })).toMatchObject([
    { id, label: 'Shop', revokedAt: expect.any(Date) },
  ]);
  expect(await decryptTokens(context, userId)).toEqual([]);
});

test('the store holds no token in clear, and another key opens none', async () => {
  const { token } = await createProductToken(context, { userId });
  const rows = await context.store.db.select().from(productToken);
  expect(JSON.stringify(rows)).not.toContain(token);
  expect(rows.some((row) => Buffer.from(row.sealed).toString('latin1').includes(token))).toBe(false);

  expect((await decryptTokens(context, userId)).map((entry) => entry.token)).toEqual([token]);
  const stranger = { ...context, key: new Uint8Array(32).fill(8) };
  expect((await decryptTokens(stranger, userId)).map((entry) => entry.token)).toEqual([undefined]);
});

test('each token is sealed under a nonce of its own, and no bit of it can be changed', async () => {
  const { sealText } = await import('./sealed-texts.ts');
  const { unsealText } = await import('./sealed-texts.ts');
  const sealed = sealText(context.key, 'ä token');
  expect(sealText(context.key, 'ä token')).not.toEqual(sealed);
  expect(unsealText(context.key, sealed)).toBe('ä token');
  for (const position of [0, 12, 28, sealed.length - 1]) {
    const changed = sealed.map((byte, i) => (i === position ? byte ^ 1 : byte));
    expect(unsealText(context.key, changed)).toBeUndefined();
  }
  expect(unsealText(context.key, sealed.subarray(0, 20))).toBeUndefined();
});
