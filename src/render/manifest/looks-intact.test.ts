import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { looksWhole, noteFolders, productFolders, untouchedFolders } from './looks-intact.ts';
import { openLedger, type PageLedger } from './build-manifest.ts';

const languages = ['de-de', 'en-gb'];
const folders = productFolders(languages);
const products = ['band', 'folie', 'kleber'];
/** As if there were too many files to look at each: this turn looks at none of theirs. */
const LARGE = { mostFiles: 0.01, turn: 599 };

let distFolder: string;
let ledger: PageLedger;

beforeEach(() => {
  distFolder = mkdtempSync(path.join(tmpdir(), 'sortiment-whole-'));
  ledger = openLedger(':memory:');
  ledger.begin({ fingerprint: 'same', distFolder, complete: false }, 'all');
  ledger.change();
  for (const folder of folders) for (const product of products) put(`${folder}/${product}`);
});
afterEach(() => {
  ledger.close();
  rmSync(distFolder, { recursive: true });
});

function put(page: string): void {
  const references = JSON.stringify({ images: [], documents: [], assets: [] });
  ledger.put(`${page}/index.html`, { key: 'key', bytes: 1, sitemap: '', references });
  mkdirSync(path.join(distFolder, page), { recursive: true });
  writeFileSync(path.join(distFolder, page, 'index.html'), '.');
}

/** As if nothing had come or gone for a minute. */
function settle(): void {
  const then = new Date(Date.now() - 60_000);
  for (const folder of folders) utimesSync(path.join(distFolder, folder), then, then);
}

it('notices that a page of a folder is gone in which none was missing', () => {
  settle();
  const noted = noteFolders(ledger, distFolder, folders);
  expect(Object.keys(noted)).toEqual(folders);
  expect(looksWhole(ledger, distFolder, languages, { folders: noted, ...LARGE })).toBe(true);
  rmSync(path.join(distFolder, 'en-gb/p/folie'), { recursive: true });
  expect(untouchedFolders(distFolder, noted)).toEqual(['de-de/p']);
  expect(looksWhole(ledger, distFolder, languages, { folders: noted, ...LARGE })).toBe(false);
});

it('notices that a whole folder is gone, or another is in its place', () => {
  settle();
  const noted = noteFolders(ledger, distFolder, folders);
  rmSync(path.join(distFolder, 'de-de/p'), { recursive: true });
  expect(looksWhole(ledger, distFolder, languages, { folders: noted, ...LARGE })).toBe(false);
  mkdirSync(path.join(distFolder, 'de-de/p'));
  settle();
  expect(looksWhole(ledger, distFolder, languages, { folders: noted, ...LARGE })).toBe(false);
});

it('counts where something was written a moment ago, or nothing is noted', () => {
  expect(noteFolders(ledger, distFolder, folders)).toEqual({});
  expect(looksWhole(ledger, distFolder, languages, LARGE)).toBe(true);
  rmSync(path.join(distFolder, 'en-gb/p/folie'), { recursive: true });
  expect(looksWhole(ledger, distFolder, languages, { folders: {}, ...LARGE })).toBe(false);
});

it('notes no folder that lost a page while the build was on, whatever it had looked at before', () => {
  settle();
  const before = noteFolders(ledger, distFolder, folders);
  rmSync(path.join(distFolder, 'en-gb/p/folie'), { recursive: true });
  settle();
  expect(Object.keys(noteFolders(ledger, distFolder, folders, before))).toEqual(['de-de/p']);
});

it('takes what somebody has put there for no damage', () => {
  settle();
  const noted = noteFolders(ledger, distFolder, folders);
  mkdirSync(path.join(distFolder, 'de-de/p/.of-somebody'));
  expect(looksWhole(ledger, distFolder, languages, { folders: noted, ...LARGE })).toBe(true);
});

it('notices any file that is gone or cut, and in a large site does so within as many turns as there are parts', () => {
  const files = folders.flatMap((folder) => products.map((product) => `${folder}/${product}/index.html`));
  expect(looksWhole(ledger, distFolder, languages, {})).toBe(true);
  settle();
  const noted = noteFolders(ledger, distFolder, folders);
  for (const file of files) {
    writeFileSync(path.join(distFolder, file), '');
    expect(looksWhole(ledger, distFolder, languages, {}), file).toBe(false);
    const turns = [4, 5, 6].map((turn) =>
      looksWhole(ledger, distFolder, languages, { folders: noted, turn, mostFiles: 2 }),
    );
    expect(
      turns.filter((isWhole) => !isWhole),
      file,
    ).toHaveLength(1);
    writeFileSync(path.join(distFolder, file), '.');
  }
});
