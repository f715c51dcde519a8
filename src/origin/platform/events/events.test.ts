import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProduct } from '#snapshot/testing/fill-snapshot.ts';
import { importProducts, removeProduct, setProduct } from '#origin/admin/management/products.ts';
import { runManagement } from '#origin/admin/management/run-management.ts';
import { startOrigin } from '#origin/server/index.ts';
import { temporaryFolder } from '#origin/platform/store/testing/temporary-folder.ts';
import { outbox, productLanguage } from '#origin/platform/store/schema.ts';
import { createTestContext, type TestContext } from '#origin/testing/test-context.ts';
import { announce, type OriginEvent } from './announce.ts';
import { readReceivers, startSender, type EventSender, type SenderOptions } from './start-sender.ts';
import { receive, SECRET, startReceiver, type Receiver } from './testing/webhook-receiver.ts';

const GTIN = '9524010000016';

let context: TestContext;
let receiver: Receiver;
const senders: EventSender[] = [];
beforeAll(async () => {
  context = await createTestContext();
  await context.store.db.insert(productLanguage).values([{ code: 'de-de', name: 'Deutsch' }]);
});
afterAll(() => context.store.close());
beforeEach(async () => void (receiver = await startReceiver()));
afterEach(async () => {
  for (const sender of senders.splice(0)) await sender.close();
  await receiver.server.close();
  await context.store.db.delete(outbox);
});

function send(options: Partial<SenderOptions> = {}): EventSender {
  const receivers = readReceivers({ ORIGIN_WEBHOOK_URL: receiver.url, ORIGIN_WEBHOOK_SECRET: SECRET });
  const sender = startSender(context.store.db, {
    receivers,
    log: context.log,
    pollMs: 10,
    scheduleMs: [20],
    ...options,
  });
  senders.push(sender);
  return sender;
}

const announceEvents = (event: OriginEvent | OriginEvent[]) =>
  context.store.db.transaction((transaction) => announce(transaction, event));
const price = (amount: string) => setProduct(context, { gtin: GTIN, changes: [`price=${amount}`] });
const put = (...gtins: string[]) =>
  importProducts(context, {
    text: gtins.map((gtin) => JSON.stringify(createProduct({ gtin, language: 'de-de' }))).join('\n'),
  });
const pending = () =>
  context.store.db
    .select()
    .from(outbox)
    .where(sql`${outbox.doneAt} is null`);
const taken = (count: number) => vi.waitFor(() => expect(receiver.taken).toHaveLength(count), 10_000);

const rows = async () => (await pending()).map(({ payload }) => [payload['count'], payload['changes']]);

describe('the commands of the operator', () => {
  it('announce what they change, one message for each', async () => {
    await put(GTIN, '9524010000023');
    await put(GTIN);
    await price('149.90');
    await price('149.90');
    await removeProduct(context, { gtin: '9524010000023' });
    expect(await rows()).toEqual([
      [
        2,
        [
          { what: 'product', id: GTIN, action: 'created' },
          { what: 'product', id: '9524010000023', action: 'created' },
        ],
      ],
      [1, [{ what: 'product', id: GTIN, action: 'updated' }]],
      [1, [{ what: 'product', id: '9524010000023', action: 'deleted' }]],
    ]);
  });

  it('announce nothing of what fails', async () => {
    const failing = context.store.db.transaction(async (transaction) => {
      await announce(transaction, { what: 'product', id: GTIN, action: 'updated' });
      throw new Error('later');
    });
    await expect(failing).rejects.toThrow('later');
    expect(await rows()).toEqual([]);
  });
});

