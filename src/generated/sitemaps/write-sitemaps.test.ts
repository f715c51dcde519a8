import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openPageWriter, type PageWriter } from '#files/page-writer.ts';
import { removeFiles } from '#build/finish-build.ts';
import { openManifest, type BuildManifest } from '#build/manifest/build-manifest.ts';
import { writeSitemaps } from './sitemap.ts';

const siteUrl = 'https://x.example';
const state = { fingerprint: 'same', distFolder: '', complete: true };

let distFolder: string;
let manifest: BuildManifest;
let writer: PageWriter;

beforeEach(() => {
  distFolder = mkdtempSync(path.join(tmpdir(), 'sortiment-sitemaps-'));
  manifest = openManifest(path.join(distFolder, '.pages.sqlite'));
  manifest.begin(state, 'all');
  manifest.change();
  writer = openPageWriter(distFolder);
});
afterEach(() => {
  manifest.close();
  rmSync(distFolder, { recursive: true });
});

const fileOf = (page: number): string => `de-de/p/${page}/index.html`;

function put(page: number, changed = ''): string {
  const file = fileOf(page);
  const references = JSON.stringify([]);
  manifest.put(file, {
    trace: { key: 'key', shared: '[]', own: '[]' },
    bytes: 1,
    sitemap: `<url><loc>${page}</loc>${changed}</url>`,
    references,
  });
  return file;
}

function write(moved: readonly string[] | undefined): void {
  removeFiles(distFolder, writeSitemaps({ siteUrl, distFolder }, manifest, moved, writer).surplus);
}

function locationsIn(file: string): string[] {
  const xml = readFileSync(path.join(distFolder, file), 'utf8');
  return [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, text = '']) => text);
}

/** The pages that the index leads to. */
function pagesInSitemaps(): number[] {
  const maps = locationsIn('sitemap-index.xml').map((url) => url.replace(`${siteUrl}/`, ''));
  return maps
    .flatMap((map) => locationsIn(map))
    .map(Number)
    .toSorted((a, b) => a - b);
}

const upTo = (pages: number): number[] => Array.from({ length: pages }, (_, page) => page);

it('rewrites the sitemap that a changed page is in, and no other', () => {
  for (const page of upTo(1500)) put(page);
  write(undefined);
  const maps = readdirSync(distFolder).filter((file) => /^sitemap-\d+\.xml$/.test(file));
  const before = maps.map((file) => readFileSync(path.join(distFolder, file), 'utf8'));
  write([put(7, '<lastmod>2026-11-20</lastmod>')]);
  const changed = maps.filter((file, i) => readFileSync(path.join(distFolder, file), 'utf8') !== before[i]);
  expect(changed).toHaveLength(1);
  expect(pagesInSitemaps()).toEqual(upTo(1500));
});

it('has every page once when pages come and more sitemaps are needed, and when they go again', () => {
  for (const page of upTo(1000)) put(page);
  write(undefined);
  write([put(1000)]);
  expect(existsSync(path.join(distFolder, 'sitemap-1.xml'))).toBe(true);
  expect(pagesInSitemaps()).toEqual(upTo(1001));
  manifest.remove(fileOf(1000));
  write([fileOf(1000)]);
  expect(existsSync(path.join(distFolder, 'sitemap-1.xml'))).toBe(false);
  expect(pagesInSitemaps()).toEqual(upTo(1000));
});

it('brings back a sitemap that somebody has deleted', () => {
  for (const page of upTo(1500)) put(page);
  write(undefined);
  rmSync(path.join(distFolder, 'sitemap-3.xml'));
  write([]);
  expect(pagesInSitemaps()).toEqual(upTo(1500));
});
