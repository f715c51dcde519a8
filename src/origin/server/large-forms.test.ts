import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createUser } from '#origin/platform/accounts/users.ts';
import { findSession, openSession, SESSION_COOKIE } from '#origin/platform/accounts/sessions.ts';
import { signForm } from '#origin/platform/accounts/account-page.ts';
import { content } from '#origin/platform/store/schema.ts';
import { createTestContext, type TestContext } from '#origin/testing/test-context.ts';
import { startTestServer, type TestServer } from '#origin/testing/test-server.ts';
import { createOrigin } from './create-origin.ts';
import { MODULES } from './modules.ts';
import { registerAll } from '#origin/platform/registry/content-kind.ts';
import { applyModuleMigrations } from '#origin/platform/store/apply-migrations.ts';

const MB = 1024 * 1024;
/** Largest form that each page accepts: an account's, a list's, a text's. */
function maxBytes(path: string): number {
  if (!path.startsWith('/admin/seo/')) return 16 * 1024;
  return path.startsWith('/admin/seo/post/') ? 20 * MB : MB;
}

let context: TestContext;
let server: TestServer;
let paths: string[];
let cookie: string;
let token: string;
beforeAll(async () => {
  context = await createTestContext(registerAll(MODULES));
  await applyModuleMigrations(context.store, MODULES);
  const app = createOrigin(context);
  server = await startTestServer(app);
  const user = { login: 'boss', email: 'boss@example.org', role: 'administrator' } as const;
  const { id } = await createUser(context, user);
  const at = '2026-01-05 09:00:00';
  const times = { date: at, dateGmt: at, modified: at, modifiedGmt: at };
  const row = { type: 'post', status: 'publish', slug: 'a', title: 'A', authorId: id, ...times };
  const [post] = await context.store.db.insert(content).values(row).returning({ id: content.id });
  cookie = `${SESSION_COOKIE}=${await openSession(context, id)}`;
  token = signForm(context, 'editors', (await findSession(context, cookie))?.id ?? '');
  const routes = app.routes
    .filter(({ method, path }) => method === 'POST' && path.startsWith('/admin/') && !path.endsWith('*'))
    .map(({ path }) => path.replace(/:type\{[^}]*\}/, 'post').replace(/:id\{[^}]*\}/, String(post?.id)));
  // A path has a route for each of its handlers.
  paths = [...new Set(routes)];
});
afterAll(async () => {
  await server.close();
  await context.store.close();
});

/**
 * Sends a form in chunks until the response arrives.
 *
 * @returns the status, and the bytes sent by then
 */
function send(
  path: string,
  { start = '', piece, type = 'application/x-www-form-urlencoded' }: { start?: string; piece: string; type?: string },
): Promise<{ status: number; sentBytes: number }> {
  const bytes = Buffer.from(piece.repeat(Math.ceil((64 * 1024) / piece.length)));
  const length = maxBytes(path);
  let sentBytes = 0;
  return new Promise((resolve, reject) => {
    let status: number | undefined;
    const headers = { cookie, 'content-type': type, 'content-length': length };
    const sending = request(`${server.url}${path}`, { method: 'POST', headers }, (answer) => {
      status = answer.statusCode ?? 0;
      resolve({ status, sentBytes });
      sending.destroy();
    });
    sending.on('error', (error) => (status === undefined ? reject(error) : undefined));
    const next = () => {
      if (status !== undefined || sentBytes >= length) return;
      const part = bytes.subarray(0, length - sentBytes);
      sentBytes += part.length;
      sending.write(part, () => setImmediate(next));
    };
    sending.write(start);
    sentBytes += start.length;
    next();
  });
}

test('forms with too many fields are rejected', async () => {
  expect(paths.length).toBeGreaterThan(8);
  for (const path of paths) {
    for (const piece of ['a&', 'k=1&', '&']) {
      const { status, sentBytes } = await send(path, { start: `form_token=${token}&`, piece });
      expect([path, piece, status]).toEqual([path, piece, 413]);
      expect(sentBytes, `${path} ${piece}`).toBeLessThan(4 * MB);
    }
  }
});

test('long forms require a valid token at their beginning', async () => {
  const texts = paths.filter((path) => path.startsWith('/admin/seo/post/'));
  expect(texts).toHaveLength(2);
  for (const path of texts) {
    for (const start of ['content=', `form_token=${'x'.repeat(43)}&content=`]) {
      const { status, sentBytes } = await send(path, { start, piece: 'x' });
      expect(status).toBe(403);
      expect(sentBytes).toBeLessThan(4 * MB);
    }
    const { status } = await send(path, { start: `form_token=${token}&action=check&content=`, piece: 'x' });
    expect(status).toBe(path.endsWith('/check') ? 200 : 422);
  }
});

test('multipart forms, which no page sends, have a small limit', async () => {
  const form = new FormData();
  for (let n = 0; n < 201; n += 1) form.append('a', '');
  for (const path of paths) {
    const type = 'multipart/form-data; boundary=x';
    if (maxBytes(path) > 64 * 1024)
      expect(
        (await send(path, { type, piece: '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n' })).status,
      ).toBe(413);
    const encoded = new Response(form);
    const headers = { cookie, 'content-type': encoded.headers.get('content-type') ?? '' };
    const body = await encoded.text();
    expect((await server.ask(path, { method: 'POST', headers, body })).status, path).toBe(413);
  }
});
