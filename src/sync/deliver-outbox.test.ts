import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../client/test-server.ts';
import { createProduct } from '../snapshot/create-product.ts';
import { openSnapshot } from '../snapshot/index.ts';
import type { CatalogueChanged } from './compose-message.ts';
import { deliverOutbox } from './deliver-outbox.ts';
import { GTINS, startTestUpstream, type TestUpstream } from './test-upstream.ts';

const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const PATH = '/hook/s3cr3t-path';

interface Received {
  id: string;
  event: CatalogueChanged;
}

let upstream: TestUpstream;
let receiver: TestServer;
let received: Received[];
let status: number;
let headers: Record<string, string>;
let environment: NodeJS.ProcessEnv;
beforeEach(async () => {
  upstream = await startTestUpstream({ hooks: [{ name: 'site' }] });
  received = [];
  status = 204;
  headers = {};
  receiver = await startTestServer((request, response) => void receive(request, response));
  environment = { SORTIMENT_HOOK_URL: receiver.origin + PATH, SORTIMENT_HOOK_SECRET: SECRET };
});
afterEach(async () => {
  await receiver.close();
  await upstream.close();
});

/** Takes only what the package can verify over the exact bytes. */
async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const sent = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const event = new Webhook(SECRET).verify(Buffer.concat(chunks).toString(), sent) as CatalogueChanged;
  received.push({ id: sent['webhook-id'] ?? '', event });
  response.writeHead(status, headers).end();
}

const sync = () => upstream.sync({ environment });
const setPrice = (price: number, gtin = GTINS[0] ?? '') =>
  upstream.products.set(`${gtin}/de-de`, createProduct({ gtin, price, name: `Produkt ${gtin.slice(-4)}` }));
const outbox = () => {
  const snapshot = openSnapshot(upstream.settings.snapshotPath, { readOnly: true });
  const rows = snapshot.database.prepare('SELECT * FROM outbox ORDER BY created_at, rowid').all();
  snapshot.close();
  return rows;
};
const dueAt = () => new Date(String(outbox()[0]?.['next_attempt_at'])).getTime();
const deliver = (now: Date) =>
  deliverOutbox(upstream.settings, {
    logger: { debug: () => {}, info: () => {}, warn: (line) => void upstream.log.push(line), error: () => {} },
    environment,
    now: () => now,
    timeoutMs: 500,
  });

it('a change is told once, signed, and thin', async () => {
  const first = await sync();
  expect(first.hooks).toEqual([{ hook: 'site', outcome: 'delivered' }]);
  setPrice(149.9);
  const report = await sync();
  expect(await sync()).toMatchObject({ changed: false, hooks: [] });
  expect(received).toHaveLength(2);
  expect(received[1]).toMatchObject({
    id: expect.stringMatching(/^msg_[0-9a-f]{32}$/),
    event: {
      type: 'catalogue.changed',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        runId: report.runId,
        previousDigest: first.digest,
        digest: report.digest,
        counts: { product: { 'de-de': { added: 0, changed: 1, removed: 0 } } },
        gtins: [GTINS[0]],
        classes: ['price'],
      },
    },
  });
  expect(received[0]?.event.data).toMatchObject({ previousDigest: null, classes: ['added'] });
  expect(outbox().map(({ state }) => state)).toEqual(['delivered', 'delivered']);
});

it('the address and the secret are stored and logged nowhere', async () => {
  status = 500;
  await sync();
  environment['SORTIMENT_HOOK_URL'] = `http://127.0.0.1:9${PATH}`;
  await deliver(new Date(Date.now() + 10_000));
  expect(upstream.log.some((line) => line.includes('"site"'))).toBe(true);
  const everything = upstream.log.join('\n') + readFileSync(upstream.settings.snapshotPath, 'latin1');
  for (const secret of [SECRET, SECRET.slice(6), PATH, 's3cr3t']) expect(everything).not.toContain(secret);
});

