import type { default as ApiFetch } from '@wordpress/api-fetch';
import type * as CoreData from '@wordpress/core-data';
import type * as Data from '@wordpress/data';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { STOCK_NAMESPACES } from '#contracts/index.ts';
import type { Role } from '#contracts/core/user-routes.ts';
import { OPEN_TIMEOUT_MS, openTestSite, testPassword, type TestSite } from '#origin/testing/open-test-site.ts';
import { loadAuditTool } from '#files/testing/audit-tools.ts';

const { store, __experimentalFetchLinkSuggestions: suggestLinks } =
  loadAuditTool<typeof CoreData>('@wordpress/core-data');
const { dispatch, resolveSelect } = loadAuditTool<typeof Data>('@wordpress/data');
const { default: apiFetch } = loadAuditTool<{ default: typeof ApiFetch }>(
  '@wordpress/api-fetch',
  '@wordpress/core-data',
);

// Runs the unmodified data store of block editors against the origin under the stock names. It requests what it needs
// itself: types before posts, `OPTIONS` before a button is shown, batches, list pages.
let site: TestSite;
let caller: Role = 'editor';

beforeAll(async () => {
  site = await openTestSite({ namespaces: STOCK_NAMESPACES, restRoot: 'wp-json' });
  // The library calls window.fetch.
  vi.stubGlobal('window', globalThis);
  apiFetch.use(apiFetch.createRootURLMiddleware(`${site.context.publicUrl}/wp-json/`));
  apiFetch.use((options, next) => {
    const authorization = `Basic ${Buffer.from(`${caller}:${testPassword(caller)}`).toString('base64')}`;
    return next({ ...options, headers: { ...options.headers, authorization } });
  });
}, OPEN_TIMEOUT_MS);
afterEach(() => {
  caller = 'editor';
  void dispatch(store).invalidateResolutionForStore();
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await site.close();
});

const read = () => resolveSelect(store);
const write = () => dispatch(store);
const save = (name: string, record: object) =>
  write().saveEntityRecord('postType', name, record, { throwOnError: true });

it('saves, lists, edits and deletes content of the listed types', async () => {
  const created = await save('post', { title: 'Luftdicht', content: 'Text', status: 'publish' });
  expect(created).toMatchObject({ slug: 'luftdicht', status: 'publish' });
  for (let i = 0; i < 101; i += 1) await site.addContent({ title: `Seite ${i}` });
  const all = await read().getEntityRecords('postType', 'post', { per_page: -1, _fields: 'id,title' });
  expect(all).toHaveLength(102);
  expect(await read().getEntityRecord('postType', 'post', created.id)).toMatchObject({ title: { raw: 'Luftdicht' } });

  write().editEntityRecord('postType', 'post', created.id, { title: 'Winddicht' });
  const edited = await write().saveEditedEntityRecord('postType', 'post', created.id);
  expect(edited).toMatchObject({ title: { raw: 'Winddicht' }, content: { raw: 'Text' } });

  const gone = await write().deleteEntityRecord(
    'postType',
    'post',
    created.id,
    { force: true },
    { throwOnError: true },
  );
  expect(gone).toMatchObject({ deleted: true });
  expect(await site.fetch(`/wp/v2/posts/${created.id}`)).toMatchObject({ status: 404 });
});

it('saves pages, terms and an autosave', async () => {
  expect(await save('page', { title: 'Technik' })).toMatchObject({ type: 'page', status: 'draft' });
  await write().saveEntityRecord('taxonomy', 'category', { name: 'Baustelle' }, { throwOnError: true });
  expect(await read().getEntityRecords('taxonomy', 'category')).toMatchObject([{ slug: 'baustelle' }]);
  const { id } = await save('post', { title: 'Kleben', status: 'publish' });
  await write().saveEntityRecord(
    'postType',
    'post',
    { id, title: 'Kleben?' },
    { isAutosave: true, throwOnError: true },
  );
  expect(await read().getAutosaves('post', id)).toMatchObject([{ parent: id, title: { raw: 'Kleben?' } }]);
});

it('saves several at once, in a batch', async () => {
  const saved = await write().__experimentalBatch([
    (api) => api.saveEntityRecord('postType', 'post', { title: 'Eins' }),
    (api) => api.saveEntityRecord('postType', 'page', { title: 'Zwei' }),
  ]);
  expect(saved).toMatchObject([{ type: 'post' }, { type: 'page' }]);
});

it.each<[Role, Record<string, boolean>]>([
  ['administrator', { posts: true, pages: true, media: true, users: true }],
  ['editor', { posts: true, pages: true, media: true, users: false }],
  ['author', { posts: true, pages: false, media: true, users: false }],
  ['contributor', { posts: true, pages: false, media: false, users: false }],
  ['subscriber', { posts: false, pages: false, media: false, users: false }],
])('learns from Allow what it may offer to the %s', async (role, expected) => {
  caller = role;
  const allowed = await Promise.all(
    Object.keys(expected).map(async (resource) => [resource, await read().canUser('create', resource)]),
  );
  expect(Object.fromEntries(allowed)).toEqual(expected);
});

it('reads whether a post can be edited and deleted', async () => {
  const id = await site.addContent({ title: 'Fremd', authorId: site.users.editor });
  expect(await read().canUserEditEntityRecord('postType', 'post', id)).toBe(true);
  caller = 'author';
  await write().invalidateResolutionForStore();
  expect(await read().canUser('update', 'posts', id)).toBe(false);
  expect(await read().canUser('delete', 'posts', id)).toBe(false);
});

it('starts from a navigation menu, and saves it', async () => {
  caller = 'administrator';
  const id = await read().getNavigationFallbackId();
  expect(await read().getEntityRecord('postType', 'wp_navigation', id)).toMatchObject({ slug: 'navigation' });
  write().editEntityRecord('postType', 'wp_navigation', id, { title: 'Hauptmenü' });
  const saved = await write().saveEditedEntityRecord('postType', 'wp_navigation', id);
  expect(saved).toMatchObject({ title: { raw: 'Hauptmenü' }, content: { raw: '<!-- wp:page-list /-->' } });
});

it('suggests link targets', async () => {
  const id = await site.addContent({ type: 'page', title: 'Dampfbremse', slug: 'dampfbremse' });
  expect(await suggestLinks('dampf')).toMatchObject([{ id, url: `${site.context.publicUrl}/dampfbremse/` }]);
});

it('reads users, the site, its media and its patterns', async () => {
  expect(await read().getCurrentUser()).toMatchObject({ name: 'editor' });
  expect(await read().getEntityRecord('root', '__unstableBase')).toMatchObject({ timezone_string: 'Europe/Berlin' });
  expect(await read().getEntityRecords('root', 'media', { per_page: 5 })).toEqual([]);
  expect(await read().getCurrentTheme()).toMatchObject({ theme_supports: { 'post-thumbnails': true } });
  expect(await read().getBlockPatterns()).not.toEqual([]);
  expect(await read().getBlockPatternCategories()).not.toEqual([]);
});
