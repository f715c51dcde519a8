import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { session } from '#origin/platform/store/schema.ts';
import { createTestContext, type TestContext } from '#origin/testing/test-context.ts';
import { startTestServer, type TestServer } from '#origin/testing/test-server.ts';
import { accountPages } from './account-pages.ts';
import { createProductToken, listProductTokens } from './product-tokens.ts';
import { createUser } from './users.ts';

let context: TestContext;
let server: TestServer;
let userId: number;

beforeAll(async () => {
  context = await createTestContext();
  const named = { login: 'planer', name: '<b>Planerin</b>', email: 'planer@example.org' };
  userId = (await createUser(context, { ...named, role: 'author', password: 'richtig lang' })).id;
}, 60_000);
afterAll(() => context.store.close());
beforeEach(async () => {
  server = await startTestServer(new Hono().route('/admin', accountPages(context)));
  return () => server.close();
});

test('signing in takes the form, gives a session, and comes back to where it began', async () => {
  const form = await openForm('/admin/sign-in/?next=/api/partner/v1/docs/');
  const answer = await send(form, { login: 'planer', password: 'richtig lang' });
  expect(answer.status).toBe(303);
  expect(answer.headers['location']).toBe('/api/partner/v1/docs/');
  const cookie = answer.cookies.find((value) => value.startsWith('sortiment_session=')) ?? '';
  expect(cookie).toMatch(/^sortiment_session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/);

  const key = cookie.slice('sortiment_session='.length, cookie.indexOf(';'));
  const stored = await context.store.db.select().from(session);
  expect(JSON.stringify(stored)).not.toContain(key);

  const account = await server.ask('/admin/account/', { headers: { cookie: `sortiment_session=${key}` } });
  expect(account.status).toBe(200);
  expect(account.body).toContain('&lt;b&gt;Planerin&lt;/b&gt;');
  expect(account.body).toContain('href="/admin/"');
  expect(account.headers['cache-control']).toBe('no-store');
});

test('the page is accessible German HTML without script, under a policy that fits its style', async () => {
  const { body, headers, status } = await server.ask('/admin/sign-in/');
  expect(status).toBe(200);
  expect(body).toContain('<html lang="de">');
  expect(body).not.toContain('<script');
  expect(body).toMatch(
    /<label for="login">[\s\S]*autocomplete="username"[\s\S]*<label for="password">[\s\S]*autocomplete="current-password"/,
  );
  const style = /<style>([\s\S]*)<\/style>/.exec(body)?.[1] ?? '';
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(style))).toString('base64');
  expect(headers['content-security-policy']).toContain(`style-src 'sha256-${digest}'`);
  expect(headers['content-security-policy']).toContain("default-src 'none'");
});

test('a wrong password, an unknown user and an inactive one look the same', async () => {
  await createUser(context, {
    login: 'gone',
    email: 'gone@example.org',
    role: 'author',
    password: 'auch richtig',
    active: false,
  });
  const bodies: string[] = [];
  for (const [login, password] of [
    ['planer', 'falsch'],
    ['niemand', 'falsch'],
    ['gone', 'auch richtig'],
  ] as const) {
    const answer = await send(await openForm(), { login, password });
    expect(answer.status).toBe(422);
    expect(answer.cookies.some((value) => value.startsWith('sortiment_session='))).toBe(false);
    expect(answer.body).not.toContain(password);
    bodies.push(answer.body.replaceAll(login, '').replace(/name="form_token" value="[^"]*"/, ''));
  }
  expect(new Set(bodies).size).toBe(1);
  expect(bodies[0]).toContain('role="alert"');
});

test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/\t/evil.example'])(
  'never goes to %j',
  async (next) => {
    const form = await openForm(`/admin/sign-in/?next=${encodeURIComponent(next)}`);
    const answer = await send(form, { login: 'planer', password: 'richtig lang', next });
    expect(answer.headers['location']).toBe('/admin/');
  },
);

