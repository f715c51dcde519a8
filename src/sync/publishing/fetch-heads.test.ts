import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sendJson } from '#client/testing/test-server.ts';
import { SYNCED_KINDS } from '#contracts/synced/index.ts';
import { ASSET_KINDS } from '../assets/asset-kinds.ts';
import { addHeads, type TestHeads } from '../testing/test-heads.ts';
import { formatReport } from '../report/format-report.ts';
import { startTestUpstream, type TestUpstream } from '../testing/test-upstream.ts';

let upstream: TestUpstream;
let test: TestHeads;

beforeEach(async () => {
  upstream = await startTestUpstream({ assortment: () => [] });
  // Only the publishing site is read.
  delete upstream.upstreams.product;
  test = await addHeads(upstream);
});
afterEach(() => upstream.close());

const stored = () => upstream.read((snapshot) => [...snapshot.records('head')]);
const storedOf = (id: string) => stored().find((head) => head.id === id);
/** Addresses below the namespace that the server was asked for since. */
const asked = (from = 0) =>
  upstream.server.seen.slice(from).flatMap(({ url = '' }) => (url.includes('/seo/v1/') ? [url] : []));
const WITHOUT_EPISODE = [
  'author/3',
  'category/31',
  'home/0',
  'page/21',
  'page/22',
  'post/11',
  'post/12',
  'post/13',
  'tag/32',
];

