import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { defineConfig, resolveSettings } from '#config/index.ts';
import { openRenderPool } from './render-pool.ts';

it('says of a thread that fails why it did, and has its pages rendered', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-pool-'));
  const config = defineConfig({
    site: { name: 'Test' },
    maker: { name: 'Test', address: ['Test'], email: 'test@test.example' },
    mainLanguage: 'de-de',
  });
  const task = {
    settings: resolveSettings(folder, config, {}),
    bundleFolder: path.join(folder, 'bundle'),
    state: {
      entry: 'is-not-there.mjs',
      pages: [],
      specifiers: [],
      scripts: [],
      imageEndpoint: '/_image',
      unrecorded: [],
    },
    collections: new Map(),
  };
  const warnings: string[] = [];
  const settled: string[] = [];
  const pool = openRenderPool(task, {
    scope: undefined,
    routes: undefined,
    batches: [{ products: [], productGroups: ['de-de/membranes'] }],
    findPages: () => Promise.resolve([]),
    threads: 2,
    warn: (message) => void warnings.push(message),
    onSlow: () => undefined,
    debug: () => undefined,
  });
  expect(
    await pool.render(['de-de/index.html'], [], {
      onResult: (file) => void settled.push(file),
      onAsked: () => undefined,
    }),
  ).toEqual([]);
  expect(await pool.compare()).toBeUndefined();
  expect(warnings).toEqual([
    'A rendering worker failed; its pages are rendered in the main thread: unable to open database file',
    'A thread that compares pages failed; all are rendered: unable to open database file',
  ]);
  expect(settled).toEqual([]);
});
