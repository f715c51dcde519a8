import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { PRODUCT_FIELDS } from '#contracts/product/index.ts';
import { createProductToken } from '#origin/platform/accounts/product-tokens.ts';
import { createUser } from '#origin/platform/accounts/users.ts';
import { user } from '#origin/platform/store/schema.ts';
import {
  ENGLISH_GTIN,
  FULL_GTIN,
  upsertRecord,
  startTestInterface,
  type TestInterface,
} from './testing/test-interface.ts';

let origin: TestInterface;
/** Removes the origin's own additions to the recorded headers. */
let plain: TestInterface;
let sleeping: string;

beforeAll(async () => {
  origin = await startTestInterface();
  plain = await origin.turn({ validators: false });
  const gone = await createUser(origin.context, { login: 'gone', email: 'gone@example.org', role: 'author' });
  sleeping = (await createProductToken(origin.context, { userId: gone.id })).token;
  await origin.context.store.db.update(user).set({ active: false }).where(eq(user.id, gone.id));
}, 60_000);
afterAll(async () => {
  await plain.close();
  await origin.close();
});

/** Headers that node:http adds, and that a server may add for safety. */
const OWN_HEADERS = ['date', 'connection', 'keep-alive', 'x-content-type-options'];

function recorded({ headers }: { headers: Record<string, string> }): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.includes(name)));
}

const detail = (text: string) => JSON.stringify({ detail: text });
const JSON_HEADERS = { 'content-type': 'application/json', vary: 'Accept', allow: 'GET, HEAD, OPTIONS' };
const DENIED = { ...JSON_HEADERS, 'www-authenticate': 'Token' };
const PRODUCT = `product/${FULL_GTIN}/`;
const MISSING = 'Authentication credentials were not provided.';

