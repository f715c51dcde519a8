import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { route, wireInteger } from '#contracts/index.ts';
import { findSession, openSession, SESSION_COOKIE } from '#origin/platform/accounts/sessions.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { OPEN_TIMEOUT_MS, openTestSite, testPassword, type TestSite } from '#origin/testing/open-test-site.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { collection, created, item, type AnyCall } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { restNonce } from './publishing-interface.ts';

const id = z.object({ id: wireInteger() });
const thing = z
  .object({ id: z.int(), name: z.string().optional(), size: z.int().optional(), _links: z.unknown().optional() })
  .meta({ title: 'thing' });
const INVALID_ID = { rest_thing_invalid_id: 404 } as const;

const listThings = route({
  method: 'GET',
  path: 'core/v2/things',
  summary: 'Things',
  access: 'public',
  batch: 'v1',
  query: z.object({
    page: wireInteger({ minimum: 1 }).default(1).meta({ checkedFirst: true }),
    per_page: wireInteger({ minimum: 1, maximum: 100 }).default(2).meta({ checkedFirst: true }),
    order: z.enum(['asc', 'desc']).default('asc'),
    limit: wireInteger().optional(),
  }),
  response: z.array(thing),
});
const addThing = route({
  method: 'POST',
  path: 'core/v2/things',
  summary: 'Adds a thing',
  access: 'public',
  body: z.object({ name: z.string().min(1), size: wireInteger().optional() }),
  response: thing,
  errors: { rest_cannot_create: 'denied' },
});
const getThing = route({
  method: 'GET',
  path: 'core/v2/things/<id>',
  summary: 'A thing',
  access: 'public',
  params: id,
  allowsOtherRow: true,
  response: thing,
  errors: INVALID_ID,
});
const editThing = route({
  method: 'POST',
  also: ['PUT', 'PATCH'],
  path: 'core/v2/things/<id>',
  summary: 'Changes a thing',
  access: 'public',
  params: id,
  allowsOtherRow: true,
  body: z.object({ size: wireInteger().optional() }),
  response: thing,
  errors: { ...INVALID_ID, rest_cannot_edit: 'denied' },
});

function present(thingId: number, href: (path: string) => string) {
  return {
    id: thingId,
    _links: { next: [{ embeddable: true, href: href(`core/v2/things/${thingId + 1}`) }], up: [{ href: 'x' }] },
  };
}

function permitKnown({ params, refuse }: AnyCall<'rest_thing_invalid_id'> & { params: { id: number } }) {
  if (params.id > 5) throw refuse('rest_thing_invalid_id', 'No such thing.');
}

const addPicture = route({
  method: 'POST',
  path: 'core/v2/pictures',
  summary: 'Adds a picture',
  access: 'public',
  maxUploadBytes: 1000,
  body: z.object({ title: z.object({ raw: z.string() }).optional() }),
  response: z.unknown(),
});

/** Echoes the received parameters. */
function servePictures(registry: RouteRegistry): void {
  registry.serve(addPicture, async ({ body, files, upload }) =>
    item({ ...body, file: files.get('file')?.name ?? null, bytes: files.size === 0 ? await upload?.text() : null }),
  );
}

/** Things have IDs up to 5. Signed-in users can add them, editors can change them. */
function serveThings(registry: RouteRegistry): void {
  registry.serve(listThings, ({ query, addresses }) => {
    const ids = [1, 2, 3, 4, 5].slice((query.page - 1) * query.per_page, query.page * query.per_page);
    const rows = ids.map((thingId) => present(thingId, addresses.rest));
    return collection(rows, 5, { page: query.page, perPage: query.per_page });
  });
  registry.serve(addThing, ({ body, addresses }) => created({ ...body, id: 6 }, addresses.rest('core/v2/things/6')), {
    permit: ({ caller, refuse }) => {
      if (!can(caller, 'edit_posts')) throw refuse('rest_cannot_create', 'No.');
    },
  });
  registry.serve(
    getThing,
    ({ params, addresses }) => item(present(params.id, addresses.rest), { alternate: 'http://x.test/thing/' }),
    { permit: permitKnown },
  );
  registry.serve(editThing, ({ params, body }) => item({ ...params, ...body }), {
    permit: (call) => {
      permitKnown(call);
      if (!can(call.caller, 'edit_others_posts')) throw call.refuse('rest_cannot_edit', 'No.');
    },
  });
}

