import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applicationPassword, user } from '#origin/platform/store/schema.ts';
import { createTestContext, type TestContext } from '#origin/testing/test-context.ts';
import { createApplicationPassword } from './application-passwords.ts';
import { createUser, findApplicationPassword } from './users.ts';

let context: TestContext;
let userId: number;

beforeAll(async () => {
  context = await createTestContext();
  userId = (await createUser(context, { login: 'Redaktion', email: 'Redaktion@Example.org', role: 'editor' })).id;
  await createUser(context, { login: 'other', email: 'other@example.org', role: 'editor' });
}, 60_000);
afterAll(() => context.store.close());

test('opens by login or address, with or without its spaces, for its owner only', async () => {
  const { uuid, password } = await createApplicationPassword(context, { userId, name: 'sync' });
  expect(password).toMatch(/^([a-zA-Z0-9]{4} ){5}[a-zA-Z0-9]{4}$/);
  const found = { uuid, user: { id: userId } };
  expect(await findApplicationPassword(context, 'redaktion', password)).toMatchObject(found);
  expect(await findApplicationPassword(context, 'redaktion@example.ORG', password.replaceAll(' ', ''))).toMatchObject(
    found,
  );
  expect(await findApplicationPassword(context, 'Redaktion', `${password.replaceAll(' ', '-')}!`)).toMatchObject(found);
  expect(await findApplicationPassword(context, 'other', password)).toBeUndefined();
  expect(await findApplicationPassword(context, 'nobody', password)).toBeUndefined();
  expect(await findApplicationPassword(context, 'Redaktion', '')).toBeUndefined();
});

test('records its use at most once a day', async () => {
  const plain = 'abcd efgh ijkl mnop qrst uvwx';
  const { uuid } = await createApplicationPassword(context, { userId, name: 'seeded', plain });
  const read = async () => {
    const [row] = await context.store.db.select().from(applicationPassword).where(eq(applicationPassword.uuid, uuid));
    return row;
  };
  expect(await read()).toMatchObject({ lastUsedAt: null, lastIp: null });

  await findApplicationPassword(context, 'Redaktion', plain, () => '192.0.2.1');
  const first = await read();
  expect(first).toMatchObject({ lastIp: '192.0.2.1', lastUsedAt: expect.any(Date) });
  await findApplicationPassword(context, 'Redaktion', plain, () => '192.0.2.2');
  expect(await read()).toEqual(first);

  const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000);
  await context.store.db.update(applicationPassword).set({ lastUsedAt: yesterday });
  await findApplicationPassword(context, 'Redaktion', plain, () => '192.0.2.2');
  expect((await read())?.lastIp).toBe('192.0.2.2');
});

test('opens nothing for an inactive user', async () => {
  const { password } = await createApplicationPassword(context, { userId, name: 'x' });
  await context.store.db.update(user).set({ active: false }).where(eq(user.id, userId));
  expect(await findApplicationPassword(context, 'Redaktion', password)).toBeUndefined();
});
