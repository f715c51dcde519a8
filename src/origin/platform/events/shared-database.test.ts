import { afterAll, expect, it, vi } from 'vitest';
import { openStore } from '#origin/platform/store/open-store.ts';
import type { OpenStore } from '#origin/platform/store/store.ts';
import { startTestPostgres } from '#origin/platform/store/testing/start-test-postgres.ts';
import { temporaryFolder } from '#origin/platform/store/testing/temporary-folder.ts';
import { announce } from './announce.ts';
import { readReceivers, startSender } from './start-sender.ts';
import { SECRET, startReceiver } from './testing/webhook-receiver.ts';

const postgres = await startTestPostgres();
afterAll(() => postgres?.stop());

it.skipIf(!postgres)('several origins on one PostgreSQL deliver each event once', async () => {
  const databaseUrl = await postgres?.createDatabase('events');
  const receiver = await startReceiver();
  const stores: OpenStore[] = [];
  for (let n = 0; n < 3; n += 1) stores.push(await openStore({ dataFolder: temporaryFolder(), databaseUrl }));
  const receivers = readReceivers({}, [{ url: receiver.url, secret: SECRET }]);
  const senders = stores.map(({ db }) => startSender(db, { receivers, log: () => undefined, pollMs: 1 }));
  const ids = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));
  await Promise.all(
    ids.map((id, n) =>
      stores[n % 3]?.db.transaction((transaction) => announce(transaction, { what: 'post', id, action: 'updated' })),
    ),
  );
  const deliveredIds = () => receiver.taken.flatMap(({ event }) => event.data.changes.map(({ id }) => id)).toSorted();
  await vi.waitFor(() => expect(deliveredIds()).toEqual(ids), 20_000);
  expect(new Set(receiver.seen).size).toBe(receiver.seen.length);
  expect(receiver.taken.every(({ event }) => event.data.count === event.data.changes.length)).toBe(true);
  for (const sender of senders) await sender.close();
  for (const store of stores) await store.close();
  await receiver.server.close();
});