const things = (serve: NamespaceModule['serve']): NamespaceModule => ({
  name: 'things',
  description: 'Things',
  namespaces: ['core/v2'],
  serve,
});

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite({}, [things(serveThings), things(servePictures)]);
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

const root = () => `${site.context.publicUrl}/rest/`;
const json = { 'content-type': 'application/json' };

describe('routes', () => {
  test.each([
    ['/core/v2/things', 200],
    ['/core/v2/things/', 200],
    ['/CORE/v2/Things', 200],
    ['/core/v2//things', 404],
    ['/core/v2/things/abc', 404],
    ['/core/v2/nothing', 404],
    ['/nope/v9', 404],
  ])('GET %s is %i', async (path, status) => {
    expect((await site.fetch(path)).status).toBe(status);
  });

  test('an unserved method is not found and reveals no other methods', async () => {
    const { status, body, headers } = await site.fetch('/core/v2/things', { method: 'PURGE' });
    expect([status, headers.get('allow')]).toEqual([404, null]);
    expect(body).toMatchObject({ code: 'rest_no_route', data: { status: 404 } });
  });

  test('?rest_route= reaches the same', async () => {
    const response = await fetch(`${site.context.publicUrl}/?rest_route=/core/v2/things/3&_fields=id`);
    expect(await response.json()).toEqual({ id: 3 });
    expect((await fetch(`${site.context.publicUrl}/`)).status).toBe(404);
  });

  test(
    'a fault is logged without parameters of statements, and told as nothing but a fault',
    async () => {
      const broken = await openTestSite({}, [
        things((registry) =>
          registry.serve(listThings, () => {
            throw new Error('Failed query: select 1\nparams: secret');
          }),
        ),
      ]);
      const { status, body } = await broken.fetch('/core/v2/things');
      expect([status, body]).toMatchObject([500, { code: 'internal_server_error' }]);
      expect(broken.context.logged.join()).toContain('select 1');
      expect(broken.context.logged.join()).not.toContain('secret');
      await broken.close();
    },
    OPEN_TIMEOUT_MS,
  );
});