test('a form without its token, with another browser’s, or without its cookie signs nobody in', async () => {
  const form = await openForm();
  const other = await openForm();
  const right = { login: 'planer', password: 'richtig lang' };
  for (const forged of [
    { ...form, token: '' },
    { ...form, token: other.token },
    { ...form, cookie: '' },
    { ...form, cookie: 'sortiment_form=' },
    { ...form, cookie: 'sortiment_form=chosen-by-the-attacker' },
  ]) {
    const answer = await send(forged, right);
    expect(answer.status).toBe(403);
    expect(answer.cookies.some((value) => value.startsWith('sortiment_session='))).toBe(false);
  }
});

test('wrong passwords have to wait after a few, for login and address together; the right one gets in', async () => {
  const form = await openForm();
  const guess = (login: string) => send(form, { login, password: 'falsch' });
  for (const login of ['planer', 'PLANER ', 'planer@example.org', 'planer', 'Planer@Example.org'])
    expect((await guess(login)).status).toBe(422);
  const refused = await guess('planer');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(800);
  expect(refused.body).toContain('role="alert"');
  expect((await guess('somebody else')).status).toBe(422);
  expect((await send(form, { login: 'planer', password: 'richtig lang' })).status).toBe(303);
});

test('attempts at the same time do not slip past the limit, and do not hold up the right password', async () => {
  const form = await openForm();
  const wrong = Array.from({ length: 12 }, () => send(form, { login: 'nobody', password: 'falsch' }));
  const right = send(form, { login: 'planer', password: 'richtig lang' });
  const statuses = (await Promise.all(wrong)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 422)).toHaveLength(5);
  expect(statuses.filter((status) => status === 429)).toHaveLength(7);
  expect((await right).status).toBe(303);
});

test('behind a trusted proxy everybody counts for themselves, elsewhere nobody can pose as another', async () => {
  for (const [trustedProxies, expected] of [
    [1, 422],
    [0, 429],
  ] as const) {
    const proxied = await startTestServer(new Hono().route('/admin', accountPages({ ...context, trustedProxies })));
    const { cookies, body } = await proxied.ask('/admin/sign-in/');
    const cookie = cookies[0]?.split(';')[0] ?? '';
    const guess = async (address: string) => {
      const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address };
      const fields = { form_token: tokenIn(body), login: 'planer', password: 'falsch' };
      return (
        await proxied.ask('/admin/sign-in/', { method: 'POST', headers, body: new URLSearchParams(fields).toString() })
      ).status;
    };
    for (let i = 0; i < 5; i += 1) expect(await guess('192.0.2.1')).toBe(422);
    expect(await guess('192.0.2.1')).toBe(429);
    expect(await guess('192.0.2.2')).toBe(expected);
    await proxied.close();
  }
});

test('right passwords don’t add up to a refusal', async () => {
  const form = await openForm();
  for (let attempt = 0; attempt < 7; attempt += 1) {
    expect((await send(form, { login: 'planer', password: 'richtig lang' })).status).toBe(303);
  }
});

test('signing out needs the session’s own form and ends the session', async () => {
  const cookie = await signIn();
  const page = await server.ask('/admin/account/', { headers: { cookie } });
  const token = tokenIn(page.body);
  const forged = await send({ cookie, token: 'x' }, {}, '/admin/sign-out/');
  expect(forged.status).toBe(403);
  expect((await server.ask('/admin/account/', { headers: { cookie } })).status).toBe(200);

  const answer = await send({ cookie, token }, {}, '/admin/sign-out/');
  expect(answer.status).toBe(303);
  expect(answer.cookies[0]).toContain('sortiment_session=; Max-Age=0');
  expect((await server.ask('/admin/account/', { headers: { cookie } })).headers['location']).toBe('/admin/sign-in/');
});

test('a session ends after its time', async () => {
  const cookie = await signIn();
  await context.store.db.update(session).set({ expiresAt: new Date(Date.now() - 1000) });
  expect((await server.ask('/admin/account/', { headers: { cookie } })).status).toBe(302);
});

