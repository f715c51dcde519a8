import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type UpstreamResult, upstreamError } from './upstream-result.ts';
import { createTransport, type Transport, type TransportOptions } from './create-transport.ts';
import { USER_AGENT } from './exchange.ts';
import { listProductPages, productClient } from './product-client.ts';
import { sendCutOff, sendHtml, sendJson, startFakeServer, type TestServer } from './testing/test-server.ts';

const TOKEN = 'a1b2c3d4'.repeat(5);
const GTIN = '9524010000016';

let server: TestServer;
let transport: Transport | undefined;
beforeEach(async () => {
  server = await startFakeServer((_, response) => sendJson(response, { name: 'Band' }));
});
afterEach(async () => {
  await transport?.close();
  await server.close();
});

function client(options: Partial<TransportOptions> = {}, root = `${server.origin}/api/partner/v1/`) {
  transport = createTransport({ timeoutMs: 20_000, retries: 0, ...options });
  return productClient({ root, token: TOKEN }, transport);
}

const ask = (options?: Partial<TransportOptions>) => client(options).product(GTIN, 'de-de');

function errorOf(answer: UpstreamResult<unknown>) {
  if (answer.kind === 'ok') throw new Error('The answer was good.');
  return upstreamError(answer);
}

describe('a good answer', () => {
  it('is asked for as the interface wants it', async () => {
    expect(await ask()).toMatchObject({ kind: 'ok', value: { name: 'Band' }, status: 200 });
    expect(server.seen).toMatchObject([
      {
        method: 'GET',
        url: `/api/partner/v1/product/${GTIN}/?language=de-de`,
        headers: { authorization: `Token ${TOKEN}`, accept: 'application/json', 'user-agent': USER_AGENT },
      },
    ]);
    expect(USER_AGENT).toMatch(/^Sortiment\/\d+\.\d+\.\d+/);
  });

  it('may be compressed', async () => {
    server.answer = (request, response) => {
      expect(request.headers['accept-encoding']).toContain('gzip');
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync('{"name":"Gurt"}'));
    };
    expect(await ask()).toMatchObject({ kind: 'ok', value: { name: 'Gurt' } });
  });

  it('may be in the character set that it says', async () => {
    server.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json; charset=ISO-8859-1' });
      response.end(Buffer.from('{"name":"Dämmung"}', 'latin1'));
    };
    expect(await ask()).toMatchObject({ kind: 'ok', value: { name: 'Dämmung' } });
  });

  it('carries validators, which make the next request conditional', async () => {
    server.answer = (request, response) => {
      if (request.headers['if-none-match'] === '"abc"') response.writeHead(304, { 'content-encoding': 'gzip' }).end();
      else sendJson(response, {}, { headers: { etag: '"abc"' } });
    };
    const product = client().product;
    const first = await product(GTIN, 'de-de');
    expect(first).toMatchObject({ kind: 'ok', validators: { etag: '"abc"' } });
    expect(await product(GTIN, 'de-de', { etag: '"abc"' })).toMatchObject({ kind: 'not-modified' });
  });
});

const json = (status: number, detail: string, headers?: Record<string, string>) =>
  ((_: unknown, response) =>
    sendJson(response, { detail }, { status, ...(headers && { headers }) })) satisfies TestServer['answer'];
const html = (status: number) => ((_: unknown, response) => sendHtml(response, status)) satisfies TestServer['answer'];
const body = (type: string | undefined, text: string | Buffer, status = 200) =>
  ((_: unknown, response) => {
    response.writeHead(status, type === undefined ? {} : { 'content-type': type }).end(text);
  }) satisfies TestServer['answer'];