describe('parameters', () => {
  test.each([
    ['json beats query', '/core/v2/things/1?size=1', json, '{"size":2}', { id: 1, size: 2 }],
    ['a body id beats the id of the path', '/core/v2/things/1', json, '{"id":3}', { id: 3 }],
    [
      'form beats query',
      '/core/v2/things/1?size=1',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'size=3',
      { id: 1, size: 3 },
    ],
    ['query beats path', '/core/v2/things/1?id=2', {}, undefined, { id: 2 }],
    [
      'json has many names',
      '/core/v2/things/1',
      { 'content-type': 'application/activity+json; charset=utf-8' },
      '{"size":"4.0"}',
      { id: 1, size: 4 },
    ],
    ['other types are no parameters', '/core/v2/things/1', { 'content-type': 'text/plain' }, '{"size":2}', { id: 1 }],
    ['a list is no parameters', '/core/v2/things/1', json, '[1]', { id: 1 }],
  ])('%s', async (_, path, headers, body, expected) => {
    const answer = await site.fetch(path, {
      method: 'PUT',
      as: 'editor',
      headers,
      ...(body === undefined ? {} : { body }),
    });
    expect([answer.status, answer.body]).toEqual([200, expected]);
  });

  test('path parameters are validated first, in the order of the declaration', async () => {
    const { body } = await site.fetch('/core/v2/things?order=up&per_page=0&page=x');
    expect(body).toMatchObject({
      code: 'rest_invalid_param',
      data: {
        status: 400,
        params: { page: 'page is not of type integer.', per_page: expect.stringContaining('between 1') },
        details: {
          page: { code: 'rest_invalid_type', data: { param: 'page' } },
          per_page: { code: 'rest_out_of_bounds', data: null },
        },
      },
    });
    expect(body).not.toMatchObject({ data: { params: { order: expect.anything() } } });
  });

  test("characters that the store can't hold are removed", async () => {
    const { body } = await site.fetch('/core/v2/things?order=a%00sc&_fields=i%00d&per_page=1');
    expect(body).toEqual([{ id: 1 }]);
  });

  test('the others follow in the order of the request', async () => {
    const { body } = await site.fetch('/core/v2/things?limit=1.5&order=up');
    expect(Object.keys((body as { data: { params: object } }).data.params)).toEqual(['limit', 'order']);
  });

  test('fields of a body are all checked at once, and what is missing comes before', async () => {
    const wrong = await site.fetch('/core/v2/things', { method: 'POST', headers: json, body: '{"size":"x","name":1}' });
    expect(Object.keys((wrong.body as { data: { params: object } }).data.params)).toEqual(['name', 'size']);
    const missing = await site.fetch('/core/v2/things', { method: 'POST', headers: json, body: '{"size":"x"}' });
    expect(missing.body).toMatchObject({
      code: 'rest_missing_callback_param',
      data: { status: 400, params: ['name'] },
    });
  });

  test('malformed JSON is refused before anything else, under GET as well', async () => {
    const { status, body } = await site.fetch('/core/v2/things', { method: 'POST', headers: json, body: '{"name":' });
    expect([status, body]).toMatchObject([400, { code: 'rest_invalid_json', data: { json_error_code: 4 } }]);
    const answer = await rawRequest(site.context.publicUrl, 'GET /rest/core/v2/things', '{nope');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('rest_invalid_json');
  });

  test.each([
    ['_method', '/core/v2/things/1?_method=GET&_fields=id', {}],
    ['a header', '/core/v2/things/1?_fields=id', { 'x-http-method-override': 'get' }],
  ])('%s overrides the method', async (_, path, headers) => {
    expect((await site.fetch(path, { method: 'POST', headers })).body).toEqual({ id: 1 });
  });
});

describe('files', () => {
  test('a body of any type is the file, its parameters are in the query', async () => {
    const answer = await site.fetch('/core/v2/pictures?title[raw]=Roof', {
      method: 'POST',
      headers: json,
      body: '{"a":1}',
    });
    expect(answer.body).toEqual({ title: { raw: 'Roof' }, file: null, bytes: '{"a":1}' });
  });

  test('a form carries both', async () => {
    const form = new FormData();
    form.set('title[raw]', 'Wall');
    form.set('file', new Blob(['x']), 'wall.png');
    const answer = await fetch(`${root()}core/v2/pictures`, { method: 'POST', body: form });
    expect(await answer.json()).toEqual({ title: { raw: 'Wall' }, file: 'wall.png', bytes: null });
  });

  test('an invalid form has no parameters', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const answer = await site.fetch('/core/v2/things', { method: 'POST', as: 'author', headers, body: 'nonsense' });
    expect(answer.body).toMatchObject({ code: 'rest_missing_callback_param' });
  });
});

