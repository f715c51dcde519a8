import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applicationPassword } from '#origin/platform/store/schema.ts';
import { createTestContext, type TestContext } from '#origin/testing/test-context.ts';
import { startTestServer, type TestServer } from '#origin/testing/test-server.ts';
import { accountPages } from './account-pages.ts';
import { parseAppUrl } from './authorization.ts';
import { openSession } from './sessions.ts';
import { createUser, findApplicationPassword } from './users.ts';

const PATH = '/admin/authorize-application.php';

let context: TestContext;
let server: TestServer;
let cookie: string;
let userId: number;

beforeAll(async () => {
  context = await createTestContext();
  userId = (
    await createUser(context, { login: 'planer', email: 'p@example.org', role: 'author', password: 'long enough' })
  ).id;
  cookie = `sortiment_session=${await openSession(context, userId)}`;
  server = await startTestServer(new Hono().route('/admin', accountPages(context)));
}, 60_000);
afterAll(async () => {
  await server.close();
  await context.store.close();
});

const open = (query: Record<string, string>, headers: Record<string, string> = { cookie }) =>
  server.ask(`${PATH}?${new URLSearchParams(query)}`, { headers });

function send(fields: Record<string, string>, headers: Record<string, string> = { cookie }) {
  const body = String(new URLSearchParams(fields));
  const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) };
  return server.ask(PATH, { method: 'POST', headers: { ...headers, ...type }, body });
}

/** Opens the page as a browser does, and takes the token of its form. */
async function begin(query: Record<string, string>) {
  const page = await open(query);
  const token =
    /name="form_token" value="([^"]*)"[^>]*>\s*<input type="hidden" name="app_id"/.exec(page.body)?.[1] ?? '';
  return { page, fields: { form_token: token, ...query } };
}
const countPasswords = async () => (await context.store.db.select().from(applicationPassword)).length;

test('a stranger signs in first, and comes back to the question', async () => {
  const { status, headers } = await open({ app_name: 'App', success_url: 'https://app.test/done' }, {});
  expect(status).toBe(302);
  const next = new URL(headers['location'] ?? '', server.url).searchParams.get('next') ?? '';
  expect(next).toBe(`${PATH}?app_name=App&success_url=https%3A%2F%2Fapp.test%2Fdone`);
});

test('yes makes a password and takes it to the application', async () => {
  const { page, fields } = await begin({ app_name: 'Shop & Co', success_url: 'https://app.test/done?state=1' });
  expect(page.status).toBe(200);
  expect(page.body).toContain('Shop &amp; Co');
  expect(page.body).toContain('<strong>app.test</strong>');
  expect(page.body).not.toContain('<script');
  expect(page.headers['content-security-policy']).toContain("form-action 'self' https://app.test;");
  const { status, headers } = await send({ ...fields, approve: '1' });
  expect(status).toBe(302);
  expect(headers['referrer-policy']).toBe('no-referrer');
  const lead = new URL(headers['location'] ?? '');
  expect(lead.href.startsWith('https://app.test/done?state=1&site_url=')).toBe(true);
  expect(lead.searchParams.get('user_login')).toBe('planer');
  const password = lead.searchParams.get('password') ?? '';
  expect((await findApplicationPassword(context, 'planer', password))?.user.id).toBe(userId);
});

test('without an address the password is shown, this once', async () => {
  const { fields } = await begin({ app_name: 'Script' });
  const { status, body, headers } = await send({ ...fields, approve: '1' });
  expect(status).toBe(200);
  expect(headers['cache-control']).toBe('no-store');
  const password = /<code class="token">([^<]+)</.exec(body)?.[1] ?? '';
  expect((await findApplicationPassword(context, 'planer', password))?.user.id).toBe(userId);
});

test('the account lists what applications may act by, and revokes it', async () => {
  const { fields } = await begin({ app_name: 'To be revoked' });
  const granted = await send({ ...fields, approve: '1' });
  const password = /<code class="token">([^<]+)</.exec(granted.body)?.[1] ?? '';
  const { body } = await server.ask('/admin/account/', { headers: { cookie } });
  const row = body.slice(body.indexOf('<th scope="row">To be revoked</th>'));
  const valueOf = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(row)?.[1] ?? '';
  const revoke = (token: string) => {
    const form = String(new URLSearchParams({ form_token: token, uuid: valueOf('uuid') }));
    const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(form.length) };
    return server.ask('/admin/application-password/', { method: 'POST', headers: { cookie, ...type }, body: form });
  };
  expect((await revoke('')).status).toBe(403);
  expect(await findApplicationPassword(context, 'planer', password)).toBeDefined();
  expect((await revoke(valueOf('form_token'))).status).toBe(303);
  expect(await findApplicationPassword(context, 'planer', password)).toBeUndefined();
});

test.each([
  [{ success_url: 'https://app.test/a', reject_url: 'https://app.test/no' }, 'https://app.test/no'],
  [{ success_url: 'my-app://done/a' }, 'my-app://done/a?success=false'],
  [{}, '/admin/'],
])('no leads away without a password: %j', async (addresses, location) => {
  const before = await countPasswords();
  const { fields } = await begin({ app_name: 'App', ...addresses });
  expect(await send({ ...fields, reject: '1' })).toMatchObject({ status: 302, headers: { location } });
  expect(await countPasswords()).toBe(before);
});

test('another page can not press the button', async () => {
  const before = await countPasswords();
  const { fields } = await begin({ app_name: 'App' });
  expect((await send({ ...fields, form_token: '', approve: '1' })).status).toBe(403);
  expect((await send({ ...fields, approve: '1' }, {})).status).toBe(403);
  const other = `sortiment_session=${await openSession(context, userId)}`;
  expect((await send({ ...fields, approve: '1' }, { cookie: other })).status).toBe(403);
  expect(await countPasswords()).toBe(before);
});

test('an application needs a name, and its id is a UUID', async () => {
  const { fields } = await begin({ app_name: '' });
  const answer = await send({ ...fields, approve: '1' });
  expect(answer.status).toBe(422);
  expect(answer.body).toMatch(/role="alert"[\s\S]*aria-invalid="true"/);
  expect((await open({ app_name: 'App', app_id: 'xyz' })).status).toBe(400);
});

test.each([
  'javascript:alert(1)',
  'javascript://app.test/%0aalert(1)',
  'data:text/html,x',
  'http://app.test/',
  '/relative',
  '//app.test/',
  'https://user:pass@app.test/',
  'https://app.test;script-src',
  'file:///etc/passwd',
  'chrome://settings',
  'ms-msdt://x/y',
  'ms-settings://x',
  'search-ms://x',
  'intent://app.test/#Intent;scheme=x;end',
  'view-source://app.test/',
  'chrome-extension://abc/x',
  'about://blank',
  'blob://app.test/x',
  'x-apple.systempreferences://x',
  'tel://112',
  'vbscript://x',
  'myapp:nohost',
])('never leads to %s', async (address) => {
  expect(parseAppUrl(address)).toBeUndefined();
  const { status, body } = await open({ app_name: 'App', success_url: address });
  expect(status).toBe(400);
  expect(body).not.toContain(address.slice(0, 14));
  expect((await open({ app_name: 'App', reject_url: address })).status).toBe(400);
});

test.each([
  'https://app.test/x',
  'http://localhost:3000/',
  'http://127.0.0.1:9/x',
  'my-app://done',
  'com.example.app://done',
])('may lead to %s', (address) => {
  expect(parseAppUrl(address)?.href.startsWith(address)).toBe(true);
});
