import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '#contracts/core/user-routes.ts';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';
import { option } from '#origin/platform/store/schema.ts';

let site: TestSite;
let usual = 0;
beforeAll(async () => {
  site = await openTestSite();
  usual = await site.addTerm({ name: 'Usual' });
  const value = { name: 'S', description: '', timezone: 'UTC', default_category: usual };
  await site.context.store.db.update(option).set({ value }).where(eq(option.name, 'site'));
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

interface Body extends Record<string, unknown> {
  id: number;
  slug: string;
}

async function send(method: string, path: string, body: object = {}, as: Role = 'administrator') {
  const headers = { 'content-type': 'application/json' };
  const answer = await site.fetch(`/core/v2/${path}`, { method, as, headers, body: JSON.stringify(body) });
  return { ...answer, body: answer.body as Body };
}
const add = async (fields: object) => (await send('POST', 'categories', fields)).body;

describe('adding', () => {
  test('a category is made with a slug and an address', async () => {
    const { status, headers, body } = await send('POST', 'categories', { name: '<b>Flat</b> roofs', description: 'D' });
    expect(status).toBe(201);
    expect(headers.get('location')).toBe(`${site.context.publicUrl}/rest/core/v2/categories/${body.id}`);
    expect(body).toMatchObject({ name: 'Flat roofs', slug: 'flat-roofs', description: 'D', parent: 0, count: 0 });
  });

  test('a sibling of the same name is the same term', async () => {
    const first = await add({ name: 'Façade' });
    const again = await send('POST', 'categories', { name: 'FACADE' });
    expect(again).toMatchObject({ status: 400, body: { code: 'term_exists', data: { term_id: first.id } } });
    expect(again.body['additional_data']).toEqual([first.id]);
    expect(await add({ name: 'Façade', slug: 'facade-too' })).toMatchObject({ slug: 'facade-too' });
  });

  test('below another parent it is another one, with the name of the parent in its slug', async () => {
    const top = await add({ name: 'Wood' });
    await add({ name: 'Boards' });
    expect(await add({ name: 'Boards', parent: top.id })).toMatchObject({ slug: 'boards-wood', parent: top.id });
  });

  test.each([
    ['no name', {}, 'rest_missing_callback_param', 400],
    ['an empty name', { name: ' <i></i> ' }, 'empty_term_name', 400],
    ['an unknown parent', { name: 'x', parent: 99_999 }, 'rest_term_invalid', 400],
  ])('%s', async (_, fields, code, status) => {
    expect(await send('POST', 'categories', fields)).toMatchObject({ status, body: { code } });
  });

  test('tags are for who writes posts, categories for who manages them', async () => {
    expect((await send('POST', 'tags', { name: 'Dry' }, 'contributor')).status).toBe(201);
    expect((await send('POST', 'categories', { name: 'Dry' }, 'author')).body).toMatchObject({
      code: 'rest_cannot_create',
    });
  });
});

describe('changing', () => {
  test('what is sent, and no slug of another', async () => {
    const { id } = await add({ name: 'Steel', slug: 'steel' });
    const other = await add({ name: 'Iron' });
    expect((await send('PATCH', `categories/${id}`, { name: 'Steels' })).body).toMatchObject({
      name: 'Steels',
      slug: 'steel',
    });
    expect((await send('PUT', `categories/${other.id}`, { slug: 'steel' })).body).toMatchObject({
      code: 'duplicate_term_slug',
    });
    expect((await send('POST', `categories/${id}`, { name: 'x' }, 'author')).body).toMatchObject({
      code: 'rest_cannot_update',
    });
  });

  test('a category can not come to lie below itself', async () => {
    const top = await add({ name: 'Loop' });
    const below = await add({ name: 'Below loop', parent: top.id });
    expect((await send('POST', `categories/${top.id}`, { parent: below.id })).body).toMatchObject({ parent: 0 });
  });
});

describe('deleting', () => {
  test('has to be forced, moves what is below up, and gives posts without any the default', async () => {
    const top = await add({ name: 'Above' });
    const going = await add({ name: 'Going', parent: top.id });
    const below = await add({ name: 'Left', parent: going.id });
    const lonely = await site.addContent({}, [going.id]);
    const other = await site.addContent({}, [going.id, top.id]);
    expect(await send('DELETE', `categories/${going.id}`)).toMatchObject({
      status: 501,
      body: { code: 'rest_trash_not_supported' },
    });
    expect((await send('DELETE', `categories/${going.id}?force=true`)).body).toMatchObject({
      deleted: true,
      previous: { id: going.id, name: 'Going' },
    });
    expect((await site.fetch(`/core/v2/categories/${below.id}`)).body).toMatchObject({ parent: top.id });
    const categories = async (id: number) => (await site.fetch(`/core/v2/posts/${id}?_fields=categories`)).body;
    expect(await categories(lonely)).toEqual({ categories: [usual] });
    expect(await categories(other)).toEqual({ categories: [top.id] });
  });

  test('the default category stays', async () => {
    expect(await send('DELETE', `categories/${usual}?force=true`)).toMatchObject({
      status: 403,
      body: { code: 'rest_cannot_delete' },
    });
  });
});
