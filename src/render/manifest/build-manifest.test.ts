import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openLedger, type PageLedger } from './build-manifest.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-ledger-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const STATE = { fingerprint: 'a', distFolder: 'dist', complete: true };

const put = (file: string, sitemap: string) => (ledger: PageLedger) =>
  ledger.put(file, { key: 'key', bytes: 1, references: '{}', sitemap });

/** @returns How many pages there are, and how many in the sitemap. */
const build = (stale: readonly string[] | 'all', change: (ledger: PageLedger) => void, isKilled = false): number[] => {
  const ledger = openLedger(path.join(folder, 'pages.sqlite'));
  ledger.begin(STATE, stale);
  ledger.change();
  change(ledger);
  const counts = [ledger.countPages(), ledger.countInSitemap()];
  const pages = [...ledger.pages()];
  expect(counts).toEqual([
    pages.filter(([file]) => file.endsWith('.html')).length,
    pages.filter(([, { sitemap }]) => sitemap !== '').length,
  ]);
  if (!isKilled) ledger.commit(STATE);
  ledger.close();
  return counts;
};

it('counts pages as they come, change and go, whatever a build that was killed has done', () => {
  const first = (ledger: PageLedger): void => {
    put('index.html', '<url/>')(ledger);
    put('de/index.html', '<url/>')(ledger);
    put('rss.xml', '')(ledger);
  };
  expect(build('all', first)).toEqual([2, 2]);
  expect(build(['en/index.html'], put('en/index.html', '<url/>'))).toEqual([3, 3]);
  expect(build(['de/index.html'], put('de/index.html', ''))).toEqual([3, 2]);
  expect(build(['en/index.html'], (ledger) => ledger.remove('en/index.html'), true)).toEqual([2, 1]);
  expect(build(['index.html'], put('index.html', '<url/>'))).toEqual([3, 2]);
  expect(build([], (ledger) => ledger.remove('nowhere.html'))).toEqual([3, 2]);
  expect(build(['en/index.html'], (ledger) => ledger.remove('en/index.html'))).toEqual([2, 1]);
});
