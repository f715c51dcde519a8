import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { defineConfig, resolveSettings } from '#config/index.ts';
import { type RenderTask } from './batches.ts';
import { renderInThreads } from './render-site.ts';

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
    scope: undefined,
    routes: undefined,
  };
}

it('says of a thread that fails why it did, and leaves its pages to the main thread', async () => {
  const warnings: string[] = [];
  const rendered: string[] = [];
  const batches = [{ products: [], productGroups: ['de-de/membranes'] }];
  const left = await renderInThreads(emptyTask(), {
    size: 2,
    files: ['de-de/index.html'],
    batches,
    warn: (message) => void warnings.push(message),
    onPage: (file) => void rendered.push(file),
    onReads: () => undefined,
  });
  expect(left).toEqual(batches);
  expect(warnings).toEqual([
    'A rendering worker failed; its pages are rendered in the main thread: unable to open database file',
  ]);
  expect(rendered).toEqual([]);
});