describe('a failed delivery', () => {
  it.each([500, 404, 301, 429])('with %i stays pending and doesn’t fail the sync', async (answer) => {
    status = answer;
    const report = await sync();
    expect(report).toMatchObject({ changed: true, hooks: [{ hook: 'site', outcome: 'pending' }] });
    expect(outbox()).toMatchObject([{ state: 'pending', attempts: 1, last_problem: String(answer) }]);
  });

  it('is tried again under the same id, when the schedule says', async () => {
    status = 503;
    const begun = Date.now();
    await sync();
    const first = dueAt();
    expect(first - begun).toBeGreaterThanOrEqual(5000);
    expect(await deliver(new Date(first - 1))).toEqual([{ hook: 'site', outcome: 'pending' }]);
    expect(received).toHaveLength(1);
    await deliver(new Date(first));
    expect(dueAt() - first).toBe(300_000);
    expect(await deliver(new Date(first + 1))).toEqual([{ hook: 'site', outcome: 'pending' }]);
    expect(received).toHaveLength(2);
    expect(new Set(received.map(({ id }) => id)).size).toBe(1);
  });

  it('honours a Retry-After that is longer than the schedule', async () => {
    status = 429;
    headers = { 'retry-after': '3600' };
    const begun = Date.now();
    await sync();
    expect(new Date(String(outbox()[0]?.['next_attempt_at'])).getTime() - begun).toBeGreaterThan(3_590_000);
  });

  it('by a receiver that never answers ends in time', async () => {
    await sync();
    setPrice(1);
    receiver.answer = () => undefined;
    environment['SORTIMENT_HOOK_SECRET'] = '';
    await sync();
    environment['SORTIMENT_HOOK_SECRET'] = SECRET;
    expect(await deliver(new Date())).toEqual([{ hook: 'site', outcome: 'pending' }]);
    expect(outbox()[1]).toMatchObject({ last_problem: 'timed out after 500 ms' });
  });

  it('with 410 is the last', async () => {
    status = 410;
    expect((await sync()).hooks).toEqual([{ hook: 'site', outcome: 'dead' }]);
    expect(await deliver(new Date(Date.now() + 1e9))).toEqual([]);
    expect(received).toHaveLength(1);
  });

  it('to another host by a redirect is no delivery', async () => {
    const other = await startTestServer((_, response) => void response.writeHead(204).end());
    status = 307;
    headers = { location: other.origin };
    expect((await sync()).hooks).toEqual([{ hook: 'site', outcome: 'pending' }]);
    expect(other.seen).toEqual([]);
    await other.close();
  });
});

describe('two changes while one is pending', () => {
  it('are told as one, of everything since the receiver last heard', async () => {
    const first = await sync();
    status = 503;
    setPrice(1);
    await sync();
    setPrice(2, GTINS[1]);
    status = 204;
    const last = await sync();
    expect(outbox().map(({ state }) => state)).toEqual(['delivered', 'superseded', 'delivered']);
    expect(received).toHaveLength(3);
    expect(received[2]?.id).not.toBe(received[1]?.id);
    expect(received[2]?.event.data).toMatchObject({
      previousDigest: first.digest,
      digest: last.digest,
      gtins: [GTINS[0], GTINS[1]],
      counts: { product: { 'de-de': { changed: 2 } } },
    });
  });
});

describe('a hook that is not set up', () => {
  it.each([
    [{}, 'SORTIMENT_HOOK_URL and SORTIMENT_HOOK_SECRET are not set'],
    [{ SORTIMENT_HOOK_URL: 'https://hook.example/' }, 'SORTIMENT_HOOK_SECRET is not set'],
    [{ SORTIMENT_HOOK_URL: 'ftp://hook.example/', SORTIMENT_HOOK_SECRET: SECRET }, 'SORTIMENT_HOOK_URL is not an http'],
    [
      { SORTIMENT_HOOK_URL: 'https://hook.example/', SORTIMENT_HOOK_SECRET: 'hunter2' },
      'SORTIMENT_HOOK_SECRET is not of the form',
    ],
  ])('is skipped with a warning: %j', async (given, warning) => {
    environment = given;
    expect((await sync()).hooks).toEqual([{ hook: 'site', outcome: 'skipped' }]);
    expect(upstream.log.join('\n')).toContain(`The hook "site" is skipped: ${warning}`);
    expect(upstream.log.join('\n')).not.toContain('hunter2');
  });

  it('is told later, once it is', async () => {
    const given = environment;
    environment = {};
    await sync();
    environment = given;
    expect((await sync()).hooks).toEqual([{ hook: 'site', outcome: 'delivered' }]);
  });
});
