import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { defineConfig, resolveSettings } from '#config/index.ts';
import type { Batch, RenderTask, PagePath } from './update-pages.ts';
import { openRenderPool } from './render-pool.ts';

/** Initial data of threads, in an empty folder. */
function emptyTask(): RenderTask {
  const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-pool-'));
  const config = defineConfig({
    site: { name: 'Test' },
    maker: { name: 'Test', address: ['Test'], email: 'test@test.example' },
    mainLanguage: 'de-de',
  });
  return {
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
}

it('says of a thread that fails why it did, and has its pages rendered', async () => {
  const warnings: string[] = [];
  const settled: string[] = [];
  const pool = openRenderPool(emptyTask(), {
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

it('leaves few pages of batches to the build, without starting threads for them', async () => {
  const page = (file: string): PagePath => ({
    file,
    route: 'src/pages/[language]/products/[family]/[...page].astro',
    keyNow: () => undefined,
    render: () => Promise.reject(new Error('not here')),
  });
  const isAlone = vi.fn();
  const asked: Batch[] = [];
  const batches = ['de-de/membranes', 'de-de/tapes'].map((place) => ({ products: [], productGroups: [place] }));
  const pool = openRenderPool(emptyTask(), {
    scope: undefined,
    routes: undefined,
    batches,
    findPages: (left) => {
      asked.push(...left);
      return Promise.resolve([page('first.html'), page('second.html')]);
    },
    threads: undefined,
    onAlone: isAlone,
    warn: (message) => expect.unreachable(message),
    onSlow: () => undefined,
    debug: () => undefined,
  });
  const compared = [
    { number: 1, present: ['first.html', 'second.html'], stale: ['second.html'], routes: [] },
    { number: 0, present: ['third.html'], stale: [], routes: [] },
  ];
  const left = await pool.render([], compared, { onResult: () => undefined, onAsked: () => undefined });
  expect(left.map(({ file }) => file)).toEqual(['second.html']);
  expect(asked).toEqual([{ ...batches[1], stale: ['second.html'] }]);
  expect(isAlone).toHaveBeenCalledOnce();
});
