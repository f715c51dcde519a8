import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { defineConfig, resolveSettings } from '#config/index.ts';
import { renderMany } from './render-pool.ts';

it('says of a thread that fails why it did, and leaves its pages to the build', async () => {
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
  const render = renderMany(task, {
    threads: 2,
    warn: (message) => void warnings.push(message),
    onSlow: () => undefined,
    debug: () => undefined,
  });
  expect(await render(['de-de/index.html'], (file) => void settled.push(file))).toEqual([]);
  expect(warnings).toEqual([
    'A rendering worker failed; its pages are rendered in the main thread: unable to open database file',
  ]);
  expect(settled).toEqual([]);
});