describe('a receiver', () => {
  const post = { what: 'post', id: '7', action: 'updated' } as const;

  it('gets one signed message for a write', async () => {
    send();
    await price('151.20');
    await taken(1);
    expect(receiver.taken[0]).toMatchObject({
      id: expect.stringMatching(/^msg_\w+$/),
      event: {
        type: 'origin.changed',
        timestamp: expect.stringMatching(/^2\d{3}-.+Z$/),
        data: { changes: [{ what: 'product', id: GTIN, action: 'updated' }], count: 1 },
      },
    });
    await vi.waitFor(async () => expect(await pending()).toEqual([]), 10_000);
    expect(receiver.seen).toHaveLength(1);
  });

  it('gets it again after a failure, under the same id, not before it asked to', async () => {
    receiver.answers = [{ status: 500 }, { status: 503, headers: { 'retry-after': '3600' } }];
    send();
    await announceEvents(post);
    await vi.waitFor(() => expect(receiver.seen).toHaveLength(2), 10_000);
    const waits = await vi.waitFor(async () => {
      const [row] = await pending();
      expect(row?.runAt.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
      return row;
    }, 10_000);
    await context.store.db
      .update(outbox)
      .set({ runAt: sql`now()` })
      .where(eq(outbox.id, waits?.id ?? 0));
    await taken(1);
    expect(new Set(receiver.seen).size).toBe(1);
    expect(receiver.seen).toHaveLength(3);
    expect(context.logged.join('\n')).toMatch(/not be reached \(503\)/);
    expect(context.logged.join('\n')).not.toMatch(/s3cr3t|whsec_/);
  });

  it('that hears late hears of everything in one message', async () => {
    await announceEvents({ what: 'page', id: '3', action: 'created' });
    await announceEvents(post);
    await announceEvents({ what: 'page', id: '3', action: 'updated' });
    await announceEvents(
      Array.from({ length: 250 }, (_, i) => ({ what: 'product', id: String(i), action: 'updated' })),
    );
    send();
    await taken(1);
    const { changes, count } = receiver.taken[0]?.event.data ?? {};
    expect([changes?.length, count]).toEqual([100, 252]);
    expect(changes?.slice(0, 2)).toEqual([{ what: 'page', id: '3', action: 'created' }, post]);
  });

  it('that responds 410 gets no retry', async () => {
    receiver.answers = [{ status: 410 }];
    send();
    await announceEvents(post);
    await vi.waitFor(async () => expect([receiver.seen.length, await pending()]).toEqual([1, []]), 10_000);
  });

  it('that took it is left alone while another one is retried', async () => {
    const other = await startReceiver();
    other.answers = [{ status: 500 }, { status: 500 }];
    send({
      receivers: readReceivers({}, [
        { url: receiver.url, secret: SECRET },
        { url: other.url, secret: SECRET },
      ]),
    });
    await announceEvents(post);
    await vi.waitFor(() => expect(other.taken).toHaveLength(1), 10_000);
    expect([receiver.seen.length, other.seen.length]).toEqual([1, 3]);
    await other.server.close();
  });

  it('is told once, however many processes send', async () => {
    for (let n = 0; n < 4; n += 1) send({ pollMs: 1 });
    for (let n = 0; n < 10; n += 1) await announceEvents({ what: 'post', id: String(n), action: 'updated' });
    const deliveredIds = () => receiver.taken.flatMap(({ event }) => event.data.changes.map(({ id }) => id)).toSorted();
    await vi.waitFor(() => expect(deliveredIds()).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']), 10_000);
    expect(new Set(receiver.seen).size).toBe(receiver.seen.length);
  });

  it('that is stopped on in the middle of an attempt gets the same message from the next start', async () => {
    receiver.server.answer = (request) => void receiver.seen.push(String(request.headers['webhook-id']));
    const first = send();
    await announceEvents(post);
    await vi.waitFor(() => expect(receiver.seen).toHaveLength(1), 10_000);
    await first.close();
    receiver.server.answer = (request, response) => void receive(receiver, request, response);
    send();
    await taken(1);
    expect(receiver.taken[0]?.id).toBe(receiver.seen[0]);
  });
});

it('discards undelivered messages after a week', async () => {
  await announceEvents({ what: 'post', id: '1', action: 'updated' });
  await context.store.db
    .update(outbox)
    .set({ payload: sql`jsonb_set(${outbox.payload}, '{at}', '"2020-01-01T00:00:00.000Z"')` });
  await announceEvents({ what: 'post', id: '2', action: 'updated' });
  await startSender(context.store.db, { receivers: [], log: context.log }).close();
  const ids = (await pending()).flatMap(({ payload }) => payload['changes']);
  expect(ids).toMatchObject([{ id: '2' }]);
});

it.each([
  [{ ORIGIN_WEBHOOK_URL: 'http://127.0.0.1/s3cr3t' }, /ORIGIN_WEBHOOK_SECRET is not/],
  [{ ORIGIN_WEBHOOK_URL: 's3cr3t', ORIGIN_WEBHOOK_SECRET: SECRET }, /not an http\(s\) address/],
  [{ ORIGIN_WEBHOOK_URL: 'http://127.0.0.1/', ORIGIN_WEBHOOK_SECRET: 's3cr3t' }, /not of the form whsec_/],
])('refuses %o without repeating the values', (environment, words) => {
  expect(() => readReceivers(environment)).toThrow(words);
  expect(() => readReceivers(environment)).not.toThrow(/s3cr3t/);
});

it('a whole origin keeps a message over its restart', async () => {
  const dataFolder = temporaryFolder();
  const start = () =>
    startOrigin({ dataFolder, receivers: [{ url: receiver.url, secret: SECRET }], log: () => undefined });
  receiver.server.answer = (request) => void receiver.seen.push(String(request.headers['webhook-id']));
  const first = await start();
  await runManagement({ dataFolder, publicUrl: first.url }, 'language add', { code: 'fr-fr' });
  await vi.waitFor(() => expect(receiver.seen).toHaveLength(1), 10_000);
  await first.close();
  receiver.server.answer = (request, response) => void receive(receiver, request, response);
  const second = await start();
  await taken(1);
  await second.close();
  expect(receiver.seen).toEqual([receiver.taken[0]?.id, receiver.taken[0]?.id]);
  expect(receiver.taken[0]?.event.data.changes).toEqual([{ what: 'language', id: 'fr-fr', action: 'created' }]);
});