describe('recorded exchanges', () => {
  test.each([
    ['no Authorization', { authorization: null }, MISSING, 58],
    ['Token alone', { authorization: 'Token' }, 'Invalid token header. No credentials provided.', 59],
    ['Token and spaces', { authorization: 'Token  ' }, 'Invalid token header. No credentials provided.', 59],
    ['Token a b', { authorization: 'Token a b' }, 'Invalid token header. Token string should not contain spaces.', 74],
    [
      'bytes that are no UTF-8',
      { authorization: 'Token \xe4\xff' },
      'Invalid token header. Token string should not contain invalid characters.',
      86,
    ],
    ['Token nope', { authorization: 'Token nope' }, 'Invalid token.', 27],
    ['lower-case scheme', { authorization: 'token nope' }, 'Invalid token.', 27],
    ['Bearer', { authorization: 'Bearer 0123' }, MISSING, 58],
    ['Basic', { authorization: 'Basic YTpi' }, MISSING, 58],
    ['POST without token', { authorization: null, method: 'POST' }, MISSING, 58],
    ['OPTIONS without token', { authorization: null, method: 'OPTIONS' }, MISSING, 58],
  ])('%s: 401', async (_, asked, text, length) => {
    const answer = await origin.ask(PRODUCT, asked);
    expect(answer).toMatchObject({ status: 401, body: detail(text) });
    expect(recorded(answer)).toEqual({ ...DENIED, 'content-length': String(length) });
  });

  test('token of an inactive user', async () => {
    const answer = await origin.ask(PRODUCT, { authorization: `Token ${sleeping}` });
    expect(answer).toMatchObject({ status: 401, body: detail('User inactive or deleted.') });
    expect(recorded(answer)).toEqual({ ...DENIED, 'content-length': '38' });
  });

  test('valid token: compact JSON, UTF-8 unescaped', async () => {
    const answer = await plain.ask(PRODUCT, { authorization: `tOkEn ${plain.token}` });
    expect(answer.status).toBe(200);
    expect(recorded(answer)).toEqual({ ...JSON_HEADERS, 'content-length': String(Buffer.byteLength(answer.body)) });
    expect(answer.body).toMatch(/^\{"name":"Prüf de-de","gtin":"9524010000016","language":"de-de","abas_id":/);
    expect(Object.keys(JSON.parse(answer.body))).toEqual(PRODUCT_FIELDS);
  });

  test.each([
    ['well-formed unknown GTIN', 'product/4012345678901/', {}, 404, 'No Product matches the given query.', 48],
    [
      '13 digits with a wrong check digit',
      'product/9524010000017/',
      {},
      404,
      'No Product matches the given query.',
      48,
    ],
    ['POST on a read-only view', PRODUCT, { method: 'POST' }, 405, 'Method "POST" not allowed.', 41],
    ['DELETE', 'language/', { method: 'DELETE' }, 405, 'Method "DELETE" not allowed.', 43],
    [
      'Accept: text/xml, before authentication',
      PRODUCT,
      { headers: { accept: 'text/xml' }, authorization: null },
      406,
      'Could not satisfy the request Accept header.',
      57,
    ],
    ['?format=xml, before authentication', `${PRODUCT}?format=xml`, { authorization: null }, 404, 'Not found.', 23],
    ['list ?page=9', 'product/?page=9', {}, 404, 'Invalid page.', 26],
    ['list ?page=x', 'product/?page=x', {}, 404, 'Invalid page.', 26],
    ['list ?page=0', 'product/?page=0', {}, 404, 'Invalid page.', 26],
  ])('%s', async (_, path, asked, status, text, length) => {
    const answer = await origin.ask(path, asked);
    expect(answer).toMatchObject({ status, body: detail(text) });
    expect(recorded(answer)).toEqual({ ...JSON_HEADERS, 'content-length': String(length) });
  });

  test.each([
    ['short GTIN', 'product/952401000001/'],
    ['long GTIN', 'product/95240100000160/'],
    ['short GTIN without its slash', 'product/952401000001'],
    ['letters', 'product/952401000001x/'],
    ['double slash', `/product/${FULL_GTIN}/`],
    ['double slash at the end', `product/${FULL_GTIN}//`],
    ['another letter case', `Product/${FULL_GTIN}/`],
    ['something else', 'nothing/'],
    ['a broken escape', 'product/%ff/'],
  ])('%s: the HTML 404 of a path without a view', async (_, path) => {
    const answer = await origin.ask(`/api/partner/v1/${path}`, { authorization: null });
    expect(answer.status).toBe(404);
    expect(recorded(answer)).toEqual({ 'content-type': 'text/html; charset=utf-8', 'content-length': '179' });
    expect(answer.body).toBe(
      '\n<!doctype html>\n<html lang="en">\n<head>\n  <title>Not Found</title>\n</head>\n<body>\n  <h1>Not Found</h1><p>The requested resource was not found on this server.</p>\n</body>\n</html>\n',
    );
  });

  test.each([
    [`product/${FULL_GTIN}?language=de-de`, `/api/partner/v1/product/${FULL_GTIN}/?language=de-de`, 'GET'],
    [`product/${FULL_GTIN}`, `/api/partner/v1/product/${FULL_GTIN}/`, 'POST'],
    ['language', '/api/partner/v1/language/', 'GET'],
    ['/api/partner/v1', '/api/partner/v1/', 'GET'],
  ])('%s: to the slash before authentication', async (path, location, method) => {
    const answer = await origin.ask(path, { method, authorization: null });
    expect(answer).toMatchObject({ status: 301, body: '' });
    expect(answer.headers['connection']).toBe('close');
    expect(recorded(answer)).toEqual({ 'content-type': 'text/html; charset=utf-8', location, 'content-length': '0' });
  });

  test('OPTIONS', async () => {
    const answer = await origin.ask(PRODUCT, { method: 'OPTIONS' });
    expect(answer.body).toBe(
      '{"name":"Product Detail","description":"One product by its GTIN-13.","renders":["application/json","text/html"],"parses":["application/json","application/x-www-form-urlencoded","multipart/form-data"]}',
    );
    expect(recorded(answer)).toEqual({ ...JSON_HEADERS, 'content-length': '200' });
  });

  test('HEAD has the length of GET and no body', async () => {
    const got = await origin.ask(PRODUCT);
    const answer = await origin.ask(PRODUCT, { method: 'HEAD' });
    expect(answer).toMatchObject({ status: 200, body: '' });
    expect(recorded(answer)).toEqual({ ...JSON_HEADERS, 'content-length': got.headers['content-length'] });
  });

  test('a query parameter that fails validation', async () => {
    const strict = await origin.turn({ unknownLanguage: 'error' });
    const answer = await strict.ask(`${PRODUCT}?language=xx`);
    expect(answer).toMatchObject({ status: 400, body: '{"language":["\\"xx\\" is not a valid choice."]}' });
    expect(recorded(answer)).toEqual({ ...JSON_HEADERS, 'content-length': '46' });
    await strict.close();
  });

  test('unhandled error: an HTML page, without the token in it or in the log', async () => {
    const broken = await startTestInterface();
    await broken.context.store.close();
    const answer = await broken.ask(PRODUCT);
    expect(answer.status).toBe(500);
    expect(recorded(answer)).toEqual({ 'content-type': 'text/html; charset=utf-8', 'content-length': '145' });
    expect(answer.body).toBe(
      '\n<!doctype html>\n<html lang="en">\n<head>\n  <title>Server Error (500)</title>\n</head>\n<body>\n  <h1>Server Error (500)</h1><p></p>\n</body>\n</html>\n',
    );
    expect(broken.context.logged).toHaveLength(1);
    expect(broken.context.logged.join()).toContain(`GET /api/partner/v1/${PRODUCT} failed: `);
    expect(broken.context.logged.join()).not.toContain(broken.token);
    expect(broken.context.logged.join()).not.toContain('select');
    await broken.server.close();
  }, 60_000);

  test('session-first: 403, no challenge, Vary on the cookie', async () => {
    const sessionFirst = await origin.turn({ authentication: 'session-first' });
    for (const [authorization, text] of [
      [null, MISSING],
      ['Token', 'Invalid token header. No credentials provided.'],
      ['Token nope', 'Invalid token.'],
    ] as const) {
      const answer = await sessionFirst.ask(PRODUCT, { authorization });
      expect(answer).toMatchObject({ status: 403, body: detail(text) });
      expect(recorded(answer)).toEqual({
        ...JSON_HEADERS,
        vary: 'Accept, Cookie',
        'content-length': String(detail(text).length),
      });
    }
    expect((await sessionFirst.ask(PRODUCT)).status).toBe(200);
    await sessionFirst.close();
  });

  test('throttled: limits the token, not other callers', async () => {
    const slow = await origin.turn({ requestsPerMinute: 3 });
    // The header states the remainder of the minute.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    await slow.ask(PRODUCT, { authorization: null });
    for (const path of [PRODUCT, 'product/4012345678901/', 'language/']) await slow.ask(path);
    const answer = await slow.ask(PRODUCT, { method: 'POST' });
    expect(answer).toMatchObject({
      status: 429,
      body: detail('Request was throttled. Expected available in 60 seconds.'),
    });
    expect(recorded(answer)).toEqual({ ...JSON_HEADERS, 'retry-after': '60', 'content-length': '69' });
    const { token } = await createProductToken(origin.context, { userId: 1 });
    expect((await slow.ask(PRODUCT, { authorization: `Token ${token}` })).status).toBe(200);
    expect((await slow.ask(PRODUCT, { authorization: null })).status).toBe(401);
    await slow.close();
  });

  test('ETag and 304', async () => {
    const first = await origin.ask(PRODUCT);
    const etag = first.headers['etag'] ?? '';
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const answer = await origin.ask(PRODUCT, { headers: { 'if-none-match': known } });
      expect(answer).toMatchObject({ status: 304, body: '' });
      expect(recorded(answer)).toEqual({ etag, vary: 'Accept', 'content-length': '0' });
    }
    expect((await origin.ask(PRODUCT, { headers: { 'if-none-match': '"x"' } })).status).toBe(200);
    expect((await plain.ask(PRODUCT, { headers: { 'if-none-match': etag } })).status).toBe(200);
    expect((await plain.ask(PRODUCT)).headers['etag']).toBeUndefined();
    expect((await origin.ask('product/4012345678901/', { headers: { 'if-none-match': '*' } })).status).toBe(404);
  });
});