describe.each([
  ['a list', { list: true, one: true }],
  ['a route for each address', { list: false, one: true }],
])('heads of a server with %s', (_, routes) => {
  beforeEach(() => {
    test.routes = routes;
  });

  it('are stored of each page that there is, with plain texts', async () => {
    const { warnings, unreachable, problems } = await upstream.sync();
    expect({ warnings, unreachable, problems }).toEqual({ warnings: [], unreachable: [], problems: [] });
    expect(
      stored()
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(WITHOUT_EPISODE);
    const { origin } = upstream.server;
    expect(storedOf('post/11')).toMatchObject({
      subject: { kind: 'post', id: 11 },
      title: 'Barcode lookup launches - Signal & Noise',
      description: '',
      robots: ['index', 'follow', 'max-snippet:-1', 'max-image-preview:large', 'max-video-preview:-1'],
      canonical: `${origin}/barcode-lookup-launches/`,
      openGraph: {
        type: 'article',
        title: 'Barcode lookup launches - Signal & Noise',
        description: 'A short excerpt.',
        locale: 'en_US',
        article: [['article:published_time', '2026-01-10T08:00:00+00:00']],
      },
      twitter: { card: 'summary_large_image' },
      author: 'Admin',
      graph: expect.arrayContaining([expect.objectContaining({ '@type': 'WebSite', name: 'Signal & Noise' })]),
    });
    expect(storedOf('post/13')?.openGraph.images).toEqual([
      { url: `${origin}/uploads/2026/11/portrait.jpg`, width: 800, height: 1200, type: 'image/jpeg' },
    ]);
  });

  it('cost one request when nothing has changed, and another for each changed page', async () => {
    await upstream.sync();
    let from = upstream.server.seen.length;
    expect(await upstream.sync()).toMatchObject({ changed: false });
    expect(asked(from)).toHaveLength(1);

    const head = test.of('post');
    head.json['title'] = 'By hand';
    const at = '2026-11-21T09:39:00';
    test.modified.set('post/11', `${at}.000Z`);
    Object.assign(upstream.lists['posts']?.[0] ?? {}, { modified_gmt: at });
    from = upstream.server.seen.length;
    const { changes } = await upstream.sync();
    expect(asked(from).length).toBeLessThanOrEqual(2);
    expect(changes).toContainEqual(
      expect.objectContaining({
        kind: 'head',
        id: 'post/11',
        fields: expect.arrayContaining([{ field: 'title', before: expect.any(String), after: 'By hand' }]),
      }),
    );
    expect(stored()).toHaveLength(WITHOUT_EPISODE.length);
  });

  it('go with their pages, and stay when the server fails or no longer has them', async () => {
    await upstream.sync();
    upstream.lists['tags'] = [];
    await upstream.sync();
    const left = WITHOUT_EPISODE.filter((id) => id !== 'tag/32').length;
    expect(stored()).toHaveLength(left);

    const { fault } = upstream;
    upstream.fault = (index, request, response) => {
      if (!request.url?.includes('/seo/v1/')) return fault?.(index, request, response) ?? false;
      sendJson(response, { code: 'internal_server_error' }, { status: 500 });
      return true;
    };
    const inAWeek = new Date(Date.now() + 8 * 86_400_000);
    expect(await upstream.sync({ now: () => inAWeek })).toMatchObject({
      changed: false,
      warnings: [{ kind: 'head', problem: expect.stringContaining('stored records stay') }],
    });
    upstream.fault = fault;
    test.routes = { list: false, one: false };
    expect(await upstream.sync({ now: () => new Date(inAWeek.getTime() + 8 * 86_400_000) })).toMatchObject({
      warnings: [{ kind: 'head', problem: expect.stringContaining('no longer offered') }],
    });
    expect(stored()).toHaveLength(left);
  });

  it('come into a snapshot that an earlier version has made without them', async () => {
    const content = SYNCED_KINDS.filter(({ kind }) => kind !== 'head');
    await upstream.sync({ kinds: { content, assets: ASSET_KINDS } });
    expect(stored()).toEqual([]);
    await upstream.sync();
    expect(stored()).toHaveLength(WITHOUT_EPISODE.length);
  });

  it('hold nothing that runs, leads astray or has no end', async () => {
    const evil = '"><script>alert(1)</script>';
    const links = ['javascript:alert(1)', 'JaVaScRiPt:alert(1)', 'data:text/html,x', '//evil.example/x', evil];
    const endless = Array.from({ length: 3000 }, (_row, i) => ({ '@type': 'Thing', name: `n${i}` }));
    test.of('post').json = {
      title: `${evil}&lt;b&gt;${'x'.repeat(9000)}`,
      description: ['a'],
      robots: { index: 'noindex', x: `"><script>`, y: 7 },
      canonical: links[0],
      og_title: { toString: 1 },
      og_type: evil,
      og_url: links[2],
      og_locale: '../..',
      og_image: [...links.map((url) => ({ url, width: 'x' })), 7, null],
      article_published_time: evil,
      article_publisher: links[1],
      twitter_image: links[0],
      twitter_misc: { [evil]: evil },
      schema: {
        '@graph': [
          ...links.map((url) => ({ '@type': 'WebPage', '@id': url, url, image: { url }, target: [url] })),
          { '@type': evil, '@context': 'https://evil.example/', name: evil },
          JSON.parse('{"@type":"Thing","__proto__":{"x":1},"constructor":"ok","name":"<b>A</b> &amp; B"}'),
          'text',
          [evil],
        ],
      },
    };
    test.of('page').json = { title: 'Page', schema: { '@graph': endless } };
    test.of('category').json = { title: 'News', schema: 7, og_image: {}, robots: 'noindex' };
    await upstream.sync();
    const head = storedOf('post/11');
    expect(JSON.stringify(head)).not.toMatch(/<script|javascript:|data:text|evil\.example|__proto__/i);
    expect(head).toMatchObject({
      description: '',
      robots: ['noindex'],
      canonical: '',
      openGraph: { title: '', type: '', url: '', locale: '', images: [], article: [] },
      graph: [...links.map(() => ({ '@type': 'WebPage' })), { '@type': 'Thing', constructor: 'ok', name: 'A & B' }],
    });
    expect(head?.title.length).toBeLessThanOrEqual(500);
    expect(storedOf('page/21')).toMatchObject({ title: 'Page', graph: [] });
    expect(storedOf('category/31')).toMatchObject({ title: 'News', graph: [], robots: [] });
  });
});

it('forgets a head that the server, asked for it, no longer has', async () => {
  test.routes = { list: false, one: true };
  await upstream.sync();
  test.heads = test.heads.filter((head) => head !== test.of('post'));
  Object.assign(upstream.lists['posts']?.[0] ?? {}, { modified_gmt: '2026-11-21T09:39:00' });
  await upstream.sync();
  expect(stored().map(({ id }) => id)).not.toContain('post/11');
  expect(stored()).toHaveLength(WITHOUT_EPISODE.length - 1);
});

it('reads heads from the namespace that serves them, under any name, and lists unused ones', async () => {
  test.namespace = 'acme/v1';
  test.routes = { list: false, one: true };
  upstream.namespaces = ['oembed/1.0', 'wp/v2', 'acme/v1', 'acme-tools/v2'];
  upstream.routes = ['/wp/v2/taxonomies', '/acme/v1/get_head', '/acme-tools/v2/headers'];
  const report = await upstream.sync();
  expect(stored()).toHaveLength(WITHOUT_EPISODE.length);
  expect(report.sources).toMatchObject([{ name: 'publishing', unused: ['oembed/1.0', 'acme-tools/v2'] }]);
  expect(formatReport(report)).toContain('Unused namespaces of the publishing site: oembed/1.0, acme-tools/v2.');

  upstream.routes.push('/acme-tools/v2/get_head');
  expect((await upstream.sync()).warnings).toMatchObject([
    {
      kind: 'source',
      problem: expect.stringMatching(/seo\/v1: acme-tools\/v2, acme\/v1\. The first one is used/),
      advice: expect.stringContaining('seo/v1=acme/v1'),
    },
  ]);
  const { publishing } = upstream.upstreams;
  if (!publishing) throw new Error('There is no publishing site.');
  publishing.namespaces = { 'seo/v1': 'acme/v1' };
  expect(await upstream.sync()).toMatchObject({ changed: false, warnings: [] });
  publishing.namespaces = { 'seo/v1': 'gone/v1' };
  publishing.restRoot = 'wp-json';
  upstream.settings.options.sync.sources.publishing.whenDown = 'use-last-good';
  await expect(upstream.sync()).rejects.toMatchObject({
    code: 'ENVIRONMENT_INVALID',
    message: expect.stringContaining('gone/v1, for seo/v1, is not among the namespaces of the site'),
  });
});

it('finds a head that has changed without its page in a full read, which the report names until then', async () => {
  test.routes = { list: false, one: true };
  await upstream.sync();
  test.of('author').json['title'] = 'By a template';
  const report = await upstream.sync();
  expect(report).toMatchObject({ changed: false, headsAsOf: expect.stringMatching(/^20/) });
  expect(formatReport(report)).toMatch(
    /Unchanged: nothing changed; page heads are as of 20\S+ \(`npm run sync -- --full=publishing` reads them again\)/,
  );
  expect(await upstream.sync({ full: ['product'] })).toMatchObject({ changed: false });
  const full = await upstream.sync({ full: ['publishing'] });
  expect(full).toMatchObject({ changes: [{ kind: 'head', id: 'author/3' }] });
  expect(full.headsAsOf).toBeUndefined();
  // A list reports each change.
  test.routes = { list: true, one: true };
  expect((await upstream.sync()).headsAsOf).toBeUndefined();
});

it('reads no heads of a stock server, and says nothing of it', async () => {
  upstream.namespaces.splice(upstream.namespaces.indexOf('seo/v1'), 1);
  expect(await upstream.sync()).toMatchObject({ warnings: [], problems: [], unreachable: [] });
  expect(asked()).toEqual([]);
  // The namespace alone is no head either.
  upstream.namespaces.push('seo/v1');
  test.routes = { list: false, one: false };
  expect(await upstream.sync()).toMatchObject({ warnings: [], problems: [], unreachable: [] });
});

it('knows what an editor wants besides: the name in trails, a cornerstone, a redirect', async () => {
  test.settings.set('page/21', { is_cornerstone: true, breadcrumb_title: 'Us', redirect: 'https://acme.example/us' });
  test.settings.set('post/11', {
    is_cornerstone: false,
    breadcrumb_title: '<i>x</i>',
    redirect: 'javascript:alert(1)',
  });
  await upstream.sync();
  expect(storedOf('page/21')).toMatchObject({
    isCornerstone: true,
    breadcrumbTitle: 'Us',
    redirect: 'https://acme.example/us',
  });
  expect(storedOf('post/11')).toMatchObject({ isCornerstone: false, breadcrumbTitle: 'x', redirect: '' });
});

it('encodes addresses that have spaces, and loses none of them', async () => {
  const picture = 'https://acme.example/uploads/Bild 1 ä.jpg';
  Object.assign(test.of('post').json, {
    og_image: [{ url: picture }],
    twitter_image: picture,
    schema: { '@graph': [{ '@type': 'ImageObject', url: picture, caption: 'https: see below' }] },
  });
  await upstream.sync();
  const url = 'https://acme.example/uploads/Bild%201%20%C3%A4.jpg';
  expect(storedOf('post/11')).toMatchObject({
    openGraph: { images: [{ url }] },
    twitter: { image: url },
    graph: [{ url, caption: 'https: see below' }],
  });
});

it('keeps the head of one address that fails, and asks all again after a day', async () => {
  test.routes = { list: false, one: true };
  await upstream.sync();
  const { fault } = upstream;
  test.of('author').json['title'] = 'Later';
  upstream.fault = (index, request, response) => {
    if (!request.url?.includes('get_head') || !request.url.includes('barcode'))
      return fault?.(index, request, response) ?? false;
    sendJson(response, { code: 'internal_server_error' }, { status: 500 });
    return true;
  };
  expect((await upstream.sync()).changed).toBe(false);
  const inADay = new Date(Date.now() + 25 * 3_600_000);
  expect(await upstream.sync({ now: () => inADay })).toMatchObject({
    changes: [{ kind: 'head', id: 'author/3' }],
    unreachable: [{ kind: 'head', records: ['post/11'] }],
  });
  expect(storedOf('post/11')).toMatchObject({ title: 'Barcode lookup launches - Signal & Noise' });
});
