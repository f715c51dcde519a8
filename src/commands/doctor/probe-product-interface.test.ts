import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isGtin13 } from '#contracts/index.ts';
import { createTransport, type Transport } from '#client/create-transport.ts';
import { sendHtml, sendJson, startFakeServer, type TestServer } from '#client/testing/test-server.ts';
import { probeProductInterface, chooseUnknownGtin, type UpstreamProfile } from './probe-product-interface.ts';

const TOKEN = 'a1b2c3d4'.repeat(5);
const GTIN = '9524010000016';
const NOW = new Date('2026-11-21T10:00:00.000Z');
const LANGUAGES = ['de-de', 'en-gb', 'fr-fr'];

/** How the server behaves; each test changes what it is about. */
interface Behaviour {
  refusal: 401 | 403;
  unknownLanguage: 'refused' | 'fallback' | 'gone';
  unknownProduct: 'json' | 'html';
  etag: boolean;
  additions: boolean;
  gzip: boolean;
  head: boolean;
  headers: Record<string, string>;
}

const PLAIN: Behaviour = {
  refusal: 401,
  unknownLanguage: 'refused',
  unknownProduct: 'json',
  etag: false,
  additions: false,
  gzip: false,
  head: true,
  headers: {},
};

let server: TestServer;
let transport: Transport;
let behaviour: Behaviour;
beforeAll(async () => {
  server = await startFakeServer(answer);
  transport = createTransport({ timeoutMs: 20_000, retries: 0 });
});
afterAll(async () => {
  await transport.close();
  await server.close();
});
beforeEach(() => {
  behaviour = PLAIN;
  server.answer = answer;
  server.seen.length = 0;
});

function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '', 'http://server');
  const [, resource = '', gtin] = /^\/api\/partner\/v1\/(?:(\w+)\/(?:(\d+)\/)?)?$/.exec(url.pathname) ?? [];
  if (request.headers.authorization !== `Token ${TOKEN}`) {
    return sendJson(response, { detail: 'Nein.' }, { status: behaviour.refusal });
  }
  if (request.method === 'HEAD' && !behaviour.head) return sendJson(response, {}, { status: 405 });
  if (resource === '') return sendJson(response, { language: 'x' });
  if (resource === 'language') return sendJson(response, LANGUAGES);
  if (gtin) return answerProduct(request, response, gtin, url.searchParams.get('language') ?? 'de-de');
  if (behaviour.additions && resource === 'product') {
    const results = [{ gtin: GTIN, language: 'de-de', modified: NOW.toISOString() }];
    return sendJson(response, { count: 3, next: null, previous: null, results });
  }
  if (behaviour.additions && resource === 'export') {
    return void response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end();
  }
  return sendHtml(response, 404);
}

function answerProduct(request: IncomingMessage, response: ServerResponse, gtin: string, language: string): void {
  const { unknownProduct, unknownLanguage, etag, gzip, headers } = behaviour;
  if (gtin !== GTIN) {
    return unknownProduct === 'html' ? sendHtml(response, 404) : sendJson(response, { detail: '' }, { status: 404 });
  }
  const isListed = LANGUAGES.includes(language);
  if (!isListed && unknownLanguage === 'refused') return sendJson(response, { language: ['x'] }, { status: 400 });
  if (!isListed && unknownLanguage === 'gone') return sendJson(response, { detail: '' }, { status: 404 });
  if (etag && request.headers['if-none-match'] === '"abc"') return void response.writeHead(304).end();
  const record = {
    name: 'Band',
    gtin,
    language: isListed && language !== 'fr-fr' ? language : 'de-de',
    availability: 'available',
  };
  const sent = { ...headers, ...(etag && { etag: '"abc"' }), date: NOW.toUTCString(), ...headers };
  if (!gzip) return sendJson(response, record, { headers: sent });
  response.writeHead(200, { ...sent, 'content-type': 'application/json', 'content-encoding': 'gzip' });
  return void response.end(gzipSync(JSON.stringify(record)));
}

