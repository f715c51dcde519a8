import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isSiteIntact, recordFolders, productFolders, findUnchangedFolders } from './site-integrity.ts';
import { openManifest, type BuildManifest } from './build-manifest.ts';

const languages = ['de-de', 'en-gb'];
const folders = productFolders(languages);
const products = ['band', 'folie', 'kleber'];
/** Simulates a site too large to check completely: this turn checks none of its files. */
const LARGE = { mostFiles: 0.01, turn: 599 };

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

/** Simulates folders that haven't changed for a minute. */
function settle(): void {
  const then = new Date(Date.now() - 60_000);
  for (const folder of folders) utimesSync(path.join(distFolder, folder), then, then);
}

it('notices that a page of a folder is gone in which none was missing', () => {
  settle();
  const noted = recordFolders(manifest, distFolder, folders);
  expect(Object.keys(noted)).toEqual(folders);
  expect(isSiteIntact(manifest, distFolder, languages, { folders: noted, ...LARGE })).toBe(true);
  rmSync(path.join(distFolder, 'en-gb/p/folie'), { recursive: true });
  expect(findUnchangedFolders(distFolder, noted)).toEqual(['de-de/p']);
  expect(isSiteIntact(manifest, distFolder, languages, { folders: noted, ...LARGE })).toBe(false);
});

it('notices that a whole folder is gone, or another is in its place', () => {
  settle();
  const noted = recordFolders(manifest, distFolder, folders);
  rmSync(path.join(distFolder, 'de-de/p'), { recursive: true });
  expect(isSiteIntact(manifest, distFolder, languages, { folders: noted, ...LARGE })).toBe(false);
  mkdirSync(path.join(distFolder, 'de-de/p'));
  settle();
  expect(isSiteIntact(manifest, distFolder, languages, { folders: noted, ...LARGE })).toBe(false);
});

it('counts where something was written a moment ago, or nothing is noted', () => {
  expect(recordFolders(manifest, distFolder, folders)).toEqual({});
  expect(isSiteIntact(manifest, distFolder, languages, LARGE)).toBe(true);
  rmSync(path.join(distFolder, 'en-gb/p/folie'), { recursive: true });
  expect(isSiteIntact(manifest, distFolder, languages, { folders: {}, ...LARGE })).toBe(false);
});

it('notes no folder that lost a page while the build was on, whatever it had looked at before', () => {
  settle();
  const before = recordFolders(manifest, distFolder, folders);
  rmSync(path.join(distFolder, 'en-gb/p/folie'), { recursive: true });
  settle();
  expect(Object.keys(recordFolders(manifest, distFolder, folders, before))).toEqual(['de-de/p']);
});

it('takes what somebody has put there for no damage', () => {
  settle();
  const noted = recordFolders(manifest, distFolder, folders);
  mkdirSync(path.join(distFolder, 'de-de/p/.of-somebody'));
  expect(isSiteIntact(manifest, distFolder, languages, { folders: noted, ...LARGE })).toBe(true);
});

it('notices any file that is gone or cut, and in a large site does so within as many turns as there are parts', () => {
  const files = folders.flatMap((folder) => products.map((product) => `${folder}/${product}/index.html`));
  expect(isSiteIntact(manifest, distFolder, languages, {})).toBe(true);
  settle();
  const noted = recordFolders(manifest, distFolder, folders);
  for (const file of files) {
    writeFileSync(path.join(distFolder, file), '');
    expect(isSiteIntact(manifest, distFolder, languages, {}), file).toBe(false);
    const turns = [4, 5, 6].map((turn) =>
      isSiteIntact(manifest, distFolder, languages, { folders: noted, turn, mostFiles: 2 }),
    );
    expect(
      turns.filter((isWhole) => !isWhole),
      file,
    ).toHaveLength(1);
    writeFileSync(path.join(distFolder, file), '.');
  }
});
