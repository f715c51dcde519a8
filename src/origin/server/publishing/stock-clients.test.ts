import type { default as ApiFetch, Options } from '@wordpress/api-fetch';
import type { default as WpApi } from 'wpapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STOCK_NAMESPACES } from '#contracts/index.ts';
import { OPEN_TIMEOUT_MS, openTestSite, testPassword, type TestSite } from '#origin/testing/open-test-site.ts';
import { loadAuditTool } from '#files/testing/audit-tools.ts';

/** Runs unmodified client libraries for stock servers against this one under the stock names. */
let site: TestSite;
let root: string;
beforeAll(async () => {
  site = await openTestSite({ namespaces: STOCK_NAMESPACES, restRoot: 'wp-json' });
  root = `${site.context.publicUrl}/wp-json/`;
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

interface Written {
  id: number;
  slug: string;
  status: string;
  title: { raw: string; rendered: string };
  categories: number[];
}

const WPAPI = loadAuditTool<typeof WpApi>('wpapi');
const { default: apiFetch } = loadAuditTool<{ default: typeof ApiFetch }>('@wordpress/api-fetch');

const open = () => new WPAPI({ endpoint: root, username: 'editor', password: testPassword('editor'), auth: true });

describe('wpapi', () => {
  it('writes, reads, revises and deletes a post', async () => {
    const wp = open();
    const category = (await wp.categories().create({ name: 'Baustelle' })) as { id: number };
    const created = (await wp
      .posts()
      .create({ title: 'Luftdicht', content: 'Text', status: 'publish', categories: [category.id] })) as Written;
    expect(created).toMatchObject({ slug: 'luftdicht', categories: [category.id] });
    const updated = (await wp.posts().id(created.id).update({ title: 'Winddicht' })) as Written;
    expect(updated.title).toMatchObject({ raw: 'Winddicht', rendered: 'Winddicht' });
    const read = (await wp.posts().slug('luftdicht').categories(category.id).embed()) as Written[];
    expect([...read]).toMatchObject([{ id: created.id, _embedded: { author: [{ slug: 'editor' }] } }]);
    expect((await wp.posts().id(created.id).revisions()) as unknown[]).not.toEqual([]);
    expect(await wp.posts().id(created.id).delete({ force: true })).toMatchObject({ deleted: true });
    await expect(wp.posts().id(created.id).get()).rejects.toMatchObject({ code: 'rest_post_invalid_id' });
  });

  it('pages through a list by its headers', async () => {
    for (let i = 0; i < 5; i += 1) await site.addContent({ title: `Seite ${i}` });
    const wp = open();
    const first = await wp.posts().perPage(2).get();
    expect(first._paging).toMatchObject({ total: 5, totalPages: 3 });
    const next = (await first._paging.next.get()) as Written[];
    expect(next).toHaveLength(2);
  });
});

describe('@wordpress/api-fetch', () => {
  const authorization = `Basic ${Buffer.from(`editor:${testPassword('editor')}`).toString('base64')}`;
  const call = <T>(options: Pick<Options, 'path' | 'method' | 'data'>) =>
    apiFetch<T>({ ...options, headers: { authorization } });

  beforeAll(() => {
    apiFetch.use(apiFetch.createRootURLMiddleware(root));
  });

  it('writes with overridden methods, and reads', async () => {
    const created = await call<Written>({
      path: '/wp/v2/pages',
      method: 'POST',
      data: { title: 'Technik', status: 'publish' },
    });
    const updated = await call<Written>({
      path: `/wp/v2/pages/${created.id}`,
      method: 'PUT',
      data: { status: 'draft' },
    });
    expect(updated.status).toBe('draft');
    const gone = await call<{ status: string }>({ path: `/wp/v2/pages/${created.id}`, method: 'DELETE' });
    expect(gone.status).toBe('trash');
  });

  it('collects all pages of a list', async () => {
    const posts = await call<Written[]>({ path: '/wp/v2/posts?per_page=-1&_fields=id' });
    expect(posts.length).toBeGreaterThanOrEqual(5);
  });

  it('gets errors in the form it knows', async () => {
    await expect(call({ path: '/wp/v2/posts/999999' })).rejects.toMatchObject({
      code: 'rest_post_invalid_id',
      data: { status: 404 },
    });
  });
});
