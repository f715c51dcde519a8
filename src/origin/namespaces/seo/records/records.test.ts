import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { notifyListeners } from '#origin/platform/registry/content-kind.ts';
import { content, term } from '#origin/platform/store/schema.ts';
import { openSeoSite, OPEN_TIMEOUT_MS, type SeoSite } from '../testing/seo-site.ts';
import { repairRecords } from './index-records.ts';
import { seoLink, seoRecord, type RecordType } from './tables.ts';

let site: SeoSite;
beforeAll(async () => {
  site = await openSeoSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

beforeEach(async () => {
  for (const table of [seoLink, seoRecord, content, term]) await site.context.store.db.delete(table);
});

async function recordOf(type: RecordType, objectId: number) {
  const [row] = await site.context.store.db
    .select()
    .from(seoRecord)
    .where(and(eq(seoRecord.type, type), eq(seoRecord.objectId, objectId)));
  return row;
}

const pathOf = async (id: number) => (await recordOf('post', id))?.path;
const incoming = async (id: number) => (await recordOf('post', id))?.incomingLinkCount;

let number = 0;
async function addPost(fields: Record<string, unknown> = {}, base = 'posts') {
  number += 1;
  const { id } = await site.write('POST', `core/v2/${base}`, {
    title: `Post ${number}`,
    slug: `post-${number}`,
    status: 'publish',
    content: '<p>Text</p>',
    ...fields,
  });
  return id;
}
const linkTo = (...paths: string[]) => paths.map((path) => `<p><a href="${path}">x</a></p>`).join('\n');

/** Signs that can hardly be packed. */
const mixed = (length: number) =>
  String.fromCodePoint(...Array.from({ length }, (_, i) => 0x4e00 + ((i * 7919 + i * i * 31) % 20_000)));

describe('records of content', () => {
  it('follow its status from draft to deletion', async () => {
    const id = await addPost({ slug: 'here', status: 'draft' });
    expect(await recordOf('post', id)).toMatchObject({ status: 'draft', path: null, isPublic: false, linkCount: null });
    await site.write('POST', `core/v2/posts/${id}`, { status: 'publish' });
    expect(await recordOf('post', id)).toMatchObject({
      status: 'publish',
      path: '/here/',
      isPublic: true,
      linkCount: 0,
    });
    await site.write('POST', `core/v2/posts/${id}`, { slug: 'there' });
    expect(await pathOf(id)).toBe('/there/');
    await site.write('DELETE', `core/v2/posts/${id}`);
    expect(await recordOf('post', id)).toMatchObject({ status: 'trash', path: null, isPublic: false });
    await site.write('POST', `core/v2/posts/${id}`, { status: 'publish' });
    expect(await recordOf('post', id)).toMatchObject({ path: '/there/', isPublic: true });
    await site.write('DELETE', `core/v2/posts/${id}?force=true`);
    expect(await recordOf('post', id)).toBeUndefined();
  });

  it('follow settings, however they are written', async () => {
    const id = await addPost({ meta: { _seo_focuskw: 'window tape' } });
    expect(await recordOf('post', id)).toMatchObject({ focusKeyphrase: 'window tape', isIndexed: null });
    await site.write('POST', `seo/v1/settings/post/${id}`, { index: 'noindex', is_cornerstone: true, seo_score: 71 });
    expect(await recordOf('post', id)).toMatchObject({
      focusKeyphrase: 'window tape',
      isIndexed: false,
      isCornerstone: true,
      seoScore: 71,
    });
  });

  it('below a page move with it', async () => {
    const top = await addPost({ slug: 'about' }, 'pages');
    const middle = await addPost({ slug: 'team', parent: top }, 'pages');
    const bottom = await addPost({ slug: 'sales', parent: middle }, 'pages');
    expect(await pathOf(bottom)).toBe('/about/team/sales/');
    await site.write('POST', `core/v2/pages/${top}`, { slug: 'company' });
    expect([await pathOf(middle), await pathOf(bottom)]).toEqual(['/company/team/', '/company/team/sales/']);
    await site.write('DELETE', `core/v2/pages/${middle}?force=true`);
    expect(await pathOf(bottom)).toBe('/company/sales/');
  });

  it('are there for episodes, and for nothing that has no page of its own', async () => {
    const { id } = await site.write('POST', 'podcast/v2/episodes');
    const { post_id: page } = (await site.write('GET', `podcast/v2/episodes/${id}`)) as unknown as { post_id: number };
    expect(await recordOf('post', page)).toMatchObject({ subType: 'podcast', status: 'draft' });
    const menu = await site.write('POST', 'core/v2/navigation', { title: 'Menu', content: '<p>x</p>' });
    expect(await recordOf('post', menu.id)).toBeUndefined();
  });
});

describe('links', () => {
  it('count towards what they lead to, each page once, and not the page itself', async () => {
    const target = await addPost({ slug: 'target' });
    const { publicUrl } = site.context;
    const id = await addPost({
      slug: 'source',
      content: linkTo(
        `${publicUrl}/target/`,
        '/target',
        '/target/?a=1#b',
        '#top',
        '/source/?x=1',
        'https://example.org/',
        'mailto:a@example.org',
      ),
    });
    expect(await incoming(target)).toBe(1);
    expect(await incoming(id)).toBe(0);
    expect(await recordOf('post', id)).toMatchObject({ linkCount: 3 });
    const links = await site.context.store.db.select().from(seoLink);
    expect(links.map(({ type, targetPath }) => [type, targetPath])).toEqual([
      ['internal', '/target/'],
      ['internal', '/target/'],
      ['internal', '/target/'],
      ['external', null],
      ['external', null],
    ]);
  });

  it('stop counting with the text, the status and the row that have them', async () => {
    const target = await addPost({ slug: 'target' });
    const [a, b, c] = [
      await addPost({ content: linkTo('/target/') }),
      await addPost({ content: linkTo('/target/') }),
      await addPost({ content: linkTo('/target/') }),
    ];
    expect(await incoming(target)).toBe(3);
    await site.write('POST', `core/v2/posts/${a}`, { content: '<p>None any more</p>' });
    expect(await incoming(target)).toBe(2);
    await site.write('POST', `core/v2/posts/${b}`, { status: 'draft' });
    expect(await incoming(target)).toBe(1);
    await site.write('DELETE', `core/v2/posts/${c}?force=true`);
    expect(await incoming(target)).toBe(0);
    await site.write('POST', `core/v2/posts/${b}`, { status: 'publish' });
    expect(await incoming(target)).toBe(1);
    await site.write('POST', `core/v2/posts/${b}`, { password: 'secret' });
    expect(await incoming(target)).toBe(0);
  });

  it('count for the current owner of an address', async () => {
    const source = await addPost({ content: linkTo('/wanted/', '/category/news/') });
    const first = await addPost({ slug: 'wanted' });
    expect(await incoming(first)).toBe(1);
    await site.write('POST', `core/v2/posts/${first}`, { slug: 'elsewhere' });
    expect(await incoming(first)).toBe(0);
    const second = await addPost({ slug: 'wanted' });
    expect(await incoming(second)).toBe(1);
    const { id: category } = await site.write('POST', 'core/v2/categories', { name: 'News' });
    expect(await recordOf('term', category)).toMatchObject({ path: '/category/news/', incomingLinkCount: 1 });
    await site.write('DELETE', `core/v2/posts/${source}`);
    expect(await recordOf('term', category)).toMatchObject({ incomingLinkCount: 0 });
  });

  it('to addresses longer than an index takes are left out, and so are such pictures and paths', async () => {
    const content = `${linkTo(`/${mixed(1900)}/`, '/hub/')}<img src="/uploads/${mixed(3000)}.png">`;
    const target = await addPost({ slug: 'hub', content }, 'pages');
    expect(await recordOf('post', target)).toMatchObject({ linkCount: 1, pictures: [] });
    let parent = target;
    for (let level = 0; level < 18; level += 1)
      parent = await addPost({ slug: mixed(22).slice(level), parent }, 'pages');
    expect(await recordOf('post', parent)).toMatchObject({ status: 'publish', path: null });
  });

  it('of a page that links to thousands cost as little as what changes', async () => {
    const target = await addPost({ slug: 'hub' });
    const many = Array.from({ length: 3000 }, (_, i) => `/p-${i}/`);
    const id = await addPost({ content: linkTo('/hub/', ...many) });
    expect(await recordOf('post', id)).toMatchObject({ linkCount: 2000 });
    expect(await incoming(target)).toBe(1);
  });
});

describe('records of terms and authors', () => {
  it('follow renames, parents and deletion', async () => {
    const { id: top } = await site.write('POST', 'core/v2/categories', { name: 'News' });
    const { id: below } = await site.write('POST', 'core/v2/categories', { name: 'Releases', parent: top });
    expect(await recordOf('term', below)).toMatchObject({ path: '/category/news/releases/', subType: 'category' });
    await site.write('POST', `core/v2/categories/${top}`, { slug: 'journal' });
    expect((await recordOf('term', below))?.path).toBe('/category/journal/releases/');
    await site.write('DELETE', `core/v2/categories/${top}?force=true`);
    expect(await recordOf('term', top)).toBeUndefined();
    expect((await recordOf('term', below))?.path).toBe('/category/releases/');
  });

  it('exist for authors with published posts', async () => {
    const { users } = site;
    expect(await recordOf('user', users.author)).toBeUndefined();
    const id = await addPost({ author: users.author });
    expect(await recordOf('user', users.author)).toMatchObject({ path: '/author/author/' });
    await site.write('POST', `core/v2/users/${users.author}`, { slug: 'pen' });
    expect((await recordOf('user', users.author))?.path).toBe('/author/pen/');
    await site.write('POST', `core/v2/posts/${id}`, { author: users.editor });
    expect(await recordOf('user', users.author)).toBeUndefined();
    expect(await recordOf('user', users.editor)).toBeDefined();
  });
});

it('the steps that build records answer them whole', async () => {
  const top = await addPost({ slug: 'top' }, 'pages');
  const id = await site.addContent({
    type: 'page',
    parentId: top,
    slug: 'below',
    status: 'publish',
    meta: { '_seo_opengraph-image': 'https://e.example/a.png' },
  });
  const { objects } = await site.write('POST', 'seo/v1/indexing/posts');
  expect(objects).toMatchObject([
    {
      object_id: id,
      permalink: `${site.context.publicUrl}/top/below/`,
      has_ancestors: true,
      has_public_posts: null,
      blog_id: 1,
      language: null,
      open_graph_image: 'https://e.example/a.png',
      open_graph_image_source: 'set-by-user',
      open_graph_image_meta: null,
      twitter_image_source: null,
      prominent_words_version: null,
    },
  ]);
});

it('what was written past the records is found when the origin starts', async () => {
  const target = await site.addContent({ type: 'page', slug: 'old', title: 'Old', status: 'publish', content: 'x' });
  const source = await site.addContent({
    type: 'post',
    slug: 'src',
    title: 'S',
    status: 'publish',
    content: linkTo('/old/'),
  });
  const gone = await addPost();
  await site.context.store.db.delete(content).where(eq(content.id, gone));
  await repairRecords(site.context, () => true);
  expect(await recordOf('post', target)).toMatchObject({ path: '/old/', incomingLinkCount: 1 });
  expect(await recordOf('post', source)).toMatchObject({ linkCount: 1 });
  expect(await recordOf('post', gone)).toBeUndefined();
  expect(await recordOf('home-page', 0)).toMatchObject({ path: '/' });
});

// Last, as it takes so long that the server would hang up on the next one.
it('more links than a statement takes are written, and taken away', async () => {
  const { db } = site.context.store;
  const text = linkTo(...Array.from({ length: 2000 }, (_, i) => `/to-${i}/`));
  const ids: number[] = [];
  for (const slug of ['a', 'b', 'c', 'd', 'e', 'f'])
    ids.push(await site.addContent({ type: 'page', slug, title: slug, status: 'publish', content: text }));
  await repairRecords(site.context, () => true);
  expect(await db.$count(seoLink)).toBe(12_000);
  await db.update(content).set({ status: 'draft' });
  await writeContent(db, (tx) => notifyListeners(tx, site.context, { content: ids }));
  expect(await db.$count(seoLink)).toBe(0);
});