describe('permissions', () => {
  test.each([
    ['/core/v2/things', undefined, 'GET'],
    ['/core/v2/things', 'contributor', 'GET, POST'],
    ['/core/v2/things?per_page=0', 'contributor', 'GET, POST'],
    ['/core/v2/things/1', 'contributor', 'GET'],
    ['/core/v2/things/1', 'editor', 'GET, POST, PUT, PATCH'],
    ['/core/v2/things/9', 'editor', null],
  ] as const)('Allow of %s for %s is %s', async (path, as, allow) => {
    expect((await site.fetch(path, as ? { as } : {})).headers.get('allow')).toBe(allow);
  });

  test('errors are 401 for anonymous callers and 403 for users', async () => {
    const request = { method: 'POST', headers: json, body: '{"name":"x"}' };
    expect(await site.fetch('/core/v2/things', request)).toMatchObject({
      status: 401,
      body: { code: 'rest_cannot_create' },
    });
    expect(await site.fetch('/core/v2/things', { ...request, as: 'subscriber' })).toMatchObject({ status: 403 });
    const made = await site.fetch('/core/v2/things', { ...request, as: 'author' });
    expect([made.status, made.headers.get('location')]).toEqual([201, `${root()}core/v2/things/6`]);
  });

  test('OPTIONS describes the path without asking for rights', async () => {
    const { status, body, headers } = await site.fetch('/core/v2/things', { method: 'OPTIONS' });
    expect([status, headers.get('allow')]).toEqual([200, 'GET']);
    expect(body).toMatchObject({
      namespace: 'core/v2',
      methods: ['GET', 'POST'],
      endpoints: [
        {
          methods: ['GET'],
          allow_batch: { v1: true },
          args: {
            page: { type: 'integer', default: 1, minimum: 1, required: false },
            limit: { type: 'integer', required: false },
          },
        },
        { methods: ['POST'], args: { name: { type: 'string', minLength: 1, required: true } } },
      ],
      schema: { title: 'thing', type: 'object', properties: { id: { type: 'integer' } } },
      _links: { self: [{ href: `${root()}core/v2/things` }] },
    });
    expect(JSON.stringify(body)).not.toContain(String(Number.MAX_SAFE_INTEGER));
    expect((await site.fetch('/core/v2/things/1', { method: 'OPTIONS' })).body).not.toHaveProperty('_links');
  });
});

