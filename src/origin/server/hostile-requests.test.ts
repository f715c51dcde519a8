import type { HttpBindings } from '@hono/node-server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { IMPORT_KINDS } from '#contracts/import.ts';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';
import { COMMANDS } from '#origin/admin/management/commands.ts';
import { signPass } from '#origin/admin/management/management-app.ts';
import { createProductToken } from '#origin/platform/accounts/product-tokens.ts';
import { createUser } from '#origin/platform/accounts/users.ts';
import { findSession, openSession, SESSION_COOKIE } from '#origin/platform/accounts/sessions.ts';
import { signForm } from '#origin/platform/accounts/account-page.ts';
import { listProductViews } from '#origin/product/product-interface.ts';
import { createTestContext, type TestContext } from '#origin/testing/test-context.ts';
import { createOrigin } from './create-origin.ts';

let context: TestContext;
let app: ReturnType<typeof createOrigin>;
let token: string;
let key: string;
beforeAll(async () => {
  context = await createTestContext();
  app = createOrigin(context);
  const { id: userId } = await createUser(context, { login: 'shop', email: 'shop@example.org', role: 'administrator' });
  ({ token } = await createProductToken(context, { userId, label: 'Shop' }));
  key = await openSession(context, userId);
});
afterAll(() => context.store.close());
beforeEach(() => void failed.splice(0));

