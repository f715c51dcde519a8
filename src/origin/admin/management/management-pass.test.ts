import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createUser as createAccount } from '#origin/platform/accounts/users.ts';
import { findTokenOwner } from '#origin/platform/accounts/product-tokens.ts';
import { product, productLanguage, session, user } from '#origin/platform/store/schema.ts';
import { createTestContext, type TestContext } from '#origin/testing/test-context.ts';
import { COMMANDS, type CommandName } from './commands.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const GTIN = '9524010000016';
const OTHER = '9524010000023';

let context: TestContext;
beforeAll(async () => void (context = await createTestContext()));
afterAll(() => context.store.close());
beforeEach(async () => {
  for (const table of [product, productLanguage, session, user]) await context.store.db.delete(table);
  for (const code of ['de-de', 'en-gb']) await run('language add', { code });
});

const run = (command: CommandName, args: Record<string, unknown>) => COMMANDS[command](context, args);
const importAll = (...records: unknown[]) =>
  run('product import', { text: records.map((r) => JSON.stringify(r)).join('\n') });

function createRecord(changes: Record<string, unknown> = {}) {
  return {
    name: 'Band',
    gtin: GTIN,
    language: 'de-de',
    price: 12.5,
    availability: 'available',
    datasheet: 'media/de-de/datasheet/band.pdf',
    image: 'https://example.org/band.png',
    attributes: [{ name: 'Brandklasse', norm: 'EN 13501-1', value: 'E' }],
    ...changes,
  };
}

async function stored(language = 'de-de') {
  const rows = await context.store.db.select().from(product).where(eq(product.language, language));
  return rows[0];
}

test('an import accepts JSON or NDJSON and counts new and changed records', async () => {
  const tree = { [GTIN]: { 'de-de': createRecord(), 'en-gb': createRecord({ language: 'en-gb' }) } };
  expect(await run('product import', { text: JSON.stringify(tree, undefined, 2) })).toMatchObject({
    read: 2,
    changed: 2,
  });
  const before = await stored();
  expect(await importAll(createRecord(), createRecord({ gtin: OTHER }))).toMatchObject({ read: 2, changed: 1 });
  expect((await stored())?.modifiedAt).toEqual(before?.modifiedAt);
  expect((await run('product list', { language: 'de-de' })).rows).toMatchObject([
    { gtin: GTIN, name: 'Band' },
    { gtin: OTHER },
  ]);
});

test('an import with invalid records reports all of them and imports none', async () => {
  const failing = importAll(
    createRecord(),
    createRecord({ gtin: '9524010000017' }),
    createRecord({ language: 'it-it', availability: 'maybe', colour: 'red' }),
    createRecord({ language: 'en-gb', datasheet: '../key', price: '1,5' }),
    createRecord(),
  );
  const error = await failing.catch((cause: unknown) => cause);
  expect(error).toMatchObject({ code: 'PRODUCTS_INVALID', hint: expect.stringContaining('Nothing was imported') });
  expect(String(error)).toMatchInlineSnapshot(`
    "SortimentError: 4 of 5 records can't be imported:
    line 2
      gtin is not a GTIN-13 with a valid check digit
    line 3
      colour is not a field of the interface
      availability has the unknown value "maybe"
    line 4
      price is not a number with a decimal point
      datasheet is not an http(s) address
    line 5
      (the value) is a duplicate of line 1"
  `);
  expect(await stored()).toBeUndefined();
});

test('an import rejects contradicting keys, unlisted languages and invalid JSON', async () => {
  const tree = { [OTHER]: { 'de-de': createRecord(), 'it-it': createRecord({ gtin: OTHER, language: 'it-it' }) } };
  await expect(run('product import', { text: JSON.stringify(tree) })).rejects.toThrow(
    /gtin is 9524010000016, its key says 9524010000023[^]*language is it-it, which is not on the language list/,
  );
  await expect(run('product import', { text: 'gtin;name\n1;2' })).rejects.toThrow(
    /line 1\n {2}\(the value\) is not a record in JSON/,
  );
});

test('a change preserves every digit, in one language or in all, and updates time and digest', async () => {
  await importAll(createRecord(), createRecord({ language: 'en-gb' }));
  const before = await stored();
  const result = await run('product set', {
    gtin: GTIN,
    language: 'de-de',
    changes: ['price=149.90', 'intro=Klebt = hält'],
  });
  expect(result).toMatchObject({ changed: true, message: expect.stringContaining('price: 12.5 -> "149.90"') });
  const after = await stored();
  expect(after?.record).toMatchObject({ price: '149.90', intro: 'Klebt = hält', name: 'Band' });
  expect(after?.digest).not.toBe(before?.digest);
  expect(after?.modifiedAt.getTime()).toBeGreaterThan(before?.modifiedAt.getTime() ?? 0);
  expect((await stored('en-gb'))?.record.price).toBe(12.5);

  await run('product set', { gtin: GTIN, changes: ['price=null', 'weight=3', 'folded=true', 'materials=[]'] });
  for (const language of ['de-de', 'en-gb']) {
    expect((await stored(language))?.record).toMatchObject({ price: null, weight: 3, folded: true, materials: [] });
  }
  const same = await stored();
  expect(await run('product set', { gtin: GTIN, changes: ['weight=3'] })).toMatchObject({ changed: false });
  expect((await stored())?.modifiedAt).toEqual(same?.modifiedAt);
});