describe('responses', () => {
  test('lists have totals and links to adjacent pages, with the parsed parameters', async () => {
    const { headers } = await site.fetch('/core/v2/things?per_page=2.0&page=2&foo=a,b&_fields=id');
    expect([headers.get('x-wp-total'), headers.get('x-wp-totalpages')]).toEqual(['5', '3']);
    const [prev, next] = [1, 3].map((page) => `${root()}core/v2/things?per_page=2&page=${page}&foo=a%2Cb&_fields=id`);
    expect(headers.get('link')).toBe(`<${prev}>; rel="prev", <${next}>; rel="next"`);
  });

  test('items link to their page, everything else to the root', async () => {
    expect((await site.fetch('/core/v2/things/1')).headers.get('link')).toBe(
      '<http://x.test/thing/>; rel="alternate"; type=text/html',
    );
    expect((await site.fetch('/core/v2/things/9')).headers.get('link')).toBe(`<${root()}>; rel="https://api.w.org/"`);
  });

  test('slashes are escaped and text is ASCII; _pretty indents', async () => {
    const { text } = await site.fetch('/?_fields=name,url');
    expect(text).toBe(`{"name":"Dach &amp; Wand","url":"${site.context.publicUrl.replaceAll('/', '\\/')}"}`);
    expect((await site.fetch('/core/v2/things/1?_fields=id&_pretty')).text).toBe('{\n    "id": 1\n}');
  });

  test.each([
    ['id', [{ id: 1 }]],
    ['id,%20nope', [{ id: 1 }]],
    ['nope', [[]]],
    ['_links.up', [{ _links: { up: [{ href: 'x' }] } }]],
  ])('_fields=%s', async (fields, expected) => {
    expect((await site.fetch(`/core/v2/things?per_page=1&_fields=${fields}`)).body).toEqual(expected);
  });

  test.each([
    ['routes.nowhere', { routes: [] }],
    ['routes./core/v2/things.nowhere,name', { name: 'Dach &amp; Wand', routes: { '/core/v2/things': [] } }],
    ['namespaces.nowhere', { namespaces: [] }],
    ['url.nowhere', { url: '{site}' }],
    ['nowhere.routes', []],
  ])('_fields=%s on the index keeps what is on the way', async (fields, expected) => {
    const { body } = await site.fetch(`/?_fields=${fields}`);
    expect(JSON.parse(JSON.stringify(body).replaceAll(site.context.publicUrl, '{site}'))).toEqual(expected);
  });

  test('_embed fetches linked resources, including errors', async () => {
    const { body } = await site.fetch('/core/v2/things/4?_embed&_fields=id,_links.next,_embedded');
    expect(body).toMatchObject({ id: 4, _embedded: { next: [{ id: 5 }] } });
    expect((await site.fetch('/core/v2/things/5?_embed=next')).body).toMatchObject({
      _embedded: { next: [{ code: 'rest_thing_invalid_id', data: { status: 404 } }] },
    });
    expect((await site.fetch('/core/v2/things/4?_embed=nothing')).body).not.toHaveProperty('_embedded');
    expect((await site.fetch('/core/v2/things/4?_embed&_fields=id')).body).toEqual({ id: 4 });
  });

  test('_envelope puts status and headers into the body', async () => {
    const list = await site.fetch('/core/v2/things?per_page=5&_fields=id&_envelope');
    expect(list.status).toBe(200);
    expect(list.headers.get('x-wp-total')).toBeNull();
    expect(list.body).toMatchObject({ status: 200, headers: { 'X-WP-Total': 5, 'X-WP-TotalPages': 1, Allow: 'GET' } });
    expect((await site.fetch('/core/v2/things/9?_envelope=1')).body).toEqual({
      body: { code: 'rest_thing_invalid_id', message: 'No such thing.', data: { status: 404 } },
      status: 404,
      headers: [],
    });
  });

  test('HEAD is GET without a body', async () => {
    const { status, headers, text } = await site.fetch('/core/v2/things', { method: 'HEAD' });
    expect([status, headers.get('x-wp-total'), text]).toEqual([200, '5', '']);
    expect((await site.fetch('/core/v2/things/9', { method: 'HEAD' })).status).toBe(404);
  });

  test('JSONP is off', async () => {
    expect(await site.fetch('/?_jsonp=run')).toMatchObject({ status: 400, body: { code: 'rest_callback_disabled' } });
  });

  test('headers that are always there, and those for other origins', async () => {
    const { headers } = await site.fetch('/');
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/json; charset=UTF-8',
      'x-robots-tag': 'noindex',
      'x-content-type-options': 'nosniff',
      'access-control-expose-headers': 'X-WP-Total, X-WP-TotalPages, Link',
      vary: 'Origin, Authorization, X-WP-Nonce',
      'cache-control': 'public, max-age=0, must-revalidate',
    });
    expect((await site.fetch('/core/v2/things/9')).headers.has('cache-control')).toBe(false);
    const elsewhere = await site.fetch('/', { headers: { origin: 'https://app.test' } });
    expect(elsewhere.headers.get('access-control-allow-origin')).toBe('https://app.test');
    expect(elsewhere.headers.get('access-control-allow-credentials')).toBe('true');
  });

  test('private responses are not cached', async () => {
    const { headers } = await site.fetch('/', { as: 'subscriber' });
    expect(headers.get('cache-control')).toContain('no-store');
    expect(headers.has('vary')).toBe(false);
    const overridden = { method: 'POST', headers: { 'x-http-method-override': 'GET' } };
    expect((await site.fetch('/core/v2/things/9', overridden)).headers.get('cache-control')).toContain('no-store');
  });
});

describe('indexes', () => {
  test('the root lists only namespaces with routes', async () => {
    const { body } = await site.fetch('');
    expect(body).toMatchObject({
      name: 'Dach &amp; Wand',
      description: 'Notes',
      url: site.context.publicUrl,
      home: site.context.publicUrl,
      timezone_string: 'Europe/Berlin',
      show_on_front: 'posts',
      namespaces: ['core/v2'],
      authentication: {
        'application-passwords': {
          endpoints: { authorization: `${site.context.publicUrl}/admin/authorize-application.php` },
        },
      },
    });
    expect(Object.keys((body as { routes: object }).routes)).toEqual([
      '/',
      '/core/v2',
      '/core/v2/things',
      String.raw`/core/v2/things/(?P<id>[\d]+)`,
      '/core/v2/pictures',
    ]);
  });

  test('a namespace lists its own routes; context=help adds schemas', async () => {
    const { body } = await site.fetch('/core/v2?context=help');
    expect(body).toMatchObject({
      namespace: 'core/v2',
      routes: { '/core/v2/things': { namespace: 'core/v2', schema: { title: 'thing' } } },
      _links: { up: [{ href: root() }] },
    });
  });

  test(
    'names of namespaces on the wire come from the map',
    async () => {
      const stock = await openTestSite({ namespaces: { 'core/v2': 'wp/v2' } }, [things(serveThings)]);
      expect((await stock.fetch('/?_fields=namespaces')).body).toEqual({ namespaces: ['wp/v2'] });
      const { body, headers } = await stock.fetch('/wp/v2/things?per_page=1');
      expect(headers.get('link')).toContain('/rest/wp/v2/things?per_page=1&page=2');
      expect(JSON.stringify(body)).toContain('/rest/wp/v2/things/2');
      expect((await stock.fetch('/core/v2/things')).status).toBe(404);
      await stock.close();
    },
    OPEN_TIMEOUT_MS,
  );
});

