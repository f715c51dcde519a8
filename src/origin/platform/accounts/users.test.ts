import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestContext, type TestContext } from '#origin/testing/test-context.ts';
import { createUser, findUserByPassword } from './users.ts';

let context: TestContext;

beforeAll(async () => {
  context = await createTestContext();
}, 60_000);
afterAll(() => context.store.close());

test('a user signs in by login or address, if there is a password and the account is active', async () => {
  const created = await createUser(context, {
    login: 'Jörg Müller',
    email: 'Joerg@Example.org',
    role: 'author',
    password: 'ein langes Passwort',
  });
  expect(created).toMatchObject({
    name: 'Jörg Müller',
    slug: 'joerg-mueller',
    email: 'joerg@example.org',
    active: true,
  });
  expect((await findUserByPassword(context, 'jörg müller', 'ein langes Passwort'))?.id).toBe(created.id);
  expect((await findUserByPassword(context, ' JOERG@example.org', 'ein langes Passwort'))?.id).toBe(created.id);
  expect(await findUserByPassword(context, 'Jörg Müller', 'ein Passwort')).toBeUndefined();
  expect(await findUserByPassword(context, 'nobody', 'ein langes Passwort')).toBeUndefined();

  await createUser(context, { login: 'robot', email: 'robot@example.org', role: 'author' });
  expect(await findUserByPassword(context, 'robot', '')).toBeUndefined();
  await createUser(context, {
    login: 'gone',
    email: 'gone@example.org',
    role: 'author',
    password: 'auch richtig',
    active: false,
  });
  expect(await findUserByPassword(context, 'gone', 'auch richtig')).toBeUndefined();
}, 60_000);

test('logins and addresses are unique in any case, slugs give way', async () => {
  await createUser(context, { login: 'anna', email: 'anna@example.org', role: 'author' });
  await expect(createUser(context, { login: 'ANNA', email: 'a@example.org', role: 'author' })).rejects.toMatchObject({
    code: 'LOGIN_TAKEN',
  });
  await expect(createUser(context, { login: 'a', email: 'Anna@example.org', role: 'author' })).rejects.toMatchObject({
    code: 'EMAIL_TAKEN',
  });
  const second = await createUser(context, { login: 'anna!', email: 'anna2@example.org', role: 'author' });
  expect(second.slug).toBe('anna-2');
});