describe('what an answer means', () => {
  it.each<[string, TestServer['answer'], UpstreamResult<unknown>['kind'], RegExp]>([
    ['401', json(401, 'Invalid token.'), 'unauthorised', /401 Unauthorized/],
    ['403 for the same', json(403, 'Ungültiges Token.'), 'unauthorised', /403 Forbidden/],
    ['403 in HTML', html(403), 'unauthorised', /403/],
    ['JSON 404', json(404, 'No Product matches the given query.'), 'gone', /404 Not Found/],
    ['problem+json 404', body('application/problem+json', '{"title":"x"}', 404), 'gone', /404/],
    ['HTML 404', html(404), 'wrong-address', /404 Not Found, text\/html instead of JSON/],
    ['400', json(400, 'language'), 'refused', /400 Bad Request/],
    ['405', json(405, 'Method "GET" not allowed.'), 'refused', /405/],
    ['406', json(406, 'Could not satisfy the request Accept header.'), 'refused', /406 Not Acceptable/],
    ['429', json(429, 'Request was throttled.', { 'retry-after': '0' }), 'throttled', /429 Too Many Requests/],
    ['408', json(408, ''), 'unavailable', /408/],
    ['500', html(500), 'unavailable', /500 Internal Server Error/],
    ['501', html(501), 'unavailable', /501/],
    ['503 in JSON', json(503, ''), 'unavailable', /503 Service Unavailable/],
    ['HTML with 200', html(200), 'wrong-address', /200 OK, text\/html instead of JSON/],
    ['JSON called text', body('text/plain', '{}'), 'wrong-address', /text\/plain instead of JSON/],
    ['no content type', body(undefined, '{}'), 'wrong-address', /no content type instead of JSON/],
    ['an empty body', body('application/json', ''), 'unavailable', /not complete JSON/],
    ['half a body', body('application/json', '{"name":"DIFF'), 'unavailable', /not complete JSON/],
    [
      'bytes of another character set',
      body('application/json', Buffer.from('{"name":"Dämmung"}', 'latin1')),
      'unavailable',
      /character set/,
    ],
    ['a connection cut in the middle', (_, response) => sendCutOff(response), 'unavailable', /cut off/],
    ['a connection cut at once', (request) => request.socket.destroy(), 'unavailable', /UND_ERR_SOCKET|ECONNRESET/],
  ])('%s', async (_, answer, kind, detail) => {
    server.answer = answer;
    const evaluated = await ask();
    expect(evaluated).toMatchObject({ kind, detail: expect.stringMatching(detail) });
    expect(errorOf(evaluated).message).toMatch(
      /^\[GET\] "http:\/\/127\.0\.0\.1:\d+\/api\/partner\/v1\/product\/9524010000016\/\?language=de-de": /,
    );
  });

  it('a server that never answers', async () => {
    server.answer = () => undefined;
    expect(await ask({ timeoutMs: 200 })).toMatchObject({ kind: 'unavailable', detail: 'timed out after 200 ms' });
  });

  it('a server that answers drop by drop', async () => {
    server.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const drip = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(drip));
    };
    expect(await ask({ timeoutMs: 400 })).toMatchObject({ kind: 'unavailable', detail: 'timed out after 400 ms' });
  });

  it('an address where nothing listens', async () => {
    const answer = await client({}, 'http://127.0.0.1:9/api/partner/v1/').product(GTIN, 'de-de');
    expect(answer).toMatchObject({
      kind: 'unavailable',
      detail: 'no server answers there (ECONNREFUSED)',
      status: undefined,
    });
  });

  it('more bytes than are wanted, also when they were a few before decompression', async () => {
    server.answer = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync(`"${'x'.repeat(10_000_000)}"`));
    };
    expect(await ask({ maxBytes: 1_000_000, retries: 3 })).toMatchObject({
      kind: 'unavailable',
      detail: 'the body is larger than 1000000 bytes',
    });
    expect(server.seen).toHaveLength(1);
  });

  it('JSON that is nested more deeply than anybody could walk', async () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    server.answer = (_, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(`{"attributes":${deep}}`);
    expect(await ask()).toMatchObject({ kind: 'unreadable', problems: [{ problem: expect.stringContaining('deep') }] });
    expect(server.seen).toHaveLength(1);
  });

  it('a list of languages that is none', async () => {
    server.answer = (_, response) => sendJson(response, { detail: 'x' });
    expect(await client().languages()).toMatchObject({ kind: 'unreadable', problems: [{}], sample: '{"detail":"x"}' });
  });
});