describe('authentication', () => {
  test.each([
    ['editor', testPassword('editor').replaceAll(' ', ''), 200, undefined],
    ['editor@origin.test', testPassword('editor'), 200, undefined],
    ['editor', 'wrong', 401, 'incorrect_password'],
    ['nobody', 'wrong', 401, 'incorrect_password'],
    ['nobody@origin.test', 'wrong', 401, 'incorrect_password'],
  ])('%s with "%s" is %i', async (login, password, status, code) => {
    for (const path of ['/core/v2/things', '/', '/nope']) {
      const answer = await site.fetch(path, basic(login, password));
      if (code === undefined && path === '/nope') continue;
      expect(answer.status).toBe(status);
      if (code !== undefined) expect(answer.body).toMatchObject({ code, data: { status: 401 } });
    }
  });

  test.each(['Bearer abc', 'Basic !!!', 'Basic', `Basic ${Buffer.from('nocolon').toString('base64')}`])(
    '"%s" is ignored',
    async (authorization) => {
      expect((await site.fetch('/core/v2/things', { headers: { authorization } })).status).toBe(200);
    },
  );

  test('wrong passwords are rate limited, correct ones never', async () => {
    const wrong = basic('author', 'wrong');
    for (let i = 0; i < 20; i += 1) expect((await site.fetch('/', wrong)).status).toBe(401);
    const waiting = await site.fetch('/', basic('author@origin.test', 'wrong'));
    expect([waiting.status, Number(waiting.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect((await site.fetch('/', { as: 'author' })).status).toBe(200);
    expect((await site.fetch('/', basic('contributor', 'wrong'))).status).toBe(401);
  });

  test('a session counts only with its nonce', async () => {
    const cookie = `${SESSION_COOKIE}=${await openSession(site.context, site.users.editor)}`;
    const session = await findSession(site.context, cookie);
    const nonce = restNonce(site.context, session?.id ?? '');
    const signedIn = await site.fetch('/core/v2/things/1', { headers: { cookie, 'x-wp-nonce': nonce } });
    expect(signedIn.headers.get('allow')).toBe('GET, POST, PUT, PATCH');
    expect(signedIn.headers.get('x-wp-nonce')).toBe(nonce);
    expect((await site.fetch('/core/v2/things/1', { headers: { cookie } })).headers.get('allow')).toBe('GET');
    const bad = await site.fetch('/core/v2/things', { headers: { 'x-wp-nonce': 'deadbeef' } });
    expect(bad).toMatchObject({ status: 403, body: { code: 'rest_cookie_invalid_nonce' } });
    expect(bad.headers.get('cache-control')).toContain('no-store');
  });
});

const basic = (login: string, password: string) => ({
  headers: { authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}` },
});

/** A request that no platform client can send: GET with a body. */
function rawRequest(url: string, line: string, body: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => {
      const headers = `Host: ${hostname}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close`;
      socket.write(`${line} HTTP/1.1\r\n${headers}\r\n\r\n${body}`);
    });
    socket.on('data', (chunk) => (answer += String(chunk)));
    socket.on('end', () => resolve(answer));
    socket.on('error', reject);
  });
}
