import { eq, inArray } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApplicationPassword } from '#origin/platform/accounts/application-passwords.ts';
import { createUser } from '#origin/platform/accounts/users.ts';
import { publishingInterface } from '#origin/server/publishing/publishing-interface.ts';
import { temporaryFolder } from '#origin/platform/store/testing/temporary-folder.ts';
import { openStore } from '#origin/platform/store/open-store.ts';
import type { OpenStore } from '#origin/platform/store/store.ts';
import { content, option, outbox } from '#origin/platform/store/schema.ts';
import { startTestPostgres } from '#origin/platform/store/testing/start-test-postgres.ts';
import { createTestContext, type TestContext } from '#origin/testing/test-context.ts';
import { publishDuePosts } from '#origin/namespaces/core/schedule/start-schedule.ts';

const PASSWORD = 'twenty-four characters!!';
const AUTHORIZATION = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;

const postgres = await startTestPostgres();
afterAll(() => postgres?.stop());

interface Row extends Record<string, unknown> {
  id: number;
  slug: string;
}

const together = <T>(count: number, run: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => run(n)));

/** Two processes of an origin over one database; over the embedded store there can only be one. */
describe.each(['pglite', ...(postgres ? ['postgres' as const] : [])] as const)('over %s', (engine) => {
  const stores: OpenStore[] = [];
  let contexts: TestContext[] = [];
  let send: (method: string, path: string, fields?: object) => Promise<{ status: number; body: Row }>;

  beforeAll(async () => {
    const databaseUrl = engine === 'postgres' ? await postgres?.createDatabase('writing') : undefined;
    for (let n = 0; n < (databaseUrl ? 2 : 1); n += 1)
      stores.push(await openStore({ dataFolder: temporaryFolder(), databaseUrl }));
    contexts = await Promise.all(stores.map((store) => createTestContext({ store })));
    const [first] = contexts;
    if (!first) throw new Error('There is no store.');
    const { id } = await createUser(first, { login: 'admin', email: 'a@origin.test', role: 'administrator' });
    await createApplicationPassword(first, { userId: id, name: 'tests', plain: PASSWORD });
    await first.store.db.insert(option).values({ name: 'site', value: { timezone: 'UTC' } });
    const apps = contexts.map((context) => publishingInterface(context));
    let turn = 0;
    send = async (method, path, fields) => {
      turn += 1;
      const response = await apps[turn % apps.length]?.request(`/rest/core/v2/${path}`, {
        method,
        headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
        ...(fields ? { body: JSON.stringify(fields) } : {}),
      });
      return { status: response?.status ?? 0, body: (await response?.json()) as Row };
    };
  }, 120_000);
  afterAll(() => Promise.all(stores.map((store) => store.close())));

  test('many rows of one name get a slug each', async () => {
    const answers = await together(12, () => send('POST', 'posts', { title: 'Same', status: 'publish' }));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ body }) => body.slug)).size).toBe(12);
    const terms = await together(6, (n) => send('POST', 'tags', { name: `Same ${n}`, slug: 'same' }));
    expect(new Set(terms.map(({ body }) => body.slug)).size).toBe(6);
  });

  test('of many changes to one row each leaves a revision, and fields that were not sent stay', async () => {
    const { id } = (await send('POST', 'posts', { title: 'Row', content: 'zero' })).body;
    await together(8, (n) =>
      n % 2
        ? send('PATCH', `posts/${id}`, { content: `text ${n}` })
        : send('PATCH', `posts/${id}`, { title: `name ${n}` }),
    );
    const row = (await send('GET', `posts/${id}?context=edit`)).body;
    const states = (await send('GET', `posts/${id}/revisions?context=edit`)).body as unknown as Row[];
    const said = JSON.stringify(states);
    for (let n = 0; n < 8; n += 1) expect(said).toContain(n % 2 ? `text ${n}` : `name ${n}`);
    const [newest] = states;
    expect(row).toMatchObject({ title: newest?.['title'], content: newest?.['content'] });
  });

  test('two pages can not come to lie below each other', async () => {
    const [a, b] = await together(2, async (n) => (await send('POST', 'pages', { title: `P${n}` })).body.id);
    await Promise.all([send('POST', `pages/${a}`, { parent: b }), send('POST', `pages/${b}`, { parent: a })]);
    const pages = await together(2, async (n) => (await send('GET', `pages/${n ? b : a}`)).body['parent']);
    expect(pages.filter((parent) => parent === 0)).toHaveLength(1);
  });

  test('a row is deleted once, by whoever comes first', async () => {
    const { id } = (await send('POST', 'posts', { title: 'Gone', status: 'publish' })).body;
    const answers = await together(4, () => send('DELETE', `posts/${id}?force=true`));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404]);
  });

  test('a user has one autosave, however many come at once', async () => {
    const { id } = (await send('POST', 'posts', { title: 'Typed', status: 'publish' })).body;
    await together(5, (n) => send('POST', `posts/${id}/autosaves`, { title: `Typed ${n}` }));
    expect((await send('GET', `posts/${id}/autosaves`)).body).toHaveLength(1);
  });

  test('what is due is published by one process', async () => {
    const ids = (
      await together(5, (n) =>
        send('POST', 'posts', { title: `Due ${n}`, status: 'publish', date: '2040-01-01T00:00:00' }),
      )
    ).map(({ body }) => body.id);
    const { db } = contexts[0]?.store ?? {};
    await db?.delete(outbox);
    const now = new Date('2040-01-01T00:00:00Z');
    const published = await Promise.all([...contexts, ...contexts].map((context) => publishDuePosts(context, now)));
    expect(published.flat().toSorted()).toEqual(ids.toSorted());
    const rows = (await db?.select().from(content).where(inArray(content.id, ids))) ?? [];
    expect(rows.every(({ status }) => status === 'publish')).toBe(true);
    const announced = ((await db?.select().from(outbox).where(eq(outbox.kind, 'origin.changed'))) ?? []).flatMap(
      ({ payload }) => payload['changes'] as object[],
    );
    expect(announced).toHaveLength(5);
  });
});
