import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '#origin/testing/open-test-site.ts';
import { outbox } from '#origin/platform/store/schema.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

const ask = (path: string, as?: 'administrator' | 'editor') => site.fetch(`/site-health/v1/${path}`, as ? { as } : {});

test.each([
  'background-updates',
  'loopback-requests',
  'https-status',
  'dotorg-communication',
  'authorization-header',
  'page-cache',
])('%s is good on a site that is', async (name) => {
  expect((await ask(`tests/${name}`, 'administrator')).body).toMatchObject({
    status: 'good',
    test: name.replaceAll('-', '_'),
    badge: { label: expect.any(String) },
    actions: '',
  });
});

test('notifications pending for an hour are reported', async () => {
  const runAt = new Date(Date.now() - 2 * 60 * 60 * 1000);
  await site.context.store.db.insert(outbox).values({ kind: 'origin.changed', payload: {}, runAt });
  const { body } = await ask('tests/background-updates', 'administrator');
  expect(body).toMatchObject({ status: 'recommended', actions: expect.stringContaining('log') });
});

test('sizes of files and store are measured', async () => {
  const folder = join(site.context.filesFolder, 'uploads', '2026');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'a.txt'), 'x'.repeat(1000));
  const { body } = await ask('directory-sizes', 'administrator');
  expect(body).toMatchObject({ uploads_size: { raw: 1000 }, total_size: { size: expect.stringMatching(/ MB$/) } });
});

test('requires an administrator', async () => {
  expect(await ask('tests/https-status', 'editor')).toMatchObject({ status: 403, body: { code: 'rest_forbidden' } });
  expect((await ask('directory-sizes')).status).toBe(401);
});