const PATH = '/api/partner/v1/language/';

/** Answers by the number of the page: rows, count, and what `next` says. */
function serveLanguages(pages: readonly { results: string[]; count: number; next: string | null }[]): void {
  server.answer = (request, response) => {
    const page = Number(new URL(request.url ?? '', server.origin).searchParams.get('page') ?? 1);
    sendJson(response, { previous: null, ...(pages[page - 1] ?? pages.at(-1)) });
  };
}

async function readLanguages() {
  const answer = await client().languages();
  if (answer.kind !== 'ok') throw upstreamError(answer);
  return { codes: answer.value.languages.map(({ code }) => code), problem: answer.value.problem };
}

describe('the list of languages', () => {
  it.each([
    ['its own address', () => `${server.origin}${PATH}?page=2`],
    ['another scheme and host', () => `http://app.internal:8000${PATH}?page=2`],
    ['other folders, as behind a proxy', () => 'https://app.internal/v1/language/?page=2'],
    ['a relative address', () => '?page=2'],
  ])('is read to its end, where `next` is %s', async (_, next) => {
    serveLanguages([
      { count: 3, results: ['de-de', 'en-gb'], next: next() },
      { count: 3, results: ['fr-fr'], next: null },
    ]);
    expect(await readLanguages()).toEqual({ codes: ['de-de', 'en-gb', 'fr-fr'], problem: undefined });
    expect(server.seen.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      [PATH, `Token ${TOKEN}`],
      [`${PATH}?page=2`, `Token ${TOKEN}`],
    ]);
  });

  it.each([
    ['fewer', 3],
    ['more', 1],
  ])('is not whole when it has %s rows than it says', async (_, count) => {
    serveLanguages([{ count, results: ['de-de', 'en-gb'], next: null }]);
    expect(await readLanguages()).toEqual({
      codes: ['de-de', 'en-gb'],
      problem: `has 2 entries, but announces ${count}`,
    });
  });

  it.each([
    ['to itself', `${PATH}`],
    ['from page to page for ever', 'more'],
  ])('ends although `next` leads %s', async (_, next) => {
    server.answer = (request, response) => {
      const page = Number(new URL(request.url ?? '', server.origin).searchParams.get('page') ?? 1);
      const following = next === 'more' ? `${PATH}?page=${page + 1}` : next;
      sendJson(response, { count: 9, next: following, previous: null, results: ['de-de'] });
    };
    expect(await readLanguages()).toEqual({ codes: ['de-de'], problem: expect.stringContaining('repeats entries') });
    expect(server.seen.length).toBeLessThan(4);
  });

  it('is an answer like any other: the page that fails is what came', async () => {
    server.answer = (request, response) =>
      request.url?.includes('page=2')
        ? sendJson(response, {}, { status: 503 })
        : sendJson(response, { count: 2, next: '?page=2', results: ['de-de'] });
    await expect(readLanguages()).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' });
    server.answer = (_, response) => sendJson(response, []);
    await expect(readLanguages()).rejects.toMatchObject({
      code: 'UPSTREAM_UNREADABLE',
      message: expect.stringMatching(/is empty/),
    });
  });
});

