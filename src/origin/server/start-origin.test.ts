import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { default as WpApi } from 'wpapi';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { STOCK_NAMESPACES } from '#contracts/index.ts';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';
import { runManagement } from '#origin/admin/management/run-management.ts';
import { findRunningOrigin } from '#origin/platform/process/running-origin.ts';
import { startTestPostgres } from '#origin/platform/store/testing/start-test-postgres.ts';
import { temporaryFolder } from '#origin/platform/store/testing/temporary-folder.ts';
import { loadAuditTool } from '#files/testing/audit-tools.ts';
import { startOrigin, type RunningOrigin } from './index.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const dataFolder = temporaryFolder();
const bootstrap = join(dataFolder, 'bootstrap.json');
const admin = {
  login: 'admin',
  email: 'admin@example.test',
  name: 'Admin',
  role: 'administrator',
  password: 'secret-secret',
};
const applicationPassword = '8c69 76e5 b541 0415 bde9 08bd';
const site = { name: 'Signal & Noise', description: 'Announcements', timezone: 'Europe/Berlin' };
writeFileSync(bootstrap, JSON.stringify({ site, users: [{ ...admin, applicationPassword }] }));

const log: string[] = [];
const start = (options: Partial<Parameters<typeof startOrigin>[0]> = {}) =>
  startOrigin({ dataFolder, bootstrap, log: (line) => log.push(line), ...options });

let origin: RunningOrigin;
beforeAll(async () => void (origin = await start()));
afterAll(() => origin.close());

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${origin.url}${path}`, { method, headers, redirect: 'manual' });

test('serves both interfaces at the address it listens on', async () => {
  expect(origin.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(origin).toMatchObject({ publicUrl: origin.url, restRoot: 'rest' });
  const languages = await ask(`/${PRODUCT_ROOT}language/`, { authorization: `Token ${origin.productToken}` });
  expect(languages.status).toBe(200);
  expect((await ask(`/${PRODUCT_ROOT}language/`)).status).toBe(401);
  const index = (await (await ask('/rest/')).json()) as Record<string, unknown>;
  expect(index).toMatchObject({ name: 'Signal &amp; Noise', url: origin.url, timezone_string: 'Europe/Berlin' });
});

test('a request with several Host headers is refused', async () => {
  const statusWith = async (...headers: string[]) => {
    const asked = request(`${origin.url}/rest/`, { headers }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return answer.resume().statusCode;
  };
  expect(await statusWith('Host', 'a.example')).toBe(200);
  expect(await statusWith('Host', 'a.example', 'HOST', 'a.example')).toBe(400);
});

test('the users of the bootstrap file can sign in, both ways', async () => {
  const basic = Buffer.from(`admin:${applicationPassword}`).toString('base64');
  const me = await ask('/rest/core/v2/users/me?context=edit', { authorization: `Basic ${basic}` });
  expect([me.status, await me.json()]).toMatchObject([200, { username: 'admin', roles: ['administrator'] }]);
  expect((await ask('/admin/')).headers.get('location')).toBe('/admin/sign-in/');
});

test.each([
  ['short', 'sign-in/', 100, 403],
  ['too large', 'sign-in/', 17_000, 413],
  ['of nobody who has signed in', 'seo/bulk', 17_000, 302],
])('a form sent in chunks is answered as any other: %s', async (_, page, bytes, status) => {
  const body = new Blob([`login=${'x'.repeat(bytes)}`]).stream();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const request: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
    duplex: 'half',
  };
  const answer = await fetch(`${origin.url}/admin/${page}`, request);
  expect(answer.status).toBe(status);
});

test('the home page links people and client libraries to both interfaces', async () => {
  const front = await ask('/');
  expect(front.status).toBe(200);
  expect(front.headers.get('link')).toBe(`<${origin.publicUrl}/rest/>; rel="https://api.w.org/"`);
  expect(await front.text()).toContain(`href="${origin.publicUrl}/api/partner/v1/"`);
});

test('under stock names, client libraries find the interface from the address of the site', async () => {
  const folder = temporaryFolder();
  const stock = await startOrigin({ dataFolder: folder, namespaces: STOCK_NAMESPACES, log: () => undefined });
  const [, root] =
    /<([^>]+)>; rel="https:\/\/api\.w\.org\/"/.exec((await fetch(stock.url)).headers.get('link') ?? '') ?? [];
  expect(await (await fetch(`${root}wp/v2/categories`)).json()).toMatchObject([{ slug: 'uncategorized' }]);
  const found = await loadAuditTool<typeof WpApi>('wpapi').discover(stock.url);
  expect([...(await found.categories().get())]).toMatchObject([{ slug: 'uncategorized' }]);
  await stock.close();
});

test('other paths respond with an error page without internals', async () => {
  for (const path of ['/nothing', '/media/nothing.png', '/uploads/../key', '/manage/v1/run', '/lock', '/key']) {
    const answer = await ask(path);
    expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 404, 'text/html; charset=utf-8']);
  }
});

test('other processes find it, and the token is never stored in clear text', async () => {
  const { listener: _, close: __, ...address } = origin;
  expect(await findRunningOrigin(dataFolder)).toEqual(address);
  expect(readFileSync(join(dataFolder, 'lock'), 'utf8')).not.toContain(origin.productToken);
  expect(statSync(join(dataFolder, 'key')).mode & 0o777).toBe(0o600);
  expect(statSync(join(dataFolder, 'key')).size).toBe(32);
  expect(log.join('\n')).not.toContain(origin.productToken);
  expect(await findRunningOrigin(join(dataFolder, 'nowhere'))).toBeUndefined();
});

test('operator commands run in it', async () => {
  const options = { dataFolder, publicUrl: origin.publicUrl };
  expect(await runManagement(options, 'language add', { code: 'de-de' })).toMatchObject({ code: 'de-de' });
  await expect(runManagement(options, 'token revoke', { id: 99 })).rejects.toMatchObject({ code: 'TOKEN_UNKNOWN' });
  const languages = await ask(`/${PRODUCT_ROOT}language/`, { authorization: `Token ${origin.productToken}` });
  expect(await languages.json()).toMatchObject([{ code: 'de-de' }]);
});

test('its listener works in another server', async () => {
  const other = createServer(origin.listener);
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  expect((await fetch(`http://127.0.0.1:${port}/rest/`)).status).toBe(200);
  other.close();
  other.closeAllConnections();
});

