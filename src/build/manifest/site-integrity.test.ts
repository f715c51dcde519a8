import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isSiteIntact, openManifest, type BuildManifest } from './build-manifest.ts';

const folders = ['de-de/p', 'en-gb/p'];
const products = ['band', 'folie', 'kleber'];

let distFolder: string;
let manifest: BuildManifest;

beforeEach(() => {
  distFolder = mkdtempSync(path.join(tmpdir(), 'sortiment-whole-'));
  manifest = openManifest(':memory:');
  manifest.begin({ fingerprint: 'same', distFolder, complete: false }, 'all');
  manifest.change();
  for (const folder of folders) for (const product of products) put(`${folder}/${product}`);
});
afterEach(() => {
  manifest.close();
  rmSync(distFolder, { recursive: true });
});

function put(page: string): void {
  const references = JSON.stringify([]);
  manifest.put(`${page}/index.html`, {
    trace: { key: 'key', shared: '[]', own: '[]' },
    bytes: 1,
    sitemap: '',
    references,
  });
  mkdirSync(path.join(distFolder, page), { recursive: true });
  writeFileSync(path.join(distFolder, page, 'index.html'), '.');
}

it('notices any file that is gone or cut, and in a large site does so within as many turns as there are parts', () => {
  const files = folders.flatMap((folder) => products.map((product) => `${folder}/${product}/index.html`));
  expect(isSiteIntact(manifest, distFolder, {})).toBe(true);
  for (const file of files) {
    writeFileSync(path.join(distFolder, file), '');
    expect(isSiteIntact(manifest, distFolder, {}), file).toBe(false);
    const turns = [4, 5, 6].map((turn) => isSiteIntact(manifest, distFolder, { turn, mostFiles: 2 }));
    expect(
      turns.filter((isWhole) => !isWhole),
      file,
    ).toHaveLength(1);
    writeFileSync(path.join(distFolder, file), '.');
  }
});