describe('redirects', () => {
  it('to the slash at the end are followed, with the token', async () => {
    server.answer = (request, response) => {
      if (request.url?.includes('/moved/')) sendJson(response, { name: 'Band' });
      else response.writeHead(301, { location: '/api/partner/v1/moved/' }).end();
    };
    expect(await ask()).toMatchObject({ kind: 'ok' });
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([`Token ${TOKEN}`, `Token ${TOKEN}`]);
  });

  it('out of the interface are followed without the token', async () => {
    server.answer = (request, response) => {
      if (request.url?.startsWith('/login/')) sendHtml(response, 200);
      else response.writeHead(302, { location: '/login/?next=/' }).end();
    };
    expect(await ask()).toMatchObject({ kind: 'wrong-address' });
    expect(server.seen[1]?.headers.authorization).toBeUndefined();
  });

  it('to another host are not followed', async () => {
    const other = await startFakeServer((_, response) => sendJson(response, {}));
    server.answer = (_, response) => void response.writeHead(301, { location: `${other.origin}/steal/` }).end();
    const answer = await ask();
    expect(answer).toMatchObject({ kind: 'wrong-address', detail: expect.stringContaining(other.origin) });
    expect(other.seen).toEqual([]);
    await other.close();
  });

  it('in a circle end', async () => {
    server.answer = (_, response) => void response.writeHead(302, { location: '/api/partner/v1/again/' }).end();
    expect(await ask()).toMatchObject({ kind: 'wrong-address' });
    expect(server.seen.length).toBeLessThan(10);
  });
});

describe('an upstream whose public address is served at another one', () => {
  it('is connected to there, and sees its public name', async () => {
    const root = 'https://catalogue.example/api/partner/v1/';
    const answer = await client({ connectTo: { 'https://catalogue.example': server.origin } }, root).product(
      GTIN,
      'de-de',
    );
    expect(answer).toMatchObject({ kind: 'ok', url: `${root}product/${GTIN}/?language=de-de` });
    expect(server.seen[0]?.headers).toMatchObject({ host: 'catalogue.example', authorization: `Token ${TOKEN}` });
  });
});

describe('the token', () => {
  it.each<[string, TestServer['answer']]>([
    [
      'a page that shows it',
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>Ihr Token: ${TOKEN}</p>`),
    ],
    [
      'a redirect that carries it',
      (_, response) => void response.writeHead(302, { location: `https://other.example/?t=${TOKEN}` }).end(),
    ],
    ['JSON that echoes it', (_, response) => sendJson(response, { detail: TOKEN }, { status: 400 })],
    ['a connection that breaks', (request) => request.socket.destroy()],
  ])('is in no part of the error for %s', async (_, answer) => {
    server.answer = answer;
    const evaluated = await ask();
    const error = errorOf(evaluated);
    expect(inspect([evaluated, error], { depth: Infinity, showHidden: true })).not.toContain(TOKEN);
  });
});

describe('the list of records', () => {
  const row = (page: number) => ({ gtin: GTIN, language: 'de-de', modified: `2026-01-0${page}T00:00:00Z` });

  /** A server of so many pages of one row each, which says that there are `count` rows. */
  const serve = (pages: number, count: number) => {
    server.answer = (request, response) => {
      const page = Number(new URL(request.url ?? '', server.origin).searchParams.get('page'));
      if (page > pages) return sendJson(response, { detail: 'Invalid page.' }, { status: 404 });
      sendJson(response, { count, next: page < pages ? 'next' : null, previous: null, results: [row(page)] });
    };
  };

  it.each([
    ['as many pages as the server says', 5, 5],
    ['more', 5, 2],
    ['fewer', 5, 90],
    ['one', 1, 1],
  ])('is read page by page, in order: %s', async (_, pages, count) => {
    serve(pages, count);
    const read: unknown[] = [];
    for await (const answer of listProductPages(client())) read.push(answer.kind === 'ok' && answer.value.results);
    expect(read).toEqual(Array.from({ length: pages }, (_, n) => [row(n + 1)]));
    // No more than those that were on their way when the last one came.
    expect(server.seen.length).toBeLessThanOrEqual(pages + 2);
  });

  it('ends with what can not be read', async () => {
    serve(2, 2);
    const answerList = server.answer;
    server.answer = (request, response) =>
      request.url?.includes('page=2') ? sendJson(response, {}, { status: 500 }) : answerList(request, response);
    const kinds: string[] = [];
    for await (const { kind } of listProductPages(client())) kinds.push(kind);
    expect(kinds).toEqual(['ok', 'unavailable']);
  });
});