const root = () => `${server.origin}/api/partner/v1/`;
const probe = (changes: Partial<Behaviour> = {}): Promise<UpstreamProfile> => {
  behaviour = { ...PLAIN, ...changes };
  return probeProductInterface(
    { root: root(), token: TOKEN },
    { transport, gtin: GTIN, assortment: [], now: () => NOW },
  );
};

describe('a probe', () => {
  it('learns how a plain interface behaves', async () => {
    expect(await probe()).toEqual({
      unauthorisedStatus: 401,
      badTokenStatus: 401,
      unknownProduct: 'json-404',
      unknownLanguage: 'refused',
      untranslated: ['fr-fr'],
      validators: { etag: false, lastModified: false, notModified: false },
      head: true,
      additions: { list: false, export: false },
      gzip: false,
      clockSkewSeconds: 0,
      deprecation: undefined,
      sunset: undefined,
    });
  });

  it.each<[Partial<Behaviour>, Partial<UpstreamProfile>]>([
    [{ refusal: 403 }, { unauthorisedStatus: 403, badTokenStatus: 403 }],
    [{ unknownLanguage: 'fallback' }, { unknownLanguage: 'fallback' }],
    [{ unknownLanguage: 'gone' }, { unknownLanguage: 'gone' }],
    [{ unknownProduct: 'html' }, { unknownProduct: 'html-404' }],
    [{ etag: true }, { validators: { etag: true, lastModified: false, notModified: true } }],
    [
      { headers: { 'last-modified': NOW.toUTCString() } },
      { validators: { etag: false, lastModified: true, notModified: false } },
    ],
    [{ additions: true }, { additions: { list: true, export: true } }],
    [{ gzip: true }, { gzip: true }],
    [{ head: false }, { head: false }],
    [{ headers: { date: 'Sat, 21 Nov 2026 09:58:00 GMT' } }, { clockSkewSeconds: -120 }],
    [{ headers: { date: 'Sat, 21 Nov 2026 09:58:00 GMT', age: '120' } }, { clockSkewSeconds: 0 }],
    [
      { headers: { deprecation: '@1767225600', sunset: 'Fri, 01 Jan 2027 00:00:00 GMT' } },
      { deprecation: '2026-01-01T00:00:00.000Z', sunset: '2027-01-01T00:00:00.000Z' },
    ],
    [{ headers: { deprecation: 'true' } }, { deprecation: 'true' }],
  ])('of a server with %o', async (changes, seen) => {
    expect(await probe(changes)).toMatchObject(seen);
  });

  it('asks ten questions and one for each language, one after the other', async () => {
    let open = 0;
    let most = 0;
    server.answer = (request, response) => {
      open += 1;
      most = Math.max(most, open);
      response.on('finish', () => (open -= 1));
      answer(request, response);
    };
    await probe({ etag: true });
    expect(server.seen.map(({ headers }) => headers.authorization).slice(0, 3)).toEqual([
      undefined,
      `Token ${'0'.repeat(40)}`,
      `Token ${TOKEN}`,
    ]);
    expect(server.seen).toHaveLength(10 + LANGUAGES.length);
    expect(most).toBe(1);
  });

  it.each([
    [429, 'UPSTREAM_THROTTLED'],
    [503, 'UPSTREAM_UNAVAILABLE'],
  ])('stops at the first %d', async (status, code) => {
    server.answer = (request, response) => {
      if (server.seen.length < 4) answer(request, response);
      else sendJson(response, {}, { status });
    };
    await expect(probe()).rejects.toMatchObject({ code });
    expect(server.seen).toHaveLength(4);
  });
});

it('an unknown GTIN is valid, of the demonstration prefix, and none of the assortment', () => {
  const first = chooseUnknownGtin(new Set());
  const second = chooseUnknownGtin(new Set([first]));
  expect([first, second].map(isGtin13)).toEqual([true, true]);
  expect(first).toMatch(/^952/);
  expect(second).not.toBe(first);
});
