import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openManifest, type BuildManifest } from './build-manifest.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-index-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const STATE = { fingerprint: 'a', distFolder: 'dist', complete: true };

const put = (file: string, sitemap: string) => (manifest: BuildManifest) =>
  manifest.put(file, { trace: { key: 'key', shared: '[]', own: '[]' }, bytes: 1, references: '[]', sitemap });

/** @returns Number of pages, and number of sitemap entries. */
const build = (
  stale: readonly string[] | 'all',
  change: (manifest: BuildManifest) => void,
  isKilled = false,
): number[] => {
  const manifest = openManifest(path.join(folder, 'pages.sqlite'));
  manifest.begin(STATE, stale);
  manifest.change();
  change(manifest);
  const counts = [manifest.countPages(), manifest.countInSitemap()];
  const pages = [...manifest.pages()];
  expect(counts).toEqual([
    pages.filter(([file]) => file.endsWith('.html')).length,
    pages.filter(([, { sitemap }]) => sitemap !== '').length,
  ]);
  if (!isKilled) manifest.commit(STATE);
  manifest.close();
  return counts;
};

it('counts pages as they come, change and go, whatever a build that was killed has done', () => {
  const first = (manifest: BuildManifest): void => {
    put('index.html', '<url/>')(manifest);
    put('de/index.html', '<url/>')(manifest);
    put('rss.xml', '')(manifest);
  };
  expect(build('all', first)).toEqual([2, 2]);
  expect(build(['en/index.html'], put('en/index.html', '<url/>'))).toEqual([3, 3]);
  expect(build(['de/index.html'], put('de/index.html', ''))).toEqual([3, 2]);
  expect(build(['en/index.html'], (manifest) => manifest.remove('en/index.html'), true)).toEqual([2, 1]);
  expect(build(['index.html'], put('index.html', '<url/>'))).toEqual([3, 2]);
  expect(build([], (manifest) => manifest.remove('nowhere.html'))).toEqual([3, 2]);
  expect(build(['en/index.html'], (manifest) => manifest.remove('en/index.html'))).toEqual([2, 1]);
});
