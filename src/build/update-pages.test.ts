import { expect, it } from 'vitest';
import { openManifest } from './manifest/build-manifest.ts';
import { updatePages } from './update-pages.ts';

it('names the page that can not be rendered', async () => {
  const manifest = openManifest(':memory:');
  const failing = {
    file: 'de-de/p/band-9524010000016/index.html',
    route: 'src/pages/[language]/p/[slug].astro',
    keyNow: () => 'a',
    render: () => Promise.reject(new Error('no such size')),
  };
  const update = updatePages({
    paths: [failing],
    routes: new Map(),
    changed: [],
    fromScratch: true,
    gone: undefined,
    manifest,
    state: { fingerprint: '', distFolder: '', complete: false },
    writer: { write: () => true },
    describe: () => '',
    onProgress: () => undefined,
  });
  await expect(update).rejects.toThrow("de-de/p/band-9524010000016/index.html can't be rendered: no such size");
  manifest.close();
});