test('a used port is reported and the lock released', async () => {
  const fresh = temporaryFolder();
  const port = Number(new URL(origin.url).port);
  await expect(start({ dataFolder: fresh, port })).rejects.toMatchObject({ code: 'PORT_TAKEN' });
  expect(existsSync(join(fresh, 'lock'))).toBe(false);
  expect(existsSync(join(fresh, 'key'))).toBe(false);
});

test('closing finishes pending requests; the next start keeps users, token and settings without a bootstrap file', async () => {
  const { url, productToken } = origin;
  const underWay = request(`${url}/rest/core/v2/users`, { headers: { expect: '100-continue' } }).end();
  const answer = once(underWay, 'response') as Promise<[IncomingMessage]>;
  await once(underWay, 'continue');
  await origin.close();
  expect((await answer)[0].statusCode).toBe(200);
  expect(existsSync(join(dataFolder, 'lock'))).toBe(false);
  await expect(fetch(`${url}/rest/`)).rejects.toThrow('fetch failed');
  expect(await findRunningOrigin(dataFolder)).toBeUndefined();
  const alone = await runManagement({ dataFolder, publicUrl: url }, 'user list', {});
  expect(alone.rows).toMatchObject([{ login: 'admin' }]);

  origin = await start({ bootstrap: '/nowhere.json', publicUrl: 'https://data.example.test/', restRoot: 'json' });
  expect(origin).toMatchObject({ publicUrl: 'https://data.example.test', restRoot: 'json', productToken });
  const index = (await (await ask('/json/')).json()) as Record<string, unknown>;
  expect(index).toMatchObject({ name: 'Signal &amp; Noise', url: 'https://data.example.test' });
});

test('a listener alone needs its public address, and then no port', async () => {
  const fresh = temporaryFolder();
  const options = { dataFolder: fresh, bootstrap: undefined, port: false } as const;
  await expect(start(options)).rejects.toMatchObject({ code: 'ORIGIN_ADDRESS_MISSING' });
  const mounted = await start({ ...options, publicUrl: 'http://localhost:4321' });
  expect(mounted.url).toBe('http://localhost:4321');
  await mounted.close();
});

const postgres = await startTestPostgres();
afterAll(() => postgres?.stop());

test.skipIf(!postgres)('on PostgreSQL two origins share a database, which is seeded once', async () => {
  const databaseUrl = await postgres?.createDatabase('origins');
  const folders = [1, 2].map(() => temporaryFolder());
  const shared = { bootstrap, databaseUrl, log: (line: string) => void log.push(line) };
  const origins = await Promise.all(folders.map((folder) => startOrigin({ ...shared, dataFolder: folder })));
  const [first, second] = origins;
  for (const { url } of origins) {
    const users = await fetch(`${url}/rest/core/v2/users/1`);
    expect([401, 200]).toContain(users.status);
  }
  expect((await findRunningOrigin(folders[0] ?? ''))?.url).toBe(first?.url);
  const answer = await runManagement({ dataFolder: folders[1] ?? '', databaseUrl, publicUrl: '' }, 'user list', {});
  expect(answer.rows).toMatchObject([{ login: 'admin' }]);
  await Promise.all([first?.close(), second?.close()]);
});
