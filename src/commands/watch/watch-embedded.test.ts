import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { defineConfig, resolveSettings } from '#config/index.ts';
import { runManagement } from '#origin/admin/management/run-management.ts';
import { startOrigin } from '#origin/server/index.ts';
import { createProduct } from '#snapshot/testing/fill-snapshot.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { startTestWatch } from './testing/start-test-watch.ts';

const GTIN = '9524010000016';
const folder = await mkdtemp(path.join(tmpdir(), 'sortiment-watch-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const settings = resolveSettings(
  folder,
  defineConfig({
    site: { name: 'Test' },
    maker: { name: 'Test', address: ['Test'], email: 'test@test.example' },
    mainLanguage: 'de-de',
    assortment: () => [{ gtin: GTIN }],
  }),
  {},
);
const publicUrl = settings.siteUrl;

const store = { dataFolder: settings.originFolder, publicUrl };
const setPrice = (price: string) =>
  runManagement(store, 'product set', {
    gtin: GTIN,
    changes: [`price=${price}`],
  });

function price(): number {
  const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
  const found = Number(snapshot.product(GTIN, 'de-de')?.record.price);
  snapshot.close();
  return found;
}

it('hears of each write to the embedded origin, and gives the store back', { timeout: 240_000 }, async () => {
  await runManagement(store, 'language add', { code: 'de-de' });
  await runManagement(store, 'product import', { text: JSON.stringify(createProduct({ gtin: GTIN })) });
  const watch = await startTestWatch(settings, { secrets: [] });
  await watch.seen('sync-finished');
  await setPrice('151.2');
  // Within the hour only a webhook starts a sync.
  await expect.poll(price, { timeout: 60_000 }).toBe(151.2);
  const webhooks = watch.events.filter(({ event }) => event === 'webhook');
  expect(webhooks).not.toEqual([]);
  expect(webhooks.filter((webhook) => !('result' in webhook) || webhook.result !== 'accepted')).toEqual([]);
  await watch.stop();

  const origin = await startOrigin({ dataFolder: settings.originFolder, publicUrl, log: () => undefined });
  const beside = await startTestWatch(settings, { secrets: [] });
  await beside.seen('sync-finished');
  await beside.stop();
  expect(await fetch(`${origin.url}/admin/sign-in/`)).toMatchObject({ status: 200 });
  await origin.close();
});