const SEGMENTS = ['%00', '%ff', '%', '..%2f..%2fetc%2fpasswd', '__proto__', '%F0%9F%98%80', 'a'.repeat(3000), '-1'];
const TEXTS = ['', '\0', '\uD800', '-1', '9e99', '[object Object]', '../../etc/passwd', '<script>', 'x'.repeat(70_000)];
const WRONG = [
  ...TEXTS,
  -1,
  9e15,
  1.5,
  null,
  true,
  [],
  {},
  [null],
  { raw: 7 },
  [[{}]],
  { __proto__: null, length: 9e9 },
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const BODIES: [type: string, body: string][] = [
  ['application/json', '{'],
  ['application/json', '[[[[null]]]]'],
  ['application/json', JSON.stringify(Object.fromEntries(TEXTS.map((text, i) => [`f${i}`, text])))],
  ['application/x-www-form-urlencoded', 'a=%&b[=1&__proto__[x]=1&%00=%ff'],
  ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n'],
  ['multipart/form-data', 'no boundary'],
  ['nonsense', '\0'],
];

/** Server errors. Rejected requests don't count. */
const failed: string[] = [];
async function send(method: string, target: string, init: RequestInit = {}, from?: string): Promise<void> {
  const env = { incoming: { socket: { remoteAddress: from ?? '127.0.0.1' } } } as unknown as HttpBindings;
  const before = context.logged.length;
  const { status } = await app.request(`http://origin.test${target}`, { method, ...init }, env);
  const said = context.logged.slice(before).join('\n');
  if ((status >= 500 && status !== 501) || /\bfailed\b/.test(said)) {
    failed.push(`${method} ${target.slice(0, 100)} ${String(init.body).slice(0, 100)}: ${status} ${said}`);
  }
}

test('no declared address responds to nonsense with a server error', async () => {
  const routes = app.routes.flatMap(({ method, path }) => {
    const methods = method === 'ALL' ? METHODS : [method];
    const paths = path.includes('*') ? SEGMENTS.map((segment) => path.replace('*', segment)) : [path];
    return methods.flatMap((one) => paths.map((address) => [one, address] as const));
  });
  const authorization = `Token ${token}`;
  for (const [method, address] of routes) {
    const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(method);
    await send(method, `${address}?${new URLSearchParams(TEXTS.slice(0, 8).map((text) => [text, text])).toString()}`);
    for (const [type, body] of hasBody ? BODIES : []) {
      await send(method, address, { body, headers: { 'content-type': type, authorization } });
    }
  }
  expect(failed).toEqual([]);
  // Test every new one of these below, like the addresses of the publishing interface.
  const roots = new Set(app.routes.map(({ path }) => path.split('/')[1]));
  expect([...roots].toSorted()).toEqual(
    ['', '*', 'admin', 'api', 'healthz', 'manage', 'media', 'openapi.json', 'reference', 'rest', 'uploads'].toSorted(),
  );
}, 120_000);

test('no view of the product interface does, for any path, query and headers', async () => {
  for (const { route } of listProductViews(context)) {
    const names = [...Object.keys(route.query?.shape ?? {}), 'language', 'format'];
    for (const [i, text] of TEXTS.entries()) {
      const segment = encodeURIComponent(text.isWellFormed() ? text : '');
      const query = new URLSearchParams(names.map((name) => [name, text.slice(0, 4000)])).toString();
      const headers = { authorization: `Token ${token}`, accept: SEGMENTS[i % SEGMENTS.length] ?? '' };
      for (const filler of [segment, '9524010000016', '0000000000000']) {
        const target = `/${PRODUCT_ROOT}${route.path.replaceAll(/<\w+>/g, filler)}?${query}`;
        for (const method of METHODS) await send(method, target, { headers });
      }
    }
  }
  expect(failed).toEqual([]);
}, 120_000);

test('no form of an account does', async () => {
  const forms = app.routes.filter(({ method, path }) => method === 'POST' && path.startsWith('/admin/'));
  expect(forms.length).toBeGreaterThan(3);
  const fields = ['login', 'password', 'next', 'uuid', 'app_name', 'app_id', 'success_url', 'reject_url', 'approve'];
  const { id = '' } = (await findSession(context, `${SESSION_COOKIE}=${key}`)) ?? {};
  for (const { path } of forms.filter((form) => !form.path.includes('sign-out'))) {
    const name =
      path
        .split('/')
        .findLast(Boolean)
        ?.replace(/\.php$/, '') ?? '';
    for (const text of TEXTS.map((one) => one.slice(0, 1000))) {
      const form = { form_token: signForm(context, name, id), ...Object.fromEntries(fields.map((f) => [f, text])) };
      const headers = { cookie: `${SESSION_COOKIE}=${key}`, origin: context.publicUrl };
      await send('POST', path, { headers, body: new URLSearchParams(form) });
    }
  }
  expect(failed).toEqual([]);
}, 120_000);

const order = (body: string) => {
  const headers = { authorization: `Bearer ${signPass(context.key, body, Date.now())}` };
  return send('POST', '/manage/v1/run', { headers, body });
};

test('no operator command does, for any arguments', async () => {
  for (const body of ['', '{', 'null', '{"command":"__proto__","args":{}}', '{"command":"user list"}'])
    await order(body);
  for (const [command, { takes }] of Object.entries(COMMANDS)) {
    for (const value of WRONG) {
      await order(JSON.stringify({ command, args: Object.fromEntries(takes.map((name) => [name, value])) }));
      for (const name of takes) await order(JSON.stringify({ command, args: { [name]: value } }));
    }
  }
  const source = { site: 'https://blog.test', addresses: ['https://blog.test'] };
  for (const [i, value] of WRONG.entries()) {
    const text = typeof value === 'string' ? value.slice(0, 2000) : 'x';
    const record = { id: i + 1, digest: text, wire: value, revisions: [value] };
    for (const kind of IMPORT_KINDS) {
      const named = {
        ...record,
        wire: { id: i + 1, title: value, content: value, slug: value, name: text, status: text },
      };
      await order(JSON.stringify({ command: 'import put', args: { source, kind, records: [record] } }));
      await order(JSON.stringify({ command: 'import put', args: { source, kind, records: [named] } }));
    }
    const product = { gtin: '9524010000016', language: 'de-de', record: value };
    await order(JSON.stringify({ command: 'import product-put', args: { records: [product] } }));
    await order(JSON.stringify({ command: 'product import', args: { text: JSON.stringify(value) } }));
    await order(
      JSON.stringify({ command: 'product set', args: { gtin: product.gtin, changes: [text, `name=${text}`] } }),
    );
    await order(JSON.stringify({ command: 'user create', args: { login: text, email: 'a@b.test', name: text } }));
    await order(JSON.stringify({ command: 'user create', args: { login: `user${i}`, email: 'a@b.test', name: text } }));
    await order(JSON.stringify({ command: 'token create', args: { label: text } }));
    await order(JSON.stringify({ command: 'language add', args: { code: 'xx-xx', name: text } }));
  }
  expect(failed).toEqual([]);
}, 120_000);
