import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { defineConfig, resolveSettings } from '#config/index.ts';
import { openProductIndex } from './read-product-index.ts';
import { updateProductIndex } from './update-product-index.ts';
import { buildPaths } from '#config/build-paths.ts';
import { updateInWorker } from './update-in-worker.ts';
import { writeTestCatalogue } from '#render/testing/test-catalogue.ts';

vi.stubEnv('SITE_URL', 'https://catalogue.example');

const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-index-thread-'));
const settings = resolveSettings(
  folder,
  defineConfig({
    site: { name: 'Haldenwerk' },
    maker: { name: 'Haldenwerk GmbH', address: ['Am Lehmgraben 12'], email: 'kontakt@haldenwerk.example' },
    mainLanguage: 'de-de',
  }),
);
const { productIndexFile } = buildPaths(settings);
const offered = (): number => {
  const productIndex = openProductIndex(productIndexFile);
  try {
    return productIndex.count('de-de');
  } finally {
    productIndex.close();
  }
};
const ignore = (): void => undefined;
const update = () => updateProductIndex(productIndexFile, settings.snapshotPath, settings.options);

beforeAll(() => writeTestCatalogue(folder));
afterAll(() => rmSync(folder, { recursive: true }));

it('leaves nothing to do for the build that waits for it', async () => {
  const thread = updateInWorker(settings, ignore, 0);
  thread.start();
  await thread.finish();
  expect(offered()).toBe(57);
  expect(update()).toMatchObject({ everything: false, products: new Set(), productGroups: new Set() });
});

it('can be given up at any time: the next one makes the product index', async () => {
  for (const afterMs of [0, 100, 200, 300, 400]) {
    rmSync(path.dirname(productIndexFile), { recursive: true });
    const thread = updateInWorker(settings, ignore, 0);
    thread.start();
    await setTimeout(afterMs);
    await thread.stop();
    update();
    expect(offered()).toBe(57);
  }
});

it('does nothing any more when it was given up', async () => {
  rmSync(path.dirname(productIndexFile), { recursive: true });
  const thread = updateInWorker(settings, ignore, 0);
  thread.start();
  await thread.stop();
  await setTimeout(2000);
  expect(offered).toThrow();
  update();
});

it('leaves a product index of few products, or of none yet, to the build', async () => {
  rmSync(path.dirname(productIndexFile), { recursive: true });
  for (const thread of [
    updateInWorker(settings, ignore),
    updateInWorker({ ...settings, snapshotPath: 'nowhere' }, ignore),
  ]) {
    thread.start();
    await thread.finish();
    expect(offered).toThrow();
  }
});

it('says so when its thread fails, as the build goes on without it', async () => {
  const told: string[] = [];
  const thread = updateInWorker(
    { ...settings, snapshotPath: import.meta.filename },
    (message) => void told.push(message),
    0,
  );
  thread.start();
  await thread.finish();
  expect(told).toEqual([
    expect.stringMatching(
      /^Updating the product index in a worker failed; the build updates it itself: .+ can't be read/,
    ),
  ]);
});