test.each([
  [['price=cheap'], 'PRODUCT_INVALID', 'price is not a number with a decimal point'],
  [['availability=soon'], 'PRODUCT_INVALID', 'availability has the unknown value "soon"'],
  [['name=null'], 'PRODUCT_INVALID', 'name'],
  [['datasheet=file:///key'], 'PRODUCT_INVALID', 'datasheet is not an http(s) address'],
  [['attributes=[{"name":"a"}]'], 'PRODUCT_INVALID', 'attributes[0].value is missing'],
  [['folded=perhaps'], 'CHANGE_INVALID', 'The value of folded is not JSON'],
  [['colour=red'], 'CHANGE_INVALID', 'Products have no field "colour"'],
  [['gtin=9524010000023'], 'CHANGE_INVALID', "The gtin of a record can't be changed"],
  [['price'], 'CHANGE_INVALID', '"price" is not a change'],
  [[], 'ARGUMENTS_INVALID', 'changes are missing'],
])('product set %j is refused, and nothing changes', async (changes, code, message) => {
  await importAll(createRecord());
  const before = await stored();
  const error = await run('product set', { gtin: GTIN, changes }).catch((cause: unknown) => cause);
  expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
  expect(await stored()).toEqual(before);
});

test('a product is removed in one language or in all; an unknown one is an error', async () => {
  await importAll(createRecord(), createRecord({ language: 'en-gb' }));
  await run('product remove', { gtin: GTIN, language: 'en-gb' });
  expect(await stored('en-gb')).toBeUndefined();
  expect(await run('product remove', { gtin: GTIN })).toMatchObject({ removed: 1 });
  await expect(run('product remove', { gtin: GTIN })).rejects.toMatchObject({ code: 'PRODUCT_UNKNOWN' });
  await expect(run('product set', { gtin: '123', changes: ['price=1'] })).rejects.toMatchObject({
    code: 'ARGUMENTS_INVALID',
    message: expect.stringContaining('gtin is not a GTIN-13'),
  });
});

test('tokens are created for users that can read products, listed without their text, and revoked once', async () => {
  await expect(run('token create', {})).rejects.toMatchObject({ code: 'USER_MISSING' });
  await createAccount(context, { login: 'reader', email: 'r@example.org', role: 'subscriber' });
  await createAccount(context, { login: 'writer', email: 'w@example.org', role: 'author' });
  await createAccount(context, { login: 'boss', email: 'b@example.org', role: 'administrator' });
  await expect(run('token create', { user: 'reader' })).rejects.toMatchObject({ code: 'USER_NOT_ALLOWED' });
  await expect(run('token create', { user: 'nobody' })).rejects.toMatchObject({ code: 'USER_UNKNOWN' });

  const { id, token, user: owner } = await run('token create', { label: 'shop' });
  expect(owner).toBe('boss');
  expect((await findTokenOwner(context, String(token)))?.tokenId).toBe(id);
  expect(JSON.stringify(await run('token list', {}))).not.toContain(token);
  expect((await run('token list', { reveal: true })).rows).toContainEqual(
    expect.objectContaining({ id, token, label: 'shop' }),
  );
  await run('token revoke', { id });
  expect(await findTokenOwner(context, String(token))).toBeUndefined();
  await expect(run('token revoke', { id })).rejects.toMatchObject({ code: 'TOKEN_UNKNOWN' });
});

test('users get a password when none is given; disabling ends their sessions', async () => {
  const made = await run('user create', { login: 'anna', email: 'anna@example.org' });
  expect(made['password']).toMatch(/^[\w-]{16}$/);
  expect(
    await run('user create', { login: 'ben', email: 'ben@example.org', password: 'long enough' }),
  ).not.toHaveProperty('password');
  await expect(run('user create', { login: 'anna', email: 'other@example.org' })).rejects.toMatchObject({
    code: 'LOGIN_TAKEN',
  });
  await context.store.db.insert(session).values({ hash: 'h', userId: Number(made['id']), expiresAt: new Date() });
  await run('user disable', { login: 'anna' });
  expect((await run('user list', {})).rows).toMatchObject([
    { login: 'anna', active: false },
    { login: 'ben', active: true },
  ]);
  expect(await context.store.db.select().from(session)).toEqual([]);
});

test('languages keep their position; their names are known', async () => {
  await run('language add', { code: 'fr-fr' });
  await run('language add', { code: 'de-de', name: 'Deutsch' });
  expect((await run('language list', {})).rows).toEqual([
    { code: 'de-de', name: 'Deutsch', products: 0 },
    { code: 'en-gb', name: 'English (United Kingdom)', products: 0 },
    { code: 'fr-fr', name: 'français (France)', products: 0 },
  ]);
  await expect(run('language add', { code: 'DE' })).rejects.toMatchObject({ code: 'ARGUMENTS_INVALID' });
});
