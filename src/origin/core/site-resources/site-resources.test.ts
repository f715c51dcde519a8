import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPEN_TIMEOUT_MS, openTestSite, type TestSite } from '../../publishing/open-test-site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

test('kinds of content and of terms name their collections', async () => {
  expect((await site.fetch('/core/v2/types')).body).toMatchObject({
    post: { rest_base: 'posts', rest_namespace: 'core/v2', taxonomies: ['category', 'post_tag'] },
    page: { hierarchical: true },
    attachment: { rest_base: 'media' },
  });
  expect((await site.fetch('/core/v2/taxonomies/post_tag')).body).toMatchObject({ rest_base: 'tags', types: ['post'] });
  expect((await site.fetch('/core/v2/types/nope')).body).toMatchObject({ code: 'rest_type_invalid' });
  expect((await site.fetch('/core/v2/taxonomies/nope')).body).toMatchObject({ code: 'rest_taxonomy_invalid' });
});

test('strangers meet one status, writers all', async () => {
  expect(Object.keys((await site.fetch('/core/v2/statuses')).body as object)).toEqual(['publish']);
  expect(Object.keys((await site.fetch('/core/v2/statuses', { as: 'contributor' })).body as object)).toContain('trash');
  expect((await site.fetch('/core/v2/statuses/draft')).body).toMatchObject({ code: 'rest_cannot_read_status' });
});

test('settings are for administrators', async () => {
  expect((await site.fetch('/core/v2/settings', { as: 'editor' })).status).toBe(403);
  expect((await site.fetch('/core/v2/settings', { as: 'administrator' })).body).toMatchObject({
    title: 'Dach &amp; Wand',
    timezone: 'Europe/Berlin',
    email: 'administrator@origin.test',
  });
});
