import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getTag, listTags } from '#contracts/core/routes.ts';
import { getPlayerSetup } from '#contracts/player/routes.ts';
import { getHead } from '#contracts/seo/head.ts';
import { createTransport, type Transport } from './create-transport.ts';
import { detectPublishing, unusedNamespaces } from './detect-publishing.ts';
import { publishingClient } from './publishing-client.ts';
import { sendHtml, sendJson, startFakeServer, type TestServer } from './testing/test-server.ts';

let server: TestServer;
let transport: Transport;
beforeEach(async () => {
  server = await startFakeServer((_, response) => sendHtml(response, 404));
  transport = createTransport({ timeoutMs: 20_000, retries: 0 });
});
afterEach(async () => {
  await transport.close();
  await server.close();
});

const tag = (id: number) => ({
  id,
  link: 'https://site.example/',
  name: `Tag ${id}`,
  slug: `t${id}`,
  taxonomy: 'post_tag',
});
const index = (namespaces: string[]) => ({
  name: 'Site',
  description: '',
  url: 'https://site.example',
  home: 'https://site.example',
  namespaces,
});
const client = (namespaces = {}) =>
  publishingClient({ root: `${server.origin}/rest/`, namespaces, timeZone: 'UTC' }, transport);

describe('call', () => {
  it('follows the declaration, under the names of the server', async () => {
    server.answer = (_, response) => sendJson(response, tag(5));
    const answer = await client({ 'core/v2': 'wp/v2' }).call(getTag, {
      params: { id: 5 },
      query: { context: 'embed' },
    });
    expect(answer).toMatchObject({ kind: 'ok', value: { body: { name: 'Tag 5' }, problems: [] } });
    expect(server.seen[0]?.url).toBe('/rest/wp/v2/tags/5?context=embed');
  });

  it('keeps the good rows of a list and names the bad ones', async () => {
    server.answer = (_, response) =>
      sendJson(response, [tag(1), { ...tag(2), name: null }, tag(3), 'nonsense', { id: { toString: 1, valueOf: 1 } }]);
    const answer = await client().call(listTags);
    expect(answer).toMatchObject({
      kind: 'ok',
      value: {
        body: [{ id: 1 }, { id: 3 }],
        problems: [
          { id: '2', problems: [{ field: 'name' }] },
          { id: '', problems: [{ field: '' }] },
          { id: '', problems: expect.arrayContaining([expect.objectContaining({ field: 'id' })]) },
        ],
      },
    });
  });

  it('calls a body of another shape unreadable', async () => {
    server.answer = (_, response) => sendJson(response, { rows: [] });
    expect(await client().call(listTags)).toMatchObject({ kind: 'unreadable' });
  });
});

const serve = (total: number, withTotals: boolean) => {
  server.answer = (request, response) => {
    const query = new URL(request.url ?? '', server.origin).searchParams;
    const [page, size] = [Number(query.get('page')), Number(query.get('per_page'))];
    const rows = Array.from({ length: total }, (_, i) => tag(i + 1)).slice((page - 1) * size, page * size);
    if (rows.length === 0 && page > 1) sendJson(response, { code: 'rest_post_invalid_page_number' }, { status: 400 });
    else sendJson(response, rows, withTotals ? { headers: { 'X-WP-TotalPages': `${Math.ceil(total / size)}` } } : {});
  };
};
const readAll = async () => {
  const ids: number[] = [];
  for await (const { rows } of client().listAll(listTags)) ids.push(...rows.map(({ id }) => id));
  return ids;
};

describe('listAll', () => {
  it.each([
    [0, true, 1],
    [100, true, 1],
    [250, true, 3],
    [0, false, 1],
    [250, false, 3],
    [200, false, 3],
  ])('reads %i rows (totals in headers: %s) in %i requests', async (total, withTotals, requests) => {
    serve(total, withTotals);
    expect(await readAll()).toEqual(Array.from({ length: total }, (_, i) => i + 1));
    expect(server.seen).toHaveLength(requests);
    expect(server.seen[0]?.url).toContain('orderby=id&order=asc&per_page=100&page=1');
  });

  it('goes on over a page that is short because rows were left out of it', async () => {
    server.answer = (request, response) => {
      const page = Number(new URL(request.url ?? '', server.origin).searchParams.get('page'));
      sendJson(response, [tag(page)], { headers: { 'X-WP-TotalPages': '2' } });
    };
    expect(await readAll()).toEqual([1, 2]);
  });

  it.each([[{}], [{ 'X-WP-TotalPages': '100000000' }]])(
    'ends with an error where every page is the first (%j)',
    async (headers) => {
      const rows = Array.from({ length: 100 }, (_, i) => tag(i + 1));
      server.answer = (_, response) => sendJson(response, rows, { headers });
      await expect(readAll()).rejects.toMatchObject({
        code: 'UPSTREAM_UNREADABLE',
        message: expect.stringContaining('page 2 repeats the rows'),
      });
      expect(server.seen).toHaveLength(2);
    },
  );

  it('fails with the page that fails', async () => {
    server.answer = (request, response) =>
      new URL(request.url ?? '', server.origin).searchParams.get('page') === '2'
        ? sendJson(response, {}, { status: 503 })
        : sendJson(response, [tag(1)], { headers: { 'X-WP-TotalPages': '3' } });
    await expect(readAll()).rejects.toMatchObject({
      code: 'UPSTREAM_UNAVAILABLE',
      message: expect.stringContaining('page=2'),
    });
  });
});