describe('response format', () => {
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  test.each([
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/*', 'application/json'],
    ['text/*', 'text/html; charset=utf-8'],
    ['text/*, application/json;q=0.1', 'application/json'],
    ['text/html, application/json;q=0.9', 'application/json'],
    ['text/html;level=1, application/json', 'text/html; charset=utf-8'],
    ['APPLICATION/JSON', 'application/json'],
    [BROWSER, 'text/html; charset=utf-8'],
  ])('Accept: %s', async (accept, type) => {
    expect((await origin.ask(PRODUCT, { headers: { accept } })).headers['content-type']).toBe(type);
  });

  test.each([
    ['?format=json', BROWSER, 'application/json'],
    ['?format=json', 'text/html', 'application/json'],
    ['?format=api', 'application/json', 'text/html; charset=utf-8'],
    ['?format=', '*/*', 'application/json'],
    ['?format=xml&format=json', '*/*', 'application/json'],
  ])('%s with Accept: %s', async (query, accept, type) => {
    expect((await origin.ask(PRODUCT + query, { headers: { accept } })).headers['content-type']).toBe(type);
  });

  test('indented on request, up to eight spaces', async () => {
    const indented = await origin.ask('language/', { headers: { accept: 'application/json; indent=4' } });
    expect(indented.body).toMatch(/^\[\n {4}\{\n {8}"code": "de-de",\n/);
    expect(indented.headers['content-type']).toBe('application/json');
    const capitals = await origin.ask('language/', { headers: { accept: 'Application/JSON; Indent=4' } });
    expect(capitals.body).toBe(indented.body);
    const most = await origin.ask('language/', { headers: { accept: 'application/json;indent=99' } });
    expect(most.body).toMatch(/^\[\n {8}\{/);
    const compact = await origin.ask('language/', { headers: { accept: 'application/json; indent=0' } });
    expect(compact.body).toMatch(/^\[\{"code":"de-de",/);
  });

  test('browsers get errors as a page too', async () => {
    const answer = await origin.ask(PRODUCT, { authorization: null, headers: { accept: BROWSER } });
    expect(answer.status).toBe(401);
    expect(answer.headers).toMatchObject({ 'www-authenticate': 'Token', vary: 'Accept', allow: 'GET, HEAD, OPTIONS' });
    expect(answer.body).toContain(`/admin/sign-in/?next=${encodeURIComponent(`/api/partner/v1/${PRODUCT}`)}`);
  });
});

describe('accounts', () => {
  test('a subscriber is authenticated but can not read', async () => {
    const { id } = await createUser(origin.context, { login: 'new', email: 'new@example.org', role: 'subscriber' });
    const { token } = await createProductToken(origin.context, { userId: id });
    const answer = await origin.ask(PRODUCT, { authorization: `Token ${token}` });
    expect(answer).toMatchObject({ status: 403, body: detail('You do not have permission to perform this action.') });
    expect(answer.headers['www-authenticate']).toBeUndefined();
  });
});

describe('language', () => {
  test.each([
    ['', 'de-de'],
    ['?language=', 'de-de'],
    ['?language=fr-fr', 'fr-fr'],
    ['?language=FR_fr', 'fr-fr'],
    ['?language=de-de&language=en-gb', 'en-gb'],
    ['?language=xx', 'de-de'],
    ['?other=1', 'de-de'],
  ])('%s gives %s', async (query, language) => {
    const answer = await origin.ask(PRODUCT + query, { headers: { 'accept-language': 'en-gb' } });
    expect(JSON.parse(answer.body)).toMatchObject({ language, gtin: FULL_GTIN });
  });

  test('a product without the main language is returned in an available one', async () => {
    for (const query of ['', '?language=fr-fr', '?language=xx']) {
      expect(JSON.parse((await origin.ask(`product/${ENGLISH_GTIN}/${query}`)).body).language).toBe('en-gb');
    }
  });

  test.each([
    ['error', 400, 400, '{"language":["\\"FR_fr\\" is not a valid choice."]}'],
    ['not-found', 404, 404, detail('No Product matches the given query.')],
  ] as const)(
    '%s: for unknown languages and for ones the product lacks',
    async (unknownLanguage, status, other, body) => {
      const knob = await origin.turn({ unknownLanguage });
      expect(await knob.ask(`product/${ENGLISH_GTIN}/?language=FR_fr`)).toMatchObject({ status, body });
      expect((await knob.ask(`${PRODUCT}?language=xx`)).status).toBe(other);
      expect((await knob.ask(`product/4012345678901/?language=xx`)).status).toBe(other);
      expect((await knob.ask(`product/4012345678901/?language=fr-fr`)).status).toBe(404);
      expect((await knob.ask(`product/?language=xx`)).status).toBe(other);
      expect((await knob.ask(`product/${ENGLISH_GTIN}/`)).status).toBe(200);
      await knob.close();
    },
  );
});

describe('records', () => {
  test('links below the public address become absolute, others are unchanged, missing ones are empty', async () => {
    expect(JSON.parse((await origin.ask(PRODUCT)).body)).toMatchObject({
      datasheet: 'http://origin.test/media/de-de/hw-10110.pdf',
      declaration_of_performance: 'https://media.example.org/dop.pdf',
      safety_datasheet: '',
      height: null,
      weight: 7.4,
      price: 142.5,
    });
  });

  test('missing fields of a record are returned empty', async () => {
    const gtin = '9524010000030';
    await upsertRecord(origin.context, {
      gtin,
      language: 'de-de',
      substrate: undefined,
      image: null,
      folded: undefined,
      materials: undefined,
      price: null,
    });
    const answer = JSON.parse((await origin.ask(`product/${gtin}/`)).body);
    expect(answer).toMatchObject({ substrate: '', image: '', folded: null, materials: [], price: null });
    expect(Object.keys(answer)).toEqual(PRODUCT_FIELDS);
  });

  test('decimals as text: filled with zeros, never rounded', async () => {
    const gtin = '9524010000047';
    await upsertRecord(origin.context, {
      gtin,
      language: 'de-de',
      length: 25,
      width: 0.0155,
      weight: '1.50',
      price: 12.5,
    });
    const text = await origin.turn({ decimals: 'string' });
    expect(JSON.parse((await text.ask(`product/${gtin}/`)).body)).toMatchObject({
      length: '25.000',
      width: '0.0155',
      weight: '1.500',
      price: '12.50',
      height: null,
      packaging_unit_quantity: 20,
    });
    await text.close();
  });
});

describe('index and languages', () => {
  test('the root lists absolute addresses', async () => {
    expect(JSON.parse((await origin.ask('')).body)).toEqual({
      product: 'http://origin.test/api/partner/v1/product/{gtin}/',
      language: 'http://origin.test/api/partner/v1/language/',
      docs: 'http://origin.test/api/partner/v1/docs/',
      product_list: 'http://origin.test/api/partner/v1/product/',
      export: 'http://origin.test/api/partner/v1/export/',
    });
    expect(JSON.parse((await origin.ask('?language=fr-fr')).body).product).toMatch(/\{gtin\}\/\?language=fr-fr$/);
    expect((await origin.ask('', { authorization: null })).status).toBe(401);
  });

  test('the languages by position', async () => {
    expect((await origin.ask('language/')).body).toBe(
      '[{"code":"de-de","name":"Deutsch (Deutschland)"},{"code":"fr-fr","name":"français (France)"},{"code":"en-gb","name":"English (United Kingdom)"}]',
    );
  });

  test("without additions, list and export don't exist", async () => {
    const seed = await origin.turn({ additions: false });
    expect(Object.keys(JSON.parse((await seed.ask('')).body))).toEqual(['product', 'language', 'docs']);
    for (const path of ['product/', 'export/', 'product']) {
      const answer = await seed.ask(path);
      expect(answer).toMatchObject({ status: 404 });
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    }
    await seed.close();
  });
});
