import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { COMMANDS } from '#origin/admin/management/commands.ts';
import type { ListedHead } from '#contracts/seo/head.ts';
import type { JsonLdNode } from '#contracts/seo/linked-data.ts';
import { content, option } from '#origin/platform/store/schema.ts';
import { updateSeoOptions } from '../options.ts';
import { seoHead } from '../tables.ts';
import { loadLinks } from '../links.ts';
import { openSeoSite, OPEN_TIMEOUT_MS, type SeoSite } from '../testing/seo-site.ts';

let site: SeoSite;
let url: string;
beforeAll(async () => {
  site = await openSeoSite();
  url = site.context.publicUrl;
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

const addPost = async (fields: Record<string, unknown>, base = 'posts') =>
  (await site.write('POST', `core/v2/${base}`, { status: 'publish', content: '<p>Some text.</p>', ...fields })).id;
const set = (type: string, id: number, settings: object) =>
  site.write('POST', `seo/v1/settings/${type}/${id}`, settings);
const setOptions = (values: Parameters<typeof updateSeoOptions>[1]) =>
  updateSeoOptions({ context: site.context }, values);
const node = (graph: readonly JsonLdNode[] | undefined, type: string) =>
  graph?.find((one) => [one['@type']].flat().includes(type));

describe('the head of a page', () => {
  it('says what its editors wrote, with variables filled', async () => {
    const id = await addPost({ slug: 'own', title: 'Sealing', excerpt: 'In short.' });
    await set('post', id, {
      title: '%%title%% well %%sep%% %%nobody%%',
      description: 'About %%title%%.',
      canonical: 'https://elsewhere.example/sealing/',
      nofollow: true,
      noarchive: true,
      og_title: 'Shared %%title%%',
      og_image: 'https://pictures.example/a.png',
      twitter_title: 'On X',
      article_type: 'TechArticle',
      page_type: 'FAQPage',
      breadcrumb_title: 'Short',
    });
    const { status, json } = await site.head('/own/');
    expect(status).toBe(200);
    expect(json).toMatchObject({
      title: 'Sealing well',
      description: 'About Sealing.',
      canonical: 'https://elsewhere.example/sealing/',
      robots: { index: 'index', follow: 'nofollow', archive: 'noarchive' },
      og_title: 'Shared Sealing',
      og_description: 'About Sealing.',
      og_image: [{ url: 'https://pictures.example/a.png' }],
      twitter_title: 'On X',
    });
    const graph = json.schema?.['@graph'];
    expect(node(graph, 'TechArticle')).toMatchObject({ headline: 'Sealing' });
    expect(node(graph, 'FAQPage')).toMatchObject({ '@type': ['WebPage', 'FAQPage'], name: 'Sealing well' });
    expect(node(graph, 'BreadcrumbList')?.['itemListElement']).toMatchObject([{ name: 'Home' }, { name: 'Short' }]);
  });

  it('of what is not to be listed names no address', async () => {
    const id = await addPost({ slug: 'hidden', title: 'Hidden' });
    await set('post', id, { index: 'noindex', noimageindex: true });
    const { json, html } = await site.head('/hidden/');
    expect(json.robots).toEqual({ index: 'noindex', follow: 'follow' });
    expect(json.canonical).toBeUndefined();
    expect(html).not.toContain('rel="canonical"');
  });

  it('is found whatever the scheme, the slash, the query and the case, on any port', async () => {
    await addPost({ slug: 'found', title: 'Found' });
    for (const path of ['/found/', '/found', '/found/?utm=1', '/found/#x', '/FOUND/'])
      expect((await site.head(path)).json.canonical).toBe(`${url}/found/`);
    const asked = encodeURIComponent(`${url.replace('http:', 'https:')}/found/`);
    expect((await site.send('GET', `seo/v1/get_head?url=${asked}`)).status).toBe(200);
    const elsewhere = encodeURIComponent(`${url.replace(/:\d+$/, ':1')}/found/`);
    expect((await site.send('GET', `seo/v1/get_head?url=${elsewhere}`)).status).toBe(404);
  });

  it('goes by an id and by a search too', async () => {
    const id = await addPost({ slug: 'by-id', title: 'By id' });
    expect((await site.head(`/?p=${id}`)).json.title).toBe('By id - Dach &amp; Wand');
    expect((await site.head('/?p=999999')).status).toBe(404);
    expect((await site.head('/?s=tape')).json).toMatchObject({ robots: { index: 'noindex' }, og_type: 'article' });
  });

  it('follows a rename, the trash and a new parent at once', async () => {
    const top = await addPost({ slug: 'top', title: 'Top' }, 'pages');
    const id = await addPost({ slug: 'below', title: 'Below', parent: top }, 'pages');
    expect((await site.head('/top/below/')).status).toBe(200);
    await site.write('POST', `core/v2/pages/${top}`, { slug: 'over' });
    expect([(await site.head('/top/below/')).status, (await site.head('/over/below/')).status]).toEqual([404, 200]);
    await site.write('DELETE', `core/v2/pages/${id}`);
    expect((await site.head('/over/below/')).status).toBe(404);
  });
});

it('a site that has moved shows its own addresses as they are today', async () => {
  const { db } = site.context.store;
  const former = 'http://former.example';
  const [stored] = await db.select().from(option).where(eq(option.name, 'site'));
  await db
    .update(option)
    .set({ value: { ...(stored?.value as object), url: former } })
    .where(eq(option.name, 'site'));
  const target = await site.addContent({ type: 'page', slug: 'goal', title: 'Goal', status: 'publish', content: 'x' });
  const link = `<p><a href="${former}/goal/">x</a><img src="${former}/uploads/none.png"></p>`;
  const id = await site.addContent({
    type: 'page',
    slug: 'moved',
    title: 'Moved',
    status: 'publish',
    content: link,
    meta: { _seo_canonical: `${former}/other/` },
  });
  await site.write('POST', `seo/v1/settings/page/${target}`, { title: 'Goal' });
  await site.write('POST', `seo/v1/settings/page/${id}`, { og_image: `${url}/uploads/a.png` });
  expect(await site.write('GET', `seo/v1/settings/page/${id}`)).toMatchObject({
    canonical: `${url}/other/`,
    og_image: `${url}/uploads/a.png`,
  });
  const { json } = await site.head('/moved/');
  expect(json).toMatchObject({ canonical: `${url}/other/`, og_image: [{ url: `${url}/uploads/a.png` }] });
  expect(JSON.stringify(json)).not.toContain(former);
  expect((await loadLinks(site.context)).countIncoming(`${url}/goal/`)).toBe(1);
  const [row] = await db.select().from(content).where(eq(content.id, id));
  expect(row?.meta['_seo_opengraph-image']).toBe(`${former}/uploads/a.png`);
  await db.update(option).set({ value: stored?.value }).where(eq(option.name, 'site'));
});

describe('heads reveal nothing that the caller may not read', () => {
  it.each(['draft', 'private', 'future'])('of a post that is %s', async (status) => {
    const date = status === 'future' ? { date: '2099-01-01T00:00:00' } : {};
    const id = await addPost({ slug: `s-${status}`, title: 'Secret title', status, ...date });
    for (const path of [`/s-${status}/`, `/?p=${id}`]) {
      const { status: answered, json, html } = await site.head(path);
      expect(answered).toBe(404);
      expect(JSON.stringify(json) + html).not.toContain('Secret title');
    }
    expect((await site.head(`/?p=${id}`, 'editor')).json.title).toContain('Secret title');
    expect((await site.head(`/?p=${id}`, 'subscriber')).status).toBe(404);
  });

  it('of what a password locks: neither text nor pictures', async () => {
    const id = await addPost({
      slug: 'locked',
      title: 'Locked',
      password: 'key',
      excerpt: 'Secret excerpt',
      content: `<p>${'Secret text '.repeat(300)}<img src="https://pictures.example/secret.png"></p>`,
    });
    const { json, html } = await site.head('/locked/');
    expect(json.title).toBe('Locked - Dach &amp; Wand');
    await set('post', id, { description: 'A %%excerpt_only%%, %%caption%%, %%excerpt%%' });
    expect(JSON.stringify(await site.head('/locked/'))).not.toMatch(/secret|minutes/i);
    expect(JSON.stringify(json) + html).not.toMatch(/secret/i);
    expect(node(json.schema?.['@graph'], 'Article')).toBeUndefined();
  });

  it('of users who have published nothing', async () => {
    expect((await site.head('/author/subscriber/')).status).toBe(404);
    await addPost({ title: 'By the author', author: site.users.author });
    expect((await site.head('/author/author/')).json).toMatchObject({ og_type: 'profile' });
  });

  it('whose e-mail address a picture elsewhere is found by, unless the site says so', async () => {
    await addPost({ slug: 'portrayed', title: 'Portrayed', author: site.users.author });
    for (const path of ['/portrayed/', '/author/author/'])
      expect(JSON.stringify((await site.head(path)).json)).not.toContain('avatar');
    const { body: listed } = await site.send('GET', 'seo/v1/heads?per_page=100');
    expect(JSON.stringify(listed)).not.toContain('avatar');
    await site.write('POST', 'seo/v1/options', { avatars: true });
    expect((await site.head('/author/author/')).json['og_image']).toEqual([
      { url: expect.stringContaining('/avatar/') },
    ]);
    await site.write('POST', 'seo/v1/options', { avatars: false });
  });

  it('of pages above that strangers can not open', async () => {
    const top = await addPost({ slug: 'inner', title: 'Secret parent', status: 'private' }, 'pages');
    const id = await addPost({ slug: 'outer', title: 'Outer', parent: top }, 'pages');
    await set('page', id, { description: 'Below %%parent_title%%' });
    const { status, json } = await site.head('/inner/outer/');
    expect([status, JSON.stringify(json).includes('Secret parent')]).toEqual([200, false]);
  });
});

const HOSTILE = `"><script>alert(1)</script><!--</title>'&\u2028%%sitename%%`;

it('hostile values in every field stay values', async () => {
  const { id: category } = await site.write('POST', 'core/v2/categories', {
    name: `C ${HOSTILE}`,
    description: HOSTILE,
  });
  const id = await addPost({
    slug: 'hostile',
    title: `T ${HOSTILE}`,
    excerpt: HOSTILE,
    content: `<p>x</p><img src="javascript:alert(1)"><img src='https://p.example/a.png?"onload="alert(1)'>`,
    categories: [category],
  });
  await set('post', id, {
    title: HOSTILE,
    description: HOSTILE,
    og_title: HOSTILE,
    og_description: HOSTILE,
    twitter_title: HOSTILE,
    twitter_description: HOSTILE,
    breadcrumb_title: HOSTILE,
    focus_keyphrase: 'a"b',
    canonical: `https://e.example/"onmouseover="alert(1)`,
    primary_category: category,
  });
  await site.write('POST', `core/v2/users/${site.users.administrator}`, { name: HOSTILE, description: HOSTILE });
  await setOptions({
    company_name: HOSTILE,
    company_logo: 'https://e.example/"><script>alert(1)</script>',
    website_name: HOSTILE,
    other_social_urls: ['javascript:alert(1)', 'https://s.example/"x'],
    verification: { google_site_verification: HOSTILE },
    templates: { post: { title: HOSTILE } },
  });
  for (const path of ['/hostile/', '/', '/author/administrator/', `/?s=${encodeURIComponent(HOSTILE)}`]) {
    const { html, json } = await site.head(path);
    // Each line is one element, and none has more attributes than were written.
    for (const line of html.split('\n'))
      expect(line).toMatch(
        /^(?:<title>[^<>]*<\/title>|<meta (?:name|property)="[\w:.-]+" content="[^"<>]*" \/>|<link rel="\w+" href="[^"<>]*" \/>|<script type="application\/ld\+json">[^<>\u2028]*<\/script>)$/,
      );
    expect(JSON.stringify(json)).not.toMatch(/<script|javascript:/i);
    const [, linked = ''] = /ld\+json">(.*)<\/script>/.exec(html) ?? [];
    expect(JSON.parse(linked)).toEqual(json.schema);
  }
  await setOptions({ company_name: '', company_logo: '', website_name: '', other_social_urls: [], templates: {} });
});

const list = async (query: string) => {
  const { status, headers, body } = await site.fetch(`/seo/v1/heads?${query}`);
  return { status, total: Number(headers.get('x-wp-total')), heads: body as ListedHead[] };
};

describe('heads in bulk', () => {
  it('are those of the same addresses, without what strangers can not open', async () => {
    await addPost({ slug: 'bulk-draft', title: 'Secret title', status: 'draft' });
    const { id: tag } = await site.write('POST', 'core/v2/tags', { name: 'Bulk' });
    const id = await addPost({ slug: 'bulk', title: 'Bulk', tags: [tag] });
    await set('post', id, { is_cornerstone: true, redirect: 'https://e.example/new/', breadcrumb_title: 'B' });
    const { heads, total } = await list('per_page=100');
    expect(heads.length).toBe(total);
    expect(JSON.stringify(heads)).not.toContain('Secret title');
    expect(heads.find((one) => one.type === 'post' && one.id === id)?.settings).toEqual({
      is_cornerstone: true,
      redirect: 'https://e.example/new/',
      breadcrumb_title: 'B',
    });
    expect(new Set(heads.map(({ type }) => type))).toEqual(
      new Set(['home', 'archive', 'post', 'page', 'category', 'post_tag', 'user']),
    );
    for (const one of heads.slice(-8)) expect((await site.head(one.url.slice(url.length))).json).toEqual(one.head);
  });

  it('come in pages, as many as there are', async () => {
    const { total } = await list('per_page=1');
    const seen: string[] = [];
    for (let page = 1; page <= Math.ceil(total / 7); page += 1)
      seen.push(...(await list(`per_page=7&page=${page}`)).heads.map((one) => one.url));
    expect(new Set(seen).size).toBe(total);
    expect((await list('per_page=7&page=999')).status).toBe(400);
    expect((await list('per_page=101')).status).toBe(400);
  });

  /** As if all that is there had been written long ago. */
  async function age() {
    const { db } = site.context.store;
    await list(SINCE);
    await db.update(seoHead).set({ changedAt: new Date('2020-01-01T00:00:00Z') });
    // Drops cached responses.
    await setOptions({ first_times: { aged: new Date().toISOString() } });
    expect((await list(SINCE)).total).toBe(0);
  }
  const SINCE = 'per_page=100&modified_after=2021-01-01T00:00:00Z';
  const changed = async () => (await list(SINCE)).heads.map(({ type, id }) => `${type} ${id}`).toSorted();

  it('tell what has changed since, also with something else', async () => {
    const { id: category } = await site.write('POST', 'core/v2/categories', { name: 'Before' });
    const top = await addPost({ slug: 'm-top', title: 'Top' }, 'pages');
    const { id: lower } = await site.write('POST', 'core/v2/categories', { name: 'Lower', parent: category });
    const named = await addPost({ slug: 'm-term', title: 'Of a category', categories: [lower] });
    const below = await addPost({ slug: 'm-below', title: 'Below', parent: top }, 'pages');
    await age();
    await site.write('POST', `core/v2/categories/${category}`, { name: 'After' });
    await site.write('POST', `core/v2/pages/${top}`, { title: 'New top' });
    expect(await changed()).toEqual(
      [`category ${category}`, `category ${lower}`, `page ${top}`, `page ${below}`].toSorted(),
    );
    await setOptions({ site_kit_dismissed: true, first_times: { seen: 'now' }, analyse_on_save: true });
    expect(await changed()).toHaveLength(4);
    await site.write('POST', `core/v2/categories/${lower}`, { name: 'Lowest' });
    expect(await changed()).toContain(`post ${named}`);
    await setOptions({ website_name: 'Another name' });
    const all = await list('per_page=1');
    expect((await list(SINCE)).total).toBe(all.total);
  });

  it('tell so of pictures, comments, shows and people too', async () => {
    const addPicture = (file: string) =>
      site.addContent({ type: 'attachment', status: 'inherit', slug: file, file, mimeType: 'image/png' });
    const [picture, other] = [await addPicture('2026/01/a.png'), await addPicture('2026/01/b.png')];
    const shown = [
      await addPost({ slug: 'p-featured', featured_media: picture }),
      await addPost({ slug: 'p-named', content: `<img class="wp-image-${picture}" src="https://e.example/a.png">` }),
      await addPost({ slug: 'p-address', content: `<img src="${url}/uploads/2026/01/a-300x200.png">` }),
      await addPost({ slug: 'p-shared' }),
      await addPost({ slug: 'p-x' }),
    ];
    await addPost({ slug: 'p-other', featured_media: other, content: `<img class="wp-image-${other}" src="/b.png">` });
    await set('post', shown[3] ?? 0, { og_image_id: picture });
    await set('post', shown[4] ?? 0, { twitter_image: `${url}/uploads/2026/01/a.png` });
    await age();
    await site.write('POST', `core/v2/media/${picture}`, { alt_text: 'A joint' });
    // Heads contain the text of the main image only.
    expect(await changed()).toEqual(
      shown
        .slice(0, 3)
        .map((id) => `post ${id}`)
        .toSorted(),
    );
    await age();
    await site.write('DELETE', `core/v2/media/${other}?force=true`);
    expect(await changed()).toHaveLength(1);

    await age();
    await site.write('POST', 'core/v2/comments', { post: shown[0], content: 'Well said' });
    expect(await changed()).toEqual([`post ${shown[0]}`]);

    // A later second would change the modification time of the episode.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    const { id: show } = await site.write('POST', 'podcast/v2/shows', { title: 'Show' });
    const { id: episode } = await site.write('POST', 'podcast/v2/episodes');
    await site.write('PUT', `podcast/v2/episodes/${episode}`, { show: 'show', slug: 'e1', title: 'E' });
    const page = (await site.write('GET', `podcast/v2/episodes/${episode}`))['post_id'];
    await site.write('POST', `core/v2/episodes/${String(page)}`, { status: 'publish' });
    await age();
    // Heads of episodes name no show.
    await site.write('PUT', `podcast/v2/shows/${show}`, { slug: 'series' });
    expect(await changed()).toEqual([]);
    vi.useRealTimers();
    await site.write('PUT', `podcast/v2/episodes/${episode}`, { title: 'F' });
    expect(await changed()).toEqual([`podcast ${String(page)}`]);

    const authored = await addPost({ title: 'By the author', author: site.users.author });
    await age();
    await site.write('POST', `core/v2/users/${site.users.author}`, { name: 'Renamed' });
    const renamed = await changed();
    expect(renamed).toEqual(expect.arrayContaining([`post ${authored}`, `user ${site.users.author}`]));
    expect(renamed).not.toContain(`post ${shown[0]}`);
    expect(JSON.stringify((await list('per_page=100')).heads)).toContain('/author/author/');
    await COMMANDS['user disable'](site.context, { login: 'author' });
    const { heads } = await list('per_page=100');
    expect(heads.filter(({ url: address }) => address.endsWith('/author/author/'))).toEqual([]);
  });
});
