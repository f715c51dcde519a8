import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseRetryAfter } from '#contracts/webhooks.ts';
import { fetchJson } from './upstream-result.ts';
import { createTransport, type Transport, type TransportOptions, retryDelay } from './create-transport.ts';
import { sendCutOff, sendJson, startFakeServer, type TestServer } from './testing/test-server.ts';

let server: TestServer;
const transports: Transport[] = [];
beforeEach(async () => {
  server = await startFakeServer((_, response) => sendJson(response, {}));
});
afterEach(async () => {
  await Promise.all(transports.splice(0).map((transport) => transport.close()));
  await server.close();
});

function open(options: Partial<TransportOptions> = {}): Transport {
  const transport = createTransport({ timeoutMs: 20_000, retries: 3, retry: { baseMs: 1 }, ...options });
  transports.push(transport);
  return transport;
}

/** Answers the first requests as the list says, and well from then on. */
function answerFirst(...answers: TestServer['answer'][]): void {
  server.answer = (request, response) => {
    const answer = answers.shift() ?? ((_, last) => sendJson(last, { ok: true }));
    answer(request, response);
  };
}
const status =
  (code: number, headers: Record<string, string> = {}): TestServer['answer'] =>
  (_, response) =>
    sendJson(response, {}, { status: code, headers });

it('counts requests that wait for others, so that a budget is not exceeded', async () => {
  const transport = open();
  const responses = Array.from({ length: 9 }, () => fetchJson(transport, { url: server.origin }));
  expect(transport.requests).toBe(9);
  await Promise.all(responses);
  expect([transport.requests, server.seen.length]).toEqual([9, 9]);
});

describe('retries', () => {
  it.each([408, 429, 500, 502, 503, 504])('%i is asked again', async (code) => {
    answerFirst(status(code), status(code));
    const transport = open();
    expect(await fetchJson(transport, { url: server.origin })).toMatchObject({ kind: 'ok', value: { ok: true } });
    expect(transport.requests).toBe(3);
  });

  it.each([400, 401, 403, 404, 405, 406, 410, 501])('%i is not: it would be answered the same again', async (code) => {
    answerFirst(status(code));
    await fetchJson(open(), { url: server.origin });
    expect(server.seen).toHaveLength(1);
  });

  it('heal a cut body, half a document and a broken connection', async () => {
    answerFirst(
      (_, response) => sendCutOff(response),
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"half":'),
      (request) => request.socket.destroy(),
    );
    expect(await fetchJson(open(), { url: server.origin })).toMatchObject({ kind: 'ok', value: { ok: true } });
  });

  it('end after as many as are allowed', async () => {
    server.answer = status(503);
    expect(await fetchJson(open({ retries: 2 }), { url: server.origin })).toMatchObject({ kind: 'unavailable' });
    expect(server.seen).toHaveLength(3);
  });

  it('wait as long as the server asks, all requests together', async () => {
    answerFirst(status(429, { 'retry-after': '1' }));
    const transport = open();
    const begun = Date.now();
    await fetchJson(transport, { url: `${server.origin}/first` });
    await fetchJson(transport, { url: `${server.origin}/second` });
    expect(Date.now() - begun).toBeGreaterThanOrEqual(990);
  });

  it.each([429, 500, 503])('hold back those that queue while one was told to wait with %i', async (code) => {
    const answered: number[] = [];
    const refuse = status(code, { 'retry-after': '1' });
    server.answer = (request, response) => {
      const [first] = answered;
      answered.push(Date.now());
      if (first === undefined) refuse(request, response);
      else sendJson(response, { ok: true });
    };
    const transport = open({ connections: 1 });
    await Promise.all([1, 2, 3].map((n) => fetchJson(transport, { url: `${server.origin}/${n}` })));
    const [first = 0, second = 0] = answered;
    expect(answered).toHaveLength(4);
    expect(second - first).toBeGreaterThanOrEqual(990);
  });

  it('wait for as long as the server asks last', async () => {
    const asked = new Set<string>();
    const secondAsked = Promise.withResolvers<void>();
    let secondAnsweredAt = 0;
    let thirdAskedAt = 0;
    server.answer = (request, response) => {
      const { url = '' } = request;
      const isNew = !asked.has(url);
      asked.add(url);
      if (url === '/third') thirdAskedAt = Date.now();
      if (!isNew || url === '/third') return sendJson(response, { ok: true });
      if (url === '/first')
        return void secondAsked.promise.then(() => status(500, { 'retry-after': '1' })(request, response));
      secondAsked.resolve();
      // While the third waits for what the first was told.
      setTimeout(() => {
        secondAnsweredAt = Date.now();
        status(500, { 'retry-after': '2' })(request, response);
      }, 100);
    };
    const transport = open({ connections: 2 });
    await Promise.all(['first', 'second', 'third'].map((n) => fetchJson(transport, { url: `${server.origin}/${n}` })));
    expect(thirdAskedAt - secondAnsweredAt).toBeGreaterThanOrEqual(1990);
  });

  it('give up at once when the server asks for more patience than there is', async () => {
    answerFirst(status(429, { 'retry-after': '3600' }));
    expect(await fetchJson(open(), { url: server.origin })).toMatchObject({ kind: 'throttled' });
    expect(server.seen).toHaveLength(1);
  });

  it('stop when the run is stopped', async () => {
    server.answer = status(503, { 'retry-after': '60' });
    const stop = new AbortController();
    const answer = fetchJson(open({ signal: stop.signal }), { url: server.origin });
    setTimeout(() => stop.abort(), 100);
    await expect(answer).rejects.toThrow(/abort/i);
  });
});

describe('retryDelay', () => {
  const policy = { baseMs: 500, maxMs: 20_000, maxRetryAfterMs: 120_000, random: () => 1 };

  it('doubles its limit up to the longest wait, and picks anything below', () => {
    expect([0, 1, 2, 10].map((attempt) => retryDelay(attempt, undefined, policy))).toEqual([500, 1000, 2000, 20_000]);
    expect(retryDelay(3, undefined, { ...policy, random: () => 0 })).toBe(0);
  });

  it('takes the server at its word, up to a limit', () => {
    expect(retryDelay(0, 60_000, policy)).toBe(60_000);
    expect(retryDelay(0, 121_000, policy)).toBeUndefined();
  });

  it.each(['0', '-5', '1.5', 'Sat, 21 Nov 2020 09:00:00 GMT'])('waits no less for a Retry-After of %s', (header) => {
    expect(retryDelay(1, parseRetryAfter(header), policy)).toBe(1000);
  });
});

describe('readRetryAfter', () => {
  it('reads seconds and dates', () => {
    expect(parseRetryAfter('60')).toBe(60_000);
    expect(parseRetryAfter('Sat, 21 Nov 2026 10:00:30 GMT', Date.parse('2026-11-21T10:00:00Z'))).toBe(30_000);
    expect(parseRetryAfter('Sat, 21 Nov 2026 09:00:00 GMT', Date.parse('2026-11-21T10:00:00Z'))).toBe(0);
    expect(parseRetryAfter('soon')).toBeUndefined();
    expect(parseRetryAfter(undefined)).toBeUndefined();
  });
});
