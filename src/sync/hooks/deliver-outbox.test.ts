import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveSettings } from '#config/index.ts';
import { createProduct } from '#snapshot/testing/fill-snapshot.ts';
import { openSnapshot, listMessages } from '#snapshot/index.ts';
import { GTINS, startTestUpstream, type TestUpstream } from '../testing/test-upstream.ts';
import type { CatalogueChanged } from './compose-message.ts';
import { startTestReceiver, type TestReceiver } from './testing/test-receiver.ts';

const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const PATH = '/hook/s3cr3t-path';

let upstream: TestUpstream;
let receiver: TestReceiver;
let environment: NodeJS.ProcessEnv;
beforeEach(async () => {
  upstream = await startTestUpstream({ hooks: [{ name: 'site' }] });
  receiver = await startTestReceiver();
  environment = { SORTIMENT_HOOK_URL: receiver.origin + PATH, SORTIMENT_HOOK_SECRET: SECRET };
});
afterEach(async () => {
  await receiver.close();
  await upstream.close();
});

const sync = () => upstream.sync({ environment });
const setPrice = (price: number, gtin = GTINS[0] ?? '') =>
  upstream.products.set(`${gtin}/de-de`, createProduct({ gtin, price, name: `Produkt ${gtin.slice(-4)}` }));
const states = () => {
  const snapshot = openSnapshot(upstream.settings.snapshotPath, { readOnly: true });
  const messages = listMessages(snapshot.database).toReversed();
  snapshot.close();
  return messages.map(({ state, attempts }) => [state, attempts]);
};

it('a change is told once, and thin', async () => {
  const first = await sync();
  expect(first.hooks).toEqual([{ hook: 'site', outcome: 'delivered' }]);
  setPrice(149.9);
  const report = await sync();
  expect(await sync()).toMatchObject({ changed: false, hooks: [] });
  expect(receiver.received).toHaveLength(2);
  const events = receiver.received.map(({ body }) => JSON.parse(body) as CatalogueChanged);
  expect(receiver.received[1]?.id).toMatch(/^msg_[0-9a-f]{32}$/);
  expect(events[1]).toEqual({
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
  });
  expect(events[0]?.data).toMatchObject({ previousDigest: null, classes: ['added'] });
  expect(states()).toEqual([
    ['delivered', 1],
    ['delivered', 1],
  ]);
});

it('a receiver that fails doesn’t fail the sync, and what changes meanwhile is told on its own', async () => {
  await sync();
  receiver.answer = () => ({ status: 503 });
  setPrice(1);
  expect(await sync()).toMatchObject({ changed: true, hooks: [{ hook: 'site', outcome: 'pending' }] });
  setPrice(2, GTINS[1]);
  await sync();
  setPrice(3, GTINS[2]);
  expect(await sync()).toMatchObject({ changed: true, hooks: [{ hook: 'site', outcome: 'pending' }] });
  expect(states()).toEqual([
    ['delivered', 1],
    ['pending', 1],
    ['pending', 0],
  ]);
});

it('an outbox that can’t be written leaves the change committed, and told later', async () => {
  await sync();
  const setFull = (sql: string) => {
    const snapshot = openSnapshot(upstream.settings.snapshotPath);
    snapshot.database.exec(sql);
    snapshot.close();
  };
  setFull(`CREATE TRIGGER full BEFORE UPDATE ON outbox WHEN new.lease IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`);
  setPrice(1);
  expect(await sync()).toMatchObject({ changed: true, hooks: [] });
  expect(upstream.log.join('\n')).toContain('Hook delivery failed; will retry: database or disk is full');
  setFull('DROP TRIGGER full');
  expect(await sync()).toMatchObject({ changed: false, hooks: [{ hook: 'site', outcome: 'delivered' }] });
});

it('a sync that is stopped doesn’t wait for a receiver that never answers, and tells it the next time', async () => {
  const stop = new AbortController();
  receiver.answer = () => void stop.abort();
  expect(await upstream.sync({ environment, signal: stop.signal })).toMatchObject({
    changed: true,
    hooks: [{ hook: 'site', outcome: 'pending' }],
  });
  receiver.answer = () => ({ status: 204 });
  expect(await sync()).toMatchObject({ changed: false, hooks: [{ hook: 'site', outcome: 'delivered' }] });
  expect(receiver.received.map(({ id }) => id)).toEqual([receiver.received[0]?.id, receiver.received[0]?.id]);
});

it('the address and the secret are stored and logged nowhere', async () => {
  receiver.answer = () => ({ status: 500 });
  await sync();
  setPrice(1);
  environment['SORTIMENT_HOOK_URL'] = `http://127.0.0.1:9${PATH}`;
  await sync();
  expect(upstream.log.some((line) => line.includes('"site"'))).toBe(true);
  const everything = upstream.log.join('\n') + readFileSync(upstream.settings.snapshotPath, 'latin1');
  for (const secret of [SECRET, SECRET.slice(6), PATH, 's3cr3t']) expect(everything).not.toContain(secret);
});

describe('a hook that is not set up', () => {
  it.each([
    [{}, 'SORTIMENT_HOOK_URL and SORTIMENT_HOOK_SECRET are not set'],
    [{ SORTIMENT_HOOK_URL: 'https://hook.example/' }, 'SORTIMENT_HOOK_SECRET is not set'],
    [
      { SORTIMENT_HOOK_URL: 'https://ci:hunter2@hook.example/', SORTIMENT_HOOK_SECRET: SECRET },
      'SORTIMENT_HOOK_URL contains a user name or password',
    ],
    [{ SORTIMENT_HOOK_URL: 'ftp://hook.example/', SORTIMENT_HOOK_SECRET: SECRET }, 'SORTIMENT_HOOK_URL is not an http'],
    [
      { SORTIMENT_HOOK_URL: 'https://hook.example/', SORTIMENT_HOOK_SECRET: `${SECRET} hunter2` },
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

it('calls the address in SORTIMENT_HOOK_URL where no hook is configured, and asks for its secret', async () => {
  const { settings } = upstream;
  const url = receiver.origin + PATH;
  upstream.settings = resolveSettings(settings.root, { ...settings.options, hooks: [] }, { SORTIMENT_HOOK_URL: url });
  environment = { SORTIMENT_HOOK_URL: url };
  expect((await sync()).hooks).toEqual([{ hook: 'default', outcome: 'skipped' }]);
  expect(upstream.log.filter((line) => line.includes('SORTIMENT_HOOK_SECRET is not set'))).toHaveLength(1);
  environment['SORTIMENT_HOOK_SECRET'] = SECRET;
  expect((await sync()).hooks).toEqual([{ hook: 'default', outcome: 'delivered' }]);
  expect(receiver.received).toHaveLength(1);
});
