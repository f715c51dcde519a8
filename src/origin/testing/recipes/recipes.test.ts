import { spawn } from 'node:child_process';
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest';
import { createTransport, type Transport } from '#client/create-transport.ts';
import { publishingClient } from '#client/publishing-client.ts';
import { role, type Role } from '#contracts/core/user-routes.ts';
import { applyModuleMigrations } from '#origin/platform/store/apply-migrations.ts';
import { temporaryFolder } from '#origin/platform/store/testing/temporary-folder.ts';
import { outbox } from '#origin/platform/store/schema.ts';
import { uniformRights } from '#origin/platform/registry/content-kind.ts';
import { createOrigin } from '#origin/server/create-origin.ts';
import { checkModules, type NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { MODULES } from '#origin/server/modules.ts';
import { OPEN_TIMEOUT_MS, openTestSite, testPassword, type TestSite } from '../open-test-site.ts';
import { createTestContext } from '../test-context.ts';
import { recipeRoutes } from './contracts.ts';
import recipes from './module.ts';
import { recipeTable } from './table.ts';

const WITH_RECIPES = [...MODULES, recipes];

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({}, WITH_RECIPES);
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

async function send(method: string, address: string, body?: object, as?: Role) {
  const request = { method, headers: { 'content-type': 'application/json' }, ...(as ? { as } : {}) };
  const answer = await site.fetch(`/recipes/v1/${address}`, {
    ...request,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { ...answer, body: answer.body as Record<string, unknown> & { id: number; code?: string } };
}
const sendSettings = (method: string, body?: object) => send(method, 'settings', body, 'administrator');
const readMe = (as: Role) => site.fetch('/core/v2/users/me?context=edit&_fields=capabilities', { as });
const write = async (fields: object) =>
  (await send('POST', 'recipes', { title: 'Soup', status: 'publish', ...fields }, 'author')).body.id;

describe('the content kind of a third-party namespace', () => {
  test('is written, listed, changed, trashed and deleted like other content, with an additional field', async () => {
    const tag = await site.addTerm({ name: 'Winter', taxonomy: 'post_tag' });
    const created = await send('POST', 'recipes', { title: 'Stew', servings: 4, tags: [tag] }, 'author');
    expect(created).toMatchObject({ status: 201, body: { type: 'recipe', status: 'draft', servings: 4, tags: [tag] } });
    const { id } = created.body;
    expect((await send('GET', `recipes/${id}`)).status).toBe(401);
    const changed = await send('POST', `recipes/${id}`, { status: 'publish', cuisine: 'Irish', servings: 6 }, 'author');
    expect(changed.body).toMatchObject({ cuisine: 'Irish', servings: 6, link: `${site.context.publicUrl}/stew/` });
    expect((await send('GET', 'recipes?search=stew')).body).toMatchObject([{ id, servings: 6, tags: [tag] }]);
    expect((await send('GET', `recipes/${id}/revisions`, undefined, 'author')).body).toHaveLength(1);
    const saved = await send('POST', `recipes/${id}/autosaves`, { content: 'Typed' }, 'author');
    expect(saved.body).toMatchObject({ parent: id, content: { raw: 'Typed' } });
    expect((await send('DELETE', `recipes/${id}`, undefined, 'author')).body).toMatchObject({ status: 'trash' });
    expect((await send('DELETE', `recipes/${id}?force=true`, undefined, 'author')).body).toMatchObject({
      deleted: true,
      previous: { servings: 6 },
    });
    const { db } = site.context.store;
    expect(await db.select().from(recipeTable).where(eq(recipeTable.contentId, id))).toEqual([]);
  });

  test('is announced to webhook receivers', async () => {
    const id = await write({});
    const messages = await site.context.store.db.select().from(outbox);
    expect(messages.map(({ payload }) => payload['changes'])).toContainEqual([
      { what: 'recipe', id: String(id), action: 'created' },
    ]);
  });
});

test('its permissions are those it registers', async () => {
  const id = await write({ servings: 3 });
  const scale = async (as?: Role) => (await send('POST', `recipes/${id}/scale`, { servings: 9 }, as)).status;
  expect([await scale(), await scale('contributor'), await scale('author')]).toEqual([401, 403, 200]);
  expect((await send('GET', `recipes/${id}`)).body).toMatchObject({ servings: 9 });
  expect((await send('POST', 'recipes', { title: 'No' }, 'contributor')).body.code).toBe('rest_cannot_create');
  expect((await send('GET', 'settings', undefined, 'editor')).body.code).toBe('rest_forbidden');
  expect((await readMe('editor')).body).toMatchObject({ capabilities: { edit_recipes: true } });
  expect((await readMe('contributor')).text).not.toContain('recipes');
});

test('its settings are stored, with defaults for unset ones', async () => {
  expect((await sendSettings('GET')).body).toEqual({ units: 'metric', most_servings: 12 });
  expect((await sendSettings('POST', { units: 'imperial' })).body).toEqual({ units: 'imperial', most_servings: 12 });
  expect((await sendSettings('POST', { units: 'cups' })).body.code).toBe('rest_invalid_param');
  expect((await sendSettings('GET')).body).toEqual({ units: 'imperial', most_servings: 12 });
});

test('it is described: in the indexes, by OPTIONS, among the kinds of content, and in the reference', async () => {
  const read = async (address: string) => (await site.fetch(address)).body as Record<string, never>;
  expect((await read('/'))['namespaces']).toContain('recipes/v1');
  expect(Object.keys((await read('/recipes/v1'))['routes'] ?? {})).toContain(
    '/recipes/v1/recipes/(?P<id>[\\d]+)/scale',
  );
  const { body } = await send('OPTIONS', 'recipes');
  expect(body).toMatchObject({ schema: { title: 'recipe', properties: { servings: { type: 'integer' } } } });
  expect(await read('/core/v2/types/recipe')).toMatchObject({
    name: 'Recipes',
    rest_namespace: 'recipes/v1',
    taxonomies: ['post_tag'],
  });
  expect((await read('/core/v2/taxonomies/post_tag'))['types']).toEqual(['post', 'podcast', 'recipe']);

  const origin = createOrigin(site.context, WITH_RECIPES);
  const document = (await (await origin.request('/openapi.json')).json()) as Record<string, never>;
  expect(document['tags']).toContainEqual({ name: 'recipes/v1', description: recipes.description });
  expect(document['paths']?.['/rest/recipes/v1/recipes/{id}/scale']).toMatchObject({
    post: { summary: 'Changes the number of servings', tags: ['recipes/v1'] },
  });
  const reference = await (await origin.request('/reference/')).text();
  expect(reference).toContain(recipes.description);
  for (const event of ['recipe', 'recipe-book']) expect(reference).toContain(`<code>${event}</code>`);
});

describe('the client', () => {
  let transport: Transport;
  beforeAll(() => void (transport = createTransport({ timeoutMs: 10_000, retries: 0 })));
  afterAll(() => transport.close());

  test('calls its routes by their declarations, typed', async () => {
    const id = await write({ title: 'Typed', servings: 5 });
    const { publicUrl: siteUrl } = site.context;
    const client = publishingClient({ root: `${siteUrl}/rest/`, namespaces: {}, timeZone: 'UTC' }, transport);
    const answer = await client.call(recipeRoutes.get, { params: { id } });
    if (answer.kind !== 'ok') throw new Error(answer.detail);
    expectTypeOf(answer.value.body.servings).toEqualTypeOf<number>();
    // @ts-expect-error -- A field that recipes do not have.
    expect(answer.value.body.portions).toBeUndefined();
    expect(answer.value.body).toMatchObject({ id, servings: 5, title: { rendered: 'Typed' } });
  });
});

test(
  'its table comes into a store that was in use without it, once',
  async () => {
    const context = await createTestContext();
    const read = async () => context.store.db.select().from(recipeTable);
    await expect(read()).rejects.toThrow();
    await applyModuleMigrations(context.store, WITH_RECIPES);
    await context.store.db.insert(recipeTable).values({ contentId: 1, servings: 2 });
    await applyModuleMigrations(context.store, WITH_RECIPES);
    expect(await read()).toEqual([{ contentId: 1, servings: 2 }]);
    await breakMigrations(context.store);
    await context.store.close();
  },
  OPEN_TIMEOUT_MS,
);

/** The second of two migrations fails: the first is rolled back too, and the error names the module. */
async function breakMigrations(store: TestSite['context']['store']): Promise<void> {
  const migrations = temporaryFolder();
  cpSync(file('migrations'), migrations, { recursive: true });
  const steps = 'create table half (id int);--> statement-breakpoint\ncreate table recipe (id int);';
  writeFileSync(path.join(migrations, '0000_recipes.sql'), steps);
  await expect(applyModuleMigrations(store, [{ name: '../half', migrations }])).rejects.toMatchObject({
    code: 'MIGRATION_FAILED',
    message: expect.stringContaining('"../half"') as string,
    hint: expect.stringContaining('relation "recipe" already exists') as string,
  });
  await expect(store.db.execute(sql`select * from half`)).rejects.toThrow();
}

describe('a module that cannot be served', () => {
  const kind = recipes.contentKinds?.[0];
  if (!kind) throw new Error('Recipes have no kind.');
  const other: NamespaceModule = { name: 'other', description: '', namespaces: [], serve: () => undefined };

  test.each<[told: string, modules: NamespaceModule[]]>([
    ['name "core" is already used by "core"', [...MODULES, { ...other, name: 'core' }]],
    ['name "../other" may contain a-z, 0-9, _ and - only', [{ ...other, name: '../other' }]],
    ['content type "recipe" is already used by "recipes"', [recipes, { ...other, contentKinds: [kind] }]],
    [
      'its post needs the right "edit_recipes", which no role has',
      [{ ...other, contentKinds: [{ ...kind, type: 'post', rights: uniformRights('edit_recipes') }] }],
    ],
  ])('is refused: %s', (told, modules) => {
    expect(() => checkModules(WITH_RECIPES)).not.toThrow();
    expect(() => checkModules(modules)).toThrow(told);
  });

  test('is rejected for an existing route', () => {
    const again = [...WITH_RECIPES, { ...recipes, name: 'again', contentKinds: [] }];
    expect(() => createOrigin(site.context, again)).toThrow('GET recipes/v1/settings is already registered');
  });
});

const ROOT = path.resolve(import.meta.dirname, '../../../..');
const RECORDINGS = path.resolve(ROOT, process.env['SORTIMENT_CONFORMANCE'] ?? '../shared/conformance');

const file = (name: string) => path.join(import.meta.dirname, name);

/** Starting a server takes a while. */
function server(folder: string): string[] {
  if (process.env['SORTIMENT_SOAK']) return ['--module', file('module.ts')];
  // The program signs in as an administrator, even if the recorded requests had no user.
  const admin = { login: 'admin', email: '', password: '', applicationPassword: '' };
  const users = [admin, ...role.options.map((login) => ({ login, applicationPassword: testPassword(login) }))];
  writeFileSync(path.join(folder, 'users.json'), JSON.stringify({ users }));
  return ['--base', site.context.publicUrl, '--users', path.join(folder, 'users.json')];
}

// The program that replays recordings is not part of the project.
describe.runIf(existsSync(RECORDINGS))('the conformance runner', () => {
  test('replays a scenario of it', { timeout: 120_000 }, async () => {
    const folder = temporaryFolder();
    const options = ['--scenario', file('scenario.jsonl'), '--names', 'neutral', '--min', '1', '--verbose'];
    const child = spawn(process.execPath, [path.join(ROOT, 'scripts/conformance.ts'), ...server(folder), ...options]);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code, output).toBe(0);
    expect(output).toContain('4 passed, 0 failed');
  });
});
