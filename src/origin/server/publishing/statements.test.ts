import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { WriteCounter } from '#origin/platform/store/store.ts';
import { OPEN_TIMEOUT_MS } from '#origin/testing/open-test-site.ts';
import { createPublishingRoutes } from './publishing-interface.ts';
import { openFilledSite, type FilledSite } from './testing/filled-site.ts';

/** Routes that respond with files, and one with a separate limit. */
const OTHERS: readonly string[] = ['block-editor/v1/export', 'seo/v1/heads'];

let site: FilledSite;
beforeAll(async () => {
  site = await openFilledSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

/** Statements that identify the caller run with every request. */
const AUTHENTICATION = /"application_password"|lower\("user"\."login"\)/;

async function ask(path: string, as?: 'administrator') {
  // Called for each statement.
  const query = vi.spyOn(WriteCounter.prototype, 'isWrite');
  try {
    const answer = await site.fetch(path, as ? { as } : {});
    const asked = query.mock.calls.map(([sql]) => sql).filter((sql) => !AUTHENTICATION.test(sql));
    return { ...answer, statements: asked.length };
  } finally {
    query.mockRestore();
  }
}

test('a list runs at most six statements and a row five', async () => {
  const counted: Record<string, number> = {};
  const asked: string[] = [];
  for (const { path, routes } of createPublishingRoutes(site.context).paths) {
    const read = routes.find(({ declaration: { method } }) => method === 'GET')?.declaration;
    if (!read || OTHERS.includes(path)) continue;
    const open = await ask(site.fill(path));
    const answer = [401, 403].includes(open.status) ? await ask(site.fill(path), 'administrator') : open;
    if (answer.status !== 200) continue;
    asked.push(path);
    const most = read.response instanceof z.ZodArray ? 6 : 5;
    if (answer.statements > most) counted[path] = answer.statements;
  }
  expect(counted).toEqual({});
  expect(asked.length).toBeGreaterThan(60);
});

test('_embed runs at most twenty statements, for a hundred rows as for two', async () => {
  // Loads the settings of the site.
  await ask('/core/v2/posts');
  const two = await ask('/core/v2/posts?_embed&per_page=2&context=embed');
  const all = await ask('/core/v2/posts?_embed&per_page=100');
  expect(all.body).toHaveLength(20);
  expect([two.statements, all.statements]).toEqual([all.statements, Math.min(20, all.statements)]);
});

test('heads run at most nine statements for any number of pages', async () => {
  // Records the heads.
  await ask('/seo/v1/heads?per_page=100');
  const all = await ask('/seo/v1/heads?per_page=99');
  const types = (all.body as { type: string }[]).map(({ type }) => type);
  expect([...new Set(types)]).toEqual(expect.arrayContaining(['page', 'post', 'user', 'category', 'home']));
  expect(types.length).toBeGreaterThan(20);
  expect(all.statements).toBeLessThanOrEqual(9);
});

test('embedded resources equal the responses of their addresses', async () => {
  const { body } = await ask('/core/v2/posts?_embed&per_page=100');
  type Row = { _links: Record<string, { href: string; embeddable?: boolean }[]>; _embedded: Record<string, unknown[]> };
  const rows = body as Row[];
  expect(Object.keys(rows[0]?._embedded ?? {})).toEqual(['author', 'replies', 'wp:featuredmedia', 'wp:term']);
  for (const { _links, _embedded } of [rows[0], rows[1], rows[7]].flatMap((row) => row ?? [])) {
    for (const [relation, found] of Object.entries(_embedded)) {
      const targets = _links[relation] ?? [];
      const answers = targets.map(async ({ href }) => {
        const path = href.slice(`${site.context.publicUrl}/rest`.length);
        const context = `${path.includes('?') ? '&per_page=100&' : '?'}context=embed`;
        return (await site.fetch(path + context)).body;
      });
      expect(found).toEqual(await Promise.all(answers));
    }
  }
});

test('writing a post runs at most ten statements, besides authentication', async () => {
  const headers = { 'content-type': 'application/json' };
  const write = (title: string) => {
    const body = JSON.stringify({ title, content: `<p>${title}</p>`, status: 'publish' });
    return site.fetch('/core/v2/posts', { as: 'administrator', method: 'POST', headers, body });
  };
  // Creates the author's page.
  await write('First');
  const encode = vi.spyOn(WriteCounter.prototype, 'isWrite');
  try {
    const { status } = await write('Second');
    const asked = encode.mock.calls.map(([sql]) => sql).filter((sql) => !AUTHENTICATION.test(sql));
    expect(status).toBe(201);
    expect(asked.length).toBeLessThanOrEqual(10);
  } finally {
    encode.mockRestore();
  }
});