const upstream = () => ({ siteUrl: server.origin, restRoot: 'detect', namespaces: {} });
const serveAt = (matches: (url: URL) => boolean, namespaces = ['core/v2']) => {
  server.answer = (request, response) =>
    matches(new URL(request.url ?? '', server.origin))
      ? sendJson(response, index(namespaces))
      : sendHtml(response, 404);
};

describe('detectPublishing', () => {
  it.each([
    ['wp-json', (url: URL) => url.pathname === '/wp-json/', '/wp-json/'],
    ['rest', (url: URL) => url.pathname === '/rest/', '/rest/'],
    ['a parameter', (url: URL) => url.searchParams.get('rest_route') === '/', '/?rest_route=/'],
  ])('finds a root that is %s', async (_, matches, root) => {
    serveAt(matches);
    expect(await detectPublishing(upstream(), transport)).toMatchObject({
      root: server.origin + root,
      namespaces: {},
      name: 'Site',
    });
  });

  it('calls routes below a root that is a parameter', async () => {
    server.answer = (request, response) =>
      sendJson(response, request.url?.includes('core/v2') ? [tag(1)] : index(['core/v2']));
    const site = await detectPublishing({ ...upstream(), restRoot: '?rest_route=' }, transport);
    await publishingClient(site, transport).call(listTags, { query: { page: 2 } });
    expect(server.seen.at(-1)?.url).toBe('/?rest_route=/core/v2/tags&page=2');
  });

  it('sees by the namespaces what the server calls them', async () => {
    serveAt((url) => url.pathname === '/wp-json/', ['oembed/1.0', 'wp/v2']);
    expect(await detectPublishing(upstream(), transport)).toMatchObject({ namespaces: { 'core/v2': 'wp/v2' } });
  });

  const patterns = {
    '/wp/v2/taxonomies': {},
    '/acme-seo/v1/get_head': {},
    '/acme-pictures/v1/attachmentinfo/(?P<id>[\\d]+)': {},
    '/acme-cast/v1/show': {},
    '/acme-cast/v2/episodes/(?P<id>[\\d]+)/media': {},
    '/acme-play/7.0/bootstrap': {},
    '/acme-play/shortcode/config/(?P<config>[a-z(0-9)-]+)/theme/(?P<theme>[\\w-]+)': {},
    '/acme-tools/v1/get_header': {},
  };
  const listed = [
    'wp/v2',
    'acme-seo/v1',
    'acme-pictures/v1',
    'acme-cast/v1',
    'acme-cast/v2',
    'acme-play/7.0',
    'acme-play/shortcode',
    'acme-tools/v1',
  ];
  const detect = (namespaces: Record<string, string> = {}, routes: object = patterns, names = listed) => {
    server.answer = (_, response) => sendJson(response, { ...index(names), routes });
    return detectPublishing({ ...upstream(), namespaces }, transport);
  };

  it('recognises namespaces by the routes that they serve, whatever they are called', async () => {
    const site = await detect();
    expect(site).toMatchObject({
      namespaces: {
        'core/v2': 'wp/v2',
        'seo/v1': 'acme-seo/v1',
        'thumbnails/v1': 'acme-pictures/v1',
        'podcast/v1': 'acme-cast/v1',
        'podcast/v2': 'acme-cast/v2',
        player: 'acme-play',
        'player/5.9.2': 'acme-play/7.0',
      },
      ambiguous: [],
    });
    await publishingClient(site, transport).call(getPlayerSetup, { params: { config: 'default', theme: 'default' } });
    expect(server.seen.at(-1)?.url).toBe('/wp-json/acme-play/shortcode/config/default/theme/default');
    expect(unusedNamespaces(site, [listTags, getHead, getPlayerSetup])).toEqual([
      'acme-pictures/v1 (thumbnails/v1)',
      'acme-cast/v1 (podcast/v1)',
      'acme-cast/v2 (podcast/v2)',
      'acme-play/7.0 (player/5.9.2)',
      'acme-tools/v1',
    ]);
  });

  it.each([
    ['of several, the first by the alphabet', ['/b/v1/get_head', '/a/v1/get_head'], ['b/v1', 'a/v1'], 'a/v1', ['b/v1']],
    ['of several, the neutral one', ['/a/v1/get_head', '/seo/v1/get_head'], ['a/v1', 'seo/v1'], undefined, ['a/v1']],
    ['the one with the route, not one that only has the name', ['/a/v1/get_head'], ['a/v1', 'seo/v1'], 'a/v1', []],
  ])('takes %s', async (_, routes, names, chosen, others) => {
    const found = await detect({}, Object.fromEntries(routes.map((route) => [route, {}])), ['wp/v2', ...names]);
    expect(found.namespaces['seo/v1']).toBe(chosen);
    expect(found.ambiguous).toEqual(others.length > 0 ? [{ neutral: 'seo/v1', used: chosen ?? 'seo/v1', others }] : []);
  });

  it('goes by names where a site keeps its routes to itself', async () => {
    expect((await detect({}, [], ['wp/v2', 'acme-seo/v1'])).namespaces).toEqual({ 'core/v2': 'wp/v2' });
    expect((await detect({}, {}, ['core/v2', 'seo/v1'])).namespaces).toEqual({});
  });

  it('adds configured names to those that it detects', async () => {
    const { namespaces, ambiguous } = await detect(
      { 'seo/v1': 'acme-tools/v1' },
      { ...patterns, '/acme-tools/v1/get_head': {} },
    );
    expect(namespaces).toMatchObject({ 'core/v2': 'wp/v2', 'seo/v1': 'acme-tools/v1', 'podcast/v2': 'acme-cast/v2' });
    expect(ambiguous).toEqual([]);
  });

  it.each([
    [{ 'seo/v1': 'acme/v1' }, /acme\/v1, for seo\/v1, is not among the namespaces of the site/],
    [{ seo: 'acme-seo/v1' }, /seo is not one of core\/v2, podcast\/v1/],
  ])('refuses the configured name %o, which the site or the program does not have', async (namespaces, message) => {
    await expect(detect(namespaces)).rejects.toMatchObject({
      code: 'ENVIRONMENT_INVALID',
      message: expect.stringMatching(message),
      hint: expect.stringContaining('PUBLISHING_NAMESPACES'),
    });
  });

  it('signs in with the account of the site, at its origin only', async () => {
    const account = { user: 'stage', password: 'Königs kette' };
    const other = await startFakeServer((_, response) => sendJson(response, index(['wp/v2'])));
    server.answer = (request, response) => {
      if (request.url?.startsWith('/wp-json/')) response.writeHead(302, { location: `${other.origin}/` }).end();
      else if (request.headers.authorization) sendJson(response, index(['core/v2']));
      else sendJson(response, {}, { status: 401 });
    };
    const site = await detectPublishing({ ...upstream(), account }, transport);
    expect(site.root).toBe(`${server.origin}/rest/`);
    const sent = server.seen.map(({ headers }) => headers.authorization?.replace('Basic ', '') ?? '');
    expect(sent.map((value) => Buffer.from(value, 'base64').toString())).toEqual(Array(2).fill('stage:Königs kette'));
    expect(other.seen).toEqual([]);
    await other.close();
  });

  it('shows no password that a server sends back', async () => {
    const account = { user: 'stage', password: 'geheimnis' };
    server.answer = ({ headers }, response) =>
      sendJson(response, { sent: headers.authorization, told: 'geheimnis' }, { status: 401 });
    const error = await detectPublishing({ ...upstream(), account }, transport).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'UPSTREAM_UNAUTHORISED',
      message: expect.stringContaining('"sent":"Basic ***"'),
      hint: expect.stringContaining('PUBLISHING_PASSWORD'),
    });
    expect(inspect(error)).not.toMatch(/geheimnis|c3RhZ2U6/);
  });

  it('says what it has tried', async () => {
    await expect(detectPublishing(upstream(), transport)).rejects.toMatchObject({
      code: 'UPSTREAM_WRONG_ADDRESS',
      message: expect.stringMatching(/wp-json[^]*\/rest\/[^]*rest_route/),
      hint: expect.stringContaining('PUBLISHING_REST_ROOT'),
    });
  });

  it('names the namespaces of a site without content routes', async () => {
    serveAt((url) => url.pathname === '/wp-json/', ['acme/v1']);
    await expect(detectPublishing(upstream(), transport)).rejects.toMatchObject({
      code: 'UPSTREAM_WRONG_ADDRESS',
      message: expect.stringContaining('acme/v1'),
      hint: expect.stringContaining('PUBLISHING_NAMESPACES'),
    });
  });

  it('doesn’t look on when the site is only out of reach', async () => {
    server.answer = (_, response) => sendJson(response, {}, { status: 503 });
    await expect(detectPublishing(upstream(), transport)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    expect(server.seen).toHaveLength(1);
  });
});
