import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startFakeServer } from '#client/testing/test-server.ts';
import { STOCK_NAMESPACES } from '#contracts/index.ts';
import { openManagement } from '#origin/admin/management/run-management.ts';
import { startOrigin, type RunningOrigin } from '#origin/server/index.ts';
import { temporaryFolder } from '#origin/platform/store/testing/temporary-folder.ts';
import type { RunCommand } from './destination.ts';
import { formatImportReport } from './format-import-report.ts';
import { importSite, type SiteImportOptions } from './import-site.ts';
import type { KindReport } from './connect-site.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const PASSWORD = '0123456789abcdef01234567';

interface Site {
  origin: RunningOrigin;
  folder: string;
  /** Calls a route as the administrator. */
  call(method: string, route: string, body?: unknown): Promise<Record<string, unknown>>;
  list(route: string): Promise<Record<string, unknown>[]>;
}

async function startSite(login: string, restRoot: string): Promise<Site> {
  const folder = temporaryFolder();
  const bootstrap = path.join(folder, 'bootstrap.json');
  const administrator = { login, email: `${login}@test.example`, name: login, role: 'administrator' };
  const author = { login: `${login}-author`, email: `${login}-author@test.example`, name: 'Ann', role: 'author' };
  const site = { name: `${login}'s & co`, description: 'Roofs', timezone: 'Europe/Berlin' };
  const users = [administrator, author].map((user) => ({
    ...user,
    applicationPassword: user === administrator ? PASSWORD : PASSWORD.toUpperCase().replaceAll(/\d/g, 'x'),
  }));
  writeFileSync(bootstrap, JSON.stringify({ site, users }));
  const isStock = restRoot === 'wp-json';
  const origin = await startOrigin({
    dataFolder: path.join(folder, 'origin'),
    bootstrap,
    restRoot,
    namespaces: isStock ? STOCK_NAMESPACES : {},
    log: () => undefined,
  });
  const base = `${origin.url}/${restRoot}/${isStock ? 'wp' : 'core'}/v2/`;
  const authorization = `Basic ${Buffer.from(`${login}:${PASSWORD}`).toString('base64')}`;
  const send = async (method: string, route: string, body?: unknown): Promise<unknown> => {
    const isFile = Buffer.isBuffer(body);
    const [, name] = /^media\/(.+)$/.exec(route) ?? [];
    const response = await fetch(base + (isFile ? 'media' : route), {
      method,
      headers: {
        authorization,
        'content-type': isFile ? 'application/octet-stream' : 'application/json',
        ...(isFile && { 'content-disposition': `attachment; filename="${name}"` }),
      },
      ...(body !== undefined && { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${method} ${route}: ${JSON.stringify(answer)}`);
    return answer;
  };
  return {
    origin,
    folder,
    call: async (method, route, body) => (await send(method, route, body)) as Record<string, unknown>,
    list: async (route) => {
      const query = `${route.includes('?') ? '&' : '?'}context=edit&per_page=100&orderby=id&order=asc`;
      return (await send('GET', route + query)) as Record<string, unknown>[];
    },
  };
}

const idOf = (row: Record<string, unknown>): number => Number(row['id']);

/** A site with one record of each kind. */
async function fill({ call, origin }: Site): Promise<void> {
  const parent = await call('POST', 'categories', { name: 'Roof & wall', description: 'Both' });
  const child = await call('POST', 'categories', { name: 'Membranes', parent: idOf(parent) });
  const tag = await call('POST', 'tags', { name: 'Winter' });
  const picture = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#a40' } })
    .jpeg()
    .toBuffer();
  const large = await sharp({ create: { width: 2570, height: 40, channels: 3, background: '#04a' } })
    .jpeg()
    .toBuffer();
  const small = await call('POST', 'media/roof.jpg', picture);
  const wide = await call('POST', 'media/wide.jpg', large);
  await call('POST', 'media/sheet.txt', Buffer.from('Declared values'));
  await call('POST', `media/${idOf(small)}`, { alt_text: 'A roof', caption: 'Up <b>there</b>', slug: 'roof-picture' });
  const sizes = (small['media_details'] as { sizes: Record<string, { source_url: string }> }).sizes;
  const post = await call('POST', 'posts', {
    title: 'Sealing & joints',
    status: 'publish',
    slug: 'sealing',
    date: '2026-02-03T04:05:06',
    content:
      `<!-- wp:image {"id":${idOf(small)},"sizeSlug":"medium"} -->\n<figure class="wp-block-image"><img src="${sizes['medium']?.source_url}" ` +
      `class="wp-image-${idOf(small)}"/></figure>\n<!-- /wp:image -->\n<p><a href="${origin.url}/about/">About</a> ` +
      `<a href="${String(wide['source_url'])}">wide</a> <a href="${origin.url}/uploads/2020/01/lost.pdf">lost</a></p>`,
    excerpt: 'In short',
    categories: [idOf(child)],
    tags: [idOf(tag)],
    featured_media: idOf(wide),
    sticky: true,
    format: 'gallery',
    author: 2,
    comment_status: 'closed',
    meta: { _seo_title: 'Seal', footnotes: '' },
  });
  await call('POST', `posts/${idOf(post)}`, { title: 'Sealing joints' });
  await call('POST', `posts/${idOf(post)}`, { excerpt: 'In very short' });
  await call('POST', `media/${idOf(small)}`, { post: idOf(post) });
  const open = await call('POST', 'posts', { title: 'Open', status: 'publish', content: 'Say something' });
  const asked = await call('POST', 'comments', { post: idOf(open), content: 'How so?', date: '2026-03-01T10:00:00' });
  await call('POST', 'comments', { post: idOf(open), content: 'Like so.', parent: idOf(asked), status: 'hold' });
  await call('POST', 'posts', { title: 'Draft' });
  await call('POST', 'posts', { title: 'Waiting', status: 'pending', slug: 'waiting' });
  await call('POST', 'posts', { title: 'Ours', status: 'private' });
  await call('POST', 'posts', { title: 'Later', status: 'future', date: '2031-01-01T10:00:00' });
  await call('POST', 'posts', { title: 'Guarded', status: 'publish', password: 'sesame', content: 'Secret' });
  const gone = await call('POST', 'posts', { title: 'Gone', status: 'publish' });
  await call('DELETE', `posts/${idOf(gone)}`);
  const below = await call('POST', 'pages', { title: 'Team', status: 'publish', menu_order: 3 });
  const about = await call('POST', 'pages', { title: 'About', status: 'publish', template: 'page-no-title' });
  await call('POST', `pages/${idOf(below)}`, { parent: idOf(about) });
  await call('POST', 'pages', { title: 'Team', status: 'publish' });
}

let source: Site;
let target: Site;
beforeAll(async () => {
  [source, target] = await Promise.all([startSite('operator', 'wp-json'), startSite('local', 'rest')]);
  // Takes an ID that the source uses too.
  await Promise.all([fill(source), target.call('POST', 'pages', { title: 'Own', status: 'publish' })]);
});
afterAll(async () => {
  await Promise.all([source.origin.close(), target.origin.close()]);
});

const access = () => ({ address: source.origin.url, user: 'operator', password: PASSWORD, retries: 0 });

async function importInto(dataFolder: string, options: Partial<SiteImportOptions> = {}) {
  const management = await openManagement({ dataFolder, publicUrl: 'http://127.0.0.1:4330' });
  try {
    return await importSite({ ...access(), run: management.run, ...options });
  } finally {
    await management.close();
  }
}

const targetFolder = () => path.join(target.folder, 'origin');
const kindOf = (kinds: readonly KindReport[], kind: string) => kinds.find((entry) => entry.kind === kind);

const find = (rows: Record<string, unknown>[] | undefined, slug: string) =>
  rows?.find((row) => row['slug'] === slug) ?? {};

async function revisionsOf(site: Site) {
  const [post] = await site.list('posts?slug=sealing');
  const rows = await site.list(`posts/${idOf(post ?? {})}/revisions`);
  return rows.map(({ date, title, excerpt }) => ({ date, title, excerpt }));
}

/** A record without values that differ between sites: IDs, addresses and anything derived from them. */
function comparable(row: Record<string, unknown>): unknown {
  const drop = new Set([
    'id',
    'guid',
    'link',
    '_links',
    'class_list',
    'author_avatar_urls',
    'author',
    'featured_media',
    'parent',
    'post',
  ]);
  for (const name of ['categories', 'tags', 'permalink_template', 'avatar_urls']) drop.add(name);
  const kept = Object.fromEntries(Object.entries(row).filter(([name]) => !drop.has(name)));
  const text = JSON.stringify(kept)
    .replaceAll(source.origin.url, '')
    .replaceAll(target.origin.url, '')
    .replaceAll(/wp-image-\d+|\{\\"id\\":\d+/g, '#')
    .replaceAll(/image-\d+/g, '#');
  return JSON.parse(text) as unknown;
}

const sorted = (rows: Record<string, unknown>[]) => rows.map(comparable).toSorted(byText);
const byText = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

describe('an import', () => {
  it('imports and reports everything', async () => {
    const { changed, kinds } = await importInto(targetFolder());
    expect(changed).toBe(true);
    expect(kinds.map(({ kind, found, added, left, notes }) => [kind, found, added, left, notes])).toEqual([
      ['user', 2, 2, [], []],
      [
        'category',
        3,
        2,
        [],
        [{ reason: 'already existed here with the same slug', count: 1, which: ['1 (uncategorized)'] }],
      ],
      ['tag', 1, 1, [], []],
      [
        'settings',
        1,
        0,
        [{ reason: 'the site already has content', count: 1, which: ['title, description, timezone'] }],
        [],
      ],
      ['media', 3, 3, [], []],
      ['page', 3, 3, [], []],
      ['post', 8, 8, [], []],
      ['comment', 2, 2, [], []],
    ]);
  });

  it.each([
    'posts?status=publish,draft,pending,private,future,trash',
    'pages',
    'media',
    'categories',
    'tags',
    'comments?status=approve',
    'comments?status=hold',
  ])('leaves no difference in %s but numbers and addresses', async (route) => {
    const [theirs, ours] = await Promise.all([source.list(route), target.list(route)]);
    const came = ours.filter(({ slug }) => slug !== 'own');
    // Records whose IDs were taken come last.
    expect(sorted(came)).toEqual(sorted(theirs));
    expect(came.length).toBeGreaterThan(0);
  });

  it('resolves every reference to imported records', async () => {
    const [users, categories, media, pages, posts] = await Promise.all(
      ['users', 'categories', 'media', 'pages', 'posts'].map((route) => target.list(route)),
    );
    const post = find(posts, 'sealing');
    const ids = (rows: Record<string, unknown>[] | undefined, slug: string) => idOf(find(rows, slug));
    expect(post).toMatchObject({
      author: ids(users, 'operator-author'),
      featured_media: ids(media, 'wide'),
      categories: [ids(categories, 'membranes')],
    });
    expect(find(categories, 'membranes')['parent']).toBe(ids(categories, 'roof-wall'));
    expect(find(media, 'roof-picture')['post']).toBe(idOf(post));
    const team = pages?.filter(({ slug }) => slug === 'team').map(({ parent }) => parent);
    expect(team?.toSorted()).toEqual([0, ids(pages, 'about')].toSorted());
    expect(find(users, 'operator-author')).toMatchObject({ roles: ['author'], email: 'operator-author@test.example' });

    const { raw } = post['content'] as { raw: string };
    const small = ids(media, 'roof-picture');
    expect(raw).toContain(`class="wp-image-${small}"`);
    expect(raw).toContain(`{"id":${small},`);
    expect(raw).toContain(`${target.origin.url}/about/`);
    // The file was not imported, but still exists at the source.
    expect(raw).toContain(`${source.origin.url}/uploads/2020/01/lost.pdf`);
    for (const [, address = ''] of raw.matchAll(/(?:src|href)="([^"]*\.jpg)"/g)) {
      expect(address).toContain(target.origin.url);
      expect((await fetch(address)).status).toBe(200);
    }
    const original = String(find(media, 'wide')['source_url']).replace('-scaled', '');
    const [theirs, ours] = await Promise.all(
      [original.replace(target.origin.url, source.origin.url), original].map(async (url) => (await fetch(url)).bytes()),
    );
    expect(ours).toEqual(theirs);
  });

  it('imports revisions with their dates', async () => {
    const theirs = await revisionsOf(source);
    expect(theirs).toHaveLength(2);
    expect(await revisionsOf(target)).toEqual(theirs);
  });

  it('imports nothing the second time', async () => {
    const { changed, kinds } = await importInto(targetFolder());
    expect(changed).toBe(false);
    const others = kinds.filter(({ kind }) => kind !== 'settings');
    expect(others.every(({ found, unchanged }) => found === unchanged)).toBe(true);
  });

  it('imports only changes at the source and keeps local edits', async () => {
    const findId = async (site: Site, slug: string) => idOf((await site.list(`posts?slug=${slug}`))[0] ?? {});
    const [theirs, theirGuarded] = [await findId(source, 'sealing'), await findId(source, 'guarded')];
    await source.call('POST', `posts/${theirs}`, { title: 'Sealing, once more', sticky: false });
    await source.call('POST', `posts/${theirGuarded}`, { title: 'Theirs' });
    await sleep(1000);
    await target.call('POST', `posts/${await findId(target, 'guarded')}`, { title: 'Mine' });
    const outcome = await importInto(targetFolder());
    expect(kindOf(outcome.kinds, 'post')).toMatchObject({
      added: 0,
      updated: 1,
      unchanged: 6,
      left: [{ reason: 'was changed here', count: 1, which: [`${theirGuarded} (guarded)`] }],
    });
    const [sealing] = await target.list('posts?slug=sealing');
    expect(sealing).toMatchObject({ title: { raw: 'Sealing, once more' }, sticky: false });
    expect((await target.list(`posts/${idOf(sealing ?? {})}/revisions`)).length).toBe(3);
    expect((await target.list('posts?slug=guarded'))[0]).toMatchObject({ title: { raw: 'Mine' } });
    expect(formatImportReport(outcome).message).toContain(
      `  1 post: was changed here\n    ${theirGuarded} (guarded)\n    -> Nothing to do if the local version is right`,
    );
  });

  it('reports records that were deleted at the source and keeps them', async () => {
    const [waiting, tag] = [
      (await source.list('posts?slug=waiting&status=pending'))[0],
      (await source.list('tags'))[0],
    ];
    await source.call('DELETE', `posts/${idOf(waiting ?? {})}?force=true`);
    await source.call('DELETE', `tags/${idOf(tag ?? {})}?force=true`);
    const outcome = await importInto(targetFolder());
    const reason = 'was deleted at the source, but still exists here';
    expect(kindOf(outcome.kinds, 'post')?.notes).toEqual([
      { reason, count: 1, which: [`${idOf(waiting ?? {})} (waiting)`] },
    ]);
    expect(formatImportReport(outcome).message).toContain(
      `  1 tag: ${reason}\n    ${idOf(tag ?? {})} (winter)\n    -> Delete it here`,
    );
    expect(await target.list('posts?slug=waiting&status=pending')).toHaveLength(1);
    expect(kindOf(outcome.kinds, 'page')?.notes).toEqual([]);
  });

  it('reports records that are hidden from the account', async () => {
    const password = PASSWORD.toUpperCase().replaceAll(/\d/g, 'x');
    const outcome = await importSite({ ...access(), user: 'operator-author', password, run: takeAll });
    expect(kindOf(outcome.kinds, 'page')).toMatchObject({
      found: 3,
      added: 0,
      left: [{ reason: 'with the status "publish" are not shown to this account', count: 3 }, {}, {}, {}, {}, {}],
    });
    const posts = kindOf(outcome.kinds, 'post');
    expect(posts?.left.length).toBeGreaterThan(0);
    expect(formatImportReport(outcome).message).toContain(
      'logins, addresses and roles are not shown to this account: authors are imported by name only',
    );
  });

  it.each([
    ['a wrong password', { password: 'wrong pass word' }, 'IMPORT_NOT_SIGNED_IN'],
    ['another address', { address: 'http://127.0.0.1:9' }, 'UPSTREAM_UNAVAILABLE'],
    ['another REST root', { restRoot: 'nowhere' }, 'IMPORT_NO_INTERFACE'],
  ])('fails for %s without telling the password', async (_, options, code) => {
    const error = await importInto(targetFolder(), options).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code });
    expect(JSON.stringify(error) + String(error)).not.toMatch(new RegExp(`${PASSWORD}|wrong pass word`));
  });
});

describe('an interrupted import', () => {
  it('stores no partial records when killed or when the source fails, and resumes', async () => {
    const data = path.join(temporaryFolder(), 'origin');
    const ran: { child?: ChildProcess } = {};
    let ofPosts = 0;
    const proxy = await startProxy((url) => {
      if (/\/posts\b/.test(url) && (ofPosts += 1) > 3) ran.child?.kill('SIGKILL');
      return ofPosts <= 4;
    });
    const first = startCommand(proxy.origin, data);
    ran.child = first.child;
    expect((await first.ended).signal).toBe('SIGKILL');

    // From here on through the running origin.
    const origin = await startOrigin({ dataFolder: data, log: () => undefined });
    await expect(importInto(data, { address: proxy.origin })).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      hint: expect.stringContaining('run the same command again'),
    });
    await proxy.close();
    const { code, said } = await startCommand(source.origin.url, data).ended;
    expect(said).not.toContain(PASSWORD);
    expect(code).toBe(10);
    const { kinds } = JSON.parse(said) as { kinds: KindReport[] };
    for (const { found, added, unchanged } of kinds) expect(added + unchanged).toBe(found);
    for (const kind of ['settings', 'media', 'page'])
      expect(kindOf(kinds, kind)).toMatchObject({ added: 0, unchanged: kind === 'settings' ? 1 : 3 });
    expect(kindOf(kinds, 'post')?.added).toBeGreaterThan(0);

    const read = async (route: string) => (await fetch(`${origin.url}/rest/${route}`)).json();
    expect(await read('')).toMatchObject({ name: 'operator&#039;s &amp; co', timezone_string: 'Europe/Berlin' });
    const posts = (await read('core/v2/posts')) as unknown[];
    const pages = (await read('core/v2/pages')) as unknown[];
    const media = (await read('core/v2/media')) as { source_url: string }[];
    expect([posts.length, pages.length, media.length]).toEqual([3, 3, 3]);
    for (const { source_url: address } of media) expect((await fetch(address)).status).toBe(200);
    await origin.close();
  });
});

const onPodcast = (site: Site, method: string, route: string, body?: unknown) =>
  site.call(method, `../../podcast/v2/${route}`, body);

/** An episode in the interface's form, without IDs and addresses of its server. */
async function readEpisode(site: Site): Promise<Record<string, unknown>> {
  const { results } = (await onPodcast(site, 'GET', 'episodes?status=all')) as { results: { id: number }[] };
  expect(results).toHaveLength(1);
  const id = results[0]?.id ?? 0;
  const episode = await onPodcast(site, 'GET', `episodes/${id}`);
  const { chapters } = await onPodcast(site, 'GET', `chapters/${id}`);
  const media = await onPodcast(site, 'GET', `episodes/${id}/media`);
  const text = await site.call('GET', `episodes/${Number(episode['post_id'])}?context=edit`);
  // IDs and addresses differ.
  const differs = new Set([
    '_links',
    'guid',
    'tags',
    'author',
    'class_list',
    'link',
    'post_id',
    'audio',
    'files',
    'poster',
  ]);
  const without = (row: Record<string, unknown>, more: readonly string[] = []) =>
    Object.fromEntries(Object.entries(row).filter(([name]) => !differs.has(name) && !more.includes(name)));
  const fields = { ...without(episode), guid: episode['guid'] };
  const own = JSON.stringify({ fields, chapters, media, page: without(text, ['id']) }).replaceAll(site.origin.url, '');
  return JSON.parse(own) as Record<string, unknown>;
}

describe('the podcast of a site', () => {
  const AUDIO = readFileSync(path.join(import.meta.dirname, '../../../content/demo/podcast/audio/minus-five.mp3'));
  let page: number;

  /** Uploads a file of an episode as an editor. */
  async function upload(name: string, bytes: Buffer): Promise<void> {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(bytes)]), name);
    form.set('post', String(page));
    const authorization = `Basic ${Buffer.from(`operator:${PASSWORD}`).toString('base64')}`;
    const address = `${source.origin.url}/wp-json/wp/v2/media`;
    const answer = await fetch(address, { method: 'POST', headers: { authorization }, body: form });
    expect(answer.status).toBe(201);
  }

  beforeAll(async () => {
    await onPodcast(source, 'PUT', 'podcast', {
      title: 'Walls & more',
      summary: 'About walls.',
      author_name: 'Acme',
      language: 'de-DE',
      category: 'Stand-Up',
      cover_image: String(find(await source.list('media'), 'roof-picture')['source_url']),
    });
    await onPodcast(source, 'POST', 'shows', { title: 'Winter', slug: 'winter', language: 'de-AT' });
    const { id } = await onPodcast(source, 'POST', 'episodes');
    const created = await onPodcast(source, 'GET', `episodes/${Number(id)}`);
    page = Number(created['post_id']);
    await onPodcast(source, 'PUT', `episodes/${Number(id)}`, {
      title: 'Minus five & <em>so</em>',
      subtitle: 'Cold',
      summary: 'On a roof\nin winter',
      guid: 'urn:walls:1',
      number: 7,
      season: 2,
      type: 'bonus',
      slug: 'walls-007',
      duration: '3:05',
      soundbite_start: '0:10',
      soundbite_duration: '15',
      soundbite_title: 'Tape',
      explicit: true,
      recording_date: '2026-01-05',
      show: 'winter',
      skip_validation: true,
    });
    await onPodcast(source, 'PUT', `chapters/${Number(id)}`, {
      chapters: [
        { start: '0', title: 'Begin', href: `${source.origin.url}/01/9524010000214` },
        {
          start: '1:00',
          title: 'Elsewhere',
          href: 'https://elsewhere.example/',
          image: 'https://elsewhere.example/a.png',
        },
      ],
    });
    await upload('walls-007.mp3', AUDIO);
    const media = (await onPodcast(source, 'GET', `episodes/${Number(id)}/media`)) as {
      results: { asset_id: number }[];
    };
    await onPodcast(source, 'PUT', `episodes/${Number(id)}/media/${media.results[0]?.asset_id}/enable`);
    const tag = await source.call('POST', 'tags', { name: 'Cold' });
    await source.call('POST', `episodes/${page}`, {
      status: 'publish',
      date: '2026-02-03T04:05:06',
      content: `<p>See <a href="${source.origin.url}/about/">About</a></p>`,
      tags: [idOf(tag)],
    });
  });

  it('is imported with shows, guids, numbers, chapters, pages and files', async () => {
    const { kinds } = await importInto(targetFolder());
    expect(kindOf(kinds, 'podcast')).toMatchObject({ found: 1, added: 1, left: [], lost: [] });
    expect(kindOf(kinds, 'show')).toMatchObject({ found: 1, added: 1 });
    expect(kindOf(kinds, 'episode')).toMatchObject({ found: 1, added: 1, left: [], lost: [] });
    expect(await readEpisode(target)).toEqual(await readEpisode(source));
    expect(await readEpisode(target)).toMatchObject({
      fields: { guid: 'urn:walls:1', number: 7, season: 2, show: 'winter' },
    });
    const [there, here] = [await onPodcast(source, 'GET', 'podcast'), await onPodcast(target, 'GET', 'podcast')];
    for (const name of ['guid', 'title', 'summary', 'author_name', 'language', 'category'])
      expect(here[name]).toBe(there[name]);
    expect(here['poster']).toMatch(target.origin.url);
    expect((await fetch(String(here['poster']))).headers.get('content-type')).toBe('image/jpeg');
    const file = await fetch(`${target.origin.url}/uploads/podcast/walls-007.mp3`);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(AUDIO);
  });

  it('is imported again only after a change at the source', async () => {
    const { changed, kinds } = await importInto(targetFolder());
    expect(changed).toBe(false);
    expect(kindOf(kinds, 'episode')).toMatchObject({ unchanged: 1, added: 0, updated: 0, left: [] });
    await onPodcast(source, 'PUT', 'episodes/1', { subtitle: 'Very cold' });
    const again = await importInto(targetFolder());
    expect(kindOf(again.kinds, 'episode')).toMatchObject({ updated: 1 });
    expect(await readEpisode(target)).toEqual(await readEpisode(source));
  });

  it('reports invalid data and imports the rest', async () => {
    const answers: Record<string, (body: Record<string, unknown>) => unknown> = {
      'podcast/v2/episodes': ({ results }) => ({
        _version: 'v2',
        results: [...(results as []), { id: 66, title: '' }],
      }),
      'podcast/v2/episodes/66': () => ({ id: 66, guid: 5, type: 'opera' }),
      'podcast/v2/episodes/1': (body) => ({
        ...body,
        slug: '../../outside',
        episode_poster: 'http://169.254.1.1/a b.png',
      }),
      'podcast/v2/chapters/1': () => ({
        _version: 'v2',
        chapters: [
          { start: '0', title: 'A', href: 'javascript:x', image: '' },
          { start: '0:20,5', title: 'Comma', href: null },
          { start: 'soon', title: 'Some time', href: '', image: '' },
          { title: 'Never' },
        ],
      }),
    };
    const proxy = await startFakeServer((request, response) => {
      const headers = request.headers as Record<string, string>;
      const [, route = ''] = /\/wp-json\/([^?]+)/.exec(request.url ?? '') ?? [];
      void fetch(source.origin.url + request.url, { headers }).then(async (answer) => {
        const change = answers[route];
        const kept = [...answer.headers].filter(([name]) => !/encoding|length/.test(name));
        const body = Buffer.from(await answer.arrayBuffer());
        const changed = change ? JSON.stringify(change(JSON.parse(body.toString()) as Record<string, unknown>)) : body;
        response.writeHead(change ? 200 : answer.status, Object.fromEntries(kept)).end(changed);
      });
    });
    const { kinds } = await importInto(path.join(temporaryFolder(), 'origin'), { address: proxy.origin });
    await proxy.close();
    const episodes = kindOf(kinds, 'episode');
    expect(episodes).toMatchObject({ found: 2, added: 1 });
    expect(episodes?.left).toMatchObject([
      { reason: expect.stringMatching(/does not match the interface: guid is not/), count: 1 },
    ]);
    const lost = episodes?.lost.map(({ reason }) => reason).join('\n');
    expect(lost).toMatch(/--files-from: http:\/\/169\.254\.1\.1/);
    expect(lost).toMatch(/its slug can not be part of a file name/);
    expect(lost).toMatch(/unsafe chapter links were skipped: 1/);
    expect(lost).toMatch(/chapters without a readable start were skipped: 1/);
    expect(lost).toMatch(/a chapter does not match the interface: chapters\[3\]\.start is missing/);
  });
});

const taken = temporaryFolder();

/** A destination that accepts and discards everything. */
const takeAll: RunCommand = (command, args) => {
  const { records = [] } = args as { records?: { id: number }[] };
  const outcomes = records.map(({ id }) => ({ id, outcome: 'added' }));
  const answers = {
    'import begin': { folder: taken },
    'import check': { unchanged: [], known: [] },
    'import put': { outcomes },
    'import settings': { outcome: 'added' },
    'import settle': { settled: 0, open: [] },
    'import absent': { absent: [] },
    'import product-check': { different: [] },
    'import product-put': { outcomes: [] },
  };
  return Promise.resolve(answers[command]);
};

/** The source behind a server that fails on request. */
function startProxy(mayPass: (url: string) => boolean) {
  return startFakeServer((request, response) => {
    if (!mayPass(request.url ?? '')) return void response.writeHead(500).end();
    const headers = request.headers as Record<string, string>;
    void fetch(source.origin.url + request.url, { headers }).then(async (answer) => {
      const kept = [...answer.headers].filter(([name]) => !/encoding|length/.test(name));
      response.writeHead(answer.status, Object.fromEntries(kept)).end(Buffer.from(await answer.arrayBuffer()));
    });
  });
}

function startCommand(address: string, data: string) {
  const script = path.join(import.meta.dirname, '../../../scripts/origin.ts');
  const env = { ...process.env, NO_COLOR: '1', DATABASE_URL: '', SITE_URL: '', SORTIMENT_IMPORT_PASSWORD: PASSWORD };
  const args = [script, 'import', address, '--user', 'operator', '--data', data, '--json'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const ended = once(child, 'close').then(([code, signal]) => ({ code: Number(code), signal: String(signal), said }));
  return { child, ended };
}