test('the form of one thing does not do another, and a token is made once', async () => {
  const cookie = await signIn();
  const signOutToken = tokenIn((await server.ask('/admin/account/', { headers: { cookie } })).body);
  expect((await send({ cookie, token: signOutToken }, {}, '/admin/product-token/')).status).toBe(403);
  await createProductToken(context, { userId });
  expect(await listProductTokens(context, { userId })).toHaveLength(1);
});

test('on https the cookies are Secure', async () => {
  const secure = await startTestServer(
    new Hono().route('/admin', accountPages({ ...context, publicUrl: 'https://origin.test' })),
  );
  const { cookies } = await secure.ask('/admin/sign-in/');
  expect(cookies[0]).toMatch(/^__Host-sortiment_form=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  await secure.close();
});

test('unknown pages respond 404', async () => {
  expect((await server.ask('/admin/nothing/')).status).toBe(404);
  expect((await server.ask('/admin/sign-out/')).status).toBe(405);
  expect((await server.ask('/admin/sign-in?next=/x')).headers['location']).toBe('/admin/sign-in/?next=/x');
  const huge = await server.ask('/admin/sign-in/', { method: 'POST', body: 'x'.repeat(20_000) });
  expect(huge.status).toBe(413);
});

interface OpenForm {
  cookie: string;
  token: string;
  next?: string;
}

async function openForm(path = '/admin/sign-in/'): Promise<OpenForm> {
  const { body, cookies } = await server.ask(path);
  return {
    cookie: cookies[0]?.split(';')[0] ?? '',
    token: tokenIn(body),
    next: /name="next" value="([^"]+)"/.exec(body)?.[1] ?? '',
  };
}

function tokenIn(body: string): string {
  return /name="form_token" value="([^"]+)"/.exec(body)?.[1] ?? '';
}

function send({ cookie, token, next = '' }: OpenForm, fields: Record<string, string>, path = '/admin/sign-in/') {
  return server.ask(path, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ form_token: token, next, ...fields }).toString(),
  });
}

async function signIn(): Promise<string> {
  const { cookies } = await send(await openForm(), { login: 'planer', password: 'richtig lang' });
  return cookies.find((value) => value.startsWith('sortiment_session='))?.split(';')[0] ?? '';
}

test('the pages have the name, logo and colour of the catalogue, under a policy that fits', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'logo-'));
  const logo = { light: path.join(folder, 'logo.svg'), dark: path.join(folder, 'logo.png') };
  await writeFile(logo.light, '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(logo.dark, 'png');
  const brand = { name: 'Alpfolie <AG>', accent: { light: '#0a4fc9', dark: '#8ab4ff' }, logo, showsName: false };
  const branded = await startTestServer(new Hono().route('/admin', accountPages({ ...context, brand })));
  try {
    const { body, headers } = await branded.ask('/admin/sign-in/');
    expect(body).toContain('– Alpfolie &lt;AG&gt;</title>');
    expect(body).toContain('src="/admin/logo/light" alt="Alpfolie &lt;AG&gt;"');
    expect(body).not.toContain('brand__accent" d=');
    const style = /<style>([^]*)<\/style>/.exec(body)?.[1] ?? '';
    expect(style).toContain('--accent: light-dark(#0a4fc9, #8ab4ff)');
    expect(headers['content-security-policy']).toContain(createHash('sha256').update(style).digest('base64'));
    expect(headers['content-security-policy']).toContain("img-src 'self'");
    expect(await branded.ask('/admin/logo/light')).toMatchObject({
      status: 200,
      headers: { 'content-type': 'image/svg+xml' },
      body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
    });
    expect((await branded.ask('/admin/logo/dark')).headers['content-type']).toBe('image/png');
    expect((await server.ask('/admin/logo/light')).status).toBe(404);
  } finally {
    await branded.close();
    await rm(folder, { recursive: true });
  }
});
