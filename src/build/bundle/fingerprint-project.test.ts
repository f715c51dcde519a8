import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineConfig, resolveSettings, type Settings } from '#config/index.ts';
import { type BundleSources, fingerprintProject } from './sources.ts';

let root: string;
let settings: Settings;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'sortiment-sources-'));
  settings = resolveSettings(
    root,
    defineConfig({ site: { name: 'S', url: 'https://s.example' }, maker, mainLanguage }),
  );
  for (const [file, text] of Object.entries(FILES)) write(file, text);
  symlinkSync(path.join(root, 'src/a/b'), path.join(root, 'content/linked'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const maker = { name: 'M', address: ['A'], email: 'm@s.example' };
const mainLanguage = 'de-de';
const FILES = { 'src/pages/index.astro': '<p>', 'src/a/b/deep.ts': '1', 'content/x.mdx': 'x', 'package.json': '{}' };

let writes = 0;
function write(file: string, text: string): void {
  const place = path.join(root, file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, text);
  // Distinct times, even on file systems with coarse timestamps.
  utimesSync(place, writes, ++writes);
}

const now = () => fingerprintProject(settings, ['de-de']);

it.each<[string, () => void]>([
  ['a file is written', () => write('src/a/b/deep.ts', '2')],
  ['a file is added', () => write('src/a/new.ts', '1')],
  ['a file is removed', () => rmSync(path.join(root, 'content/x.mdx'))],
  ['a folder is moved', () => renameSync(path.join(root, 'src/a'), path.join(root, 'src/moved'))],
  ['a folder comes with files', () => write('public/images/a.svg', '<svg/>')],
  ['something in the root changes', () => write('package.json', '{"a":1}')],
  [
    'a link leads elsewhere',
    () => {
      rmSync(path.join(root, 'content/linked'));
      symlinkSync(path.join(root, 'src/pages'), path.join(root, 'content/linked'));
    },
  ],
])('changes after %s', (_, change) => {
  const before = now();
  change();
  expect(now()).not.toBe(before);
});

it('changes with a file elsewhere that a link leads to, and not with what is no source', () => {
  write('dist/elsewhere.mdx', '1');
  symlinkSync(path.join(root, 'dist/elsewhere.mdx'), path.join(root, 'content/from-elsewhere.mdx'));
  const before = now();
  write('other.txt', 'no source');
  expect(now()).toBe(before);
  write('dist/elsewhere.mdx', 'longer');
  expect(now()).not.toBe(before);
});

describe('with what the bundler has read', () => {
  const sources: BundleSources = {
    files: ['data/dealers.json', 'src/client/own.ts', 'src/pages/index.astro'],
    folders: ['notes'],
    variables: ['SHOP_NAME'],
    unrecorded: [],
  };
  const asked = () => fingerprintProject(settings, ['de-de'], sources);
  beforeEach(() => {
    for (const file of [
      'data/dealers.json',
      'data/other.json',
      'src/client/own.ts',
      'src/client/not.ts',
      'notes/a.json',
    ])
      write(file, '1');
  });
  afterEach(() => vi.unstubAllEnvs());

  it.each<[string, () => void]>([
    ['a file outside of src is written', () => write('data/dealers.json', '2')],
    ['a file of any folder is written', () => write('src/client/own.ts', '2')],
    ['a file is deleted', () => rmSync(path.join(root, 'data/dealers.json'))],
    ['a file comes that a glob import finds', () => write('notes/deep/b.json', '1')],
    ['a file goes that a glob import found', () => rmSync(path.join(root, 'notes/a.json'))],
    ['a lockfile changes', () => write('pnpm-lock.yaml', '1')],
    ['a variable that it reads changes', () => vi.stubEnv('SHOP_NAME', 'new')],
  ])('changes after %s', (_, change) => {
    const before = asked();
    change();
    expect(asked()).not.toBe(before);
  });

  it('is the same whatever else there is', () => {
    const before = asked();
    write('data/other.json', '2');
    write('src/client/not.ts', '2');
    vi.stubEnv('OTHER_NAME', 'new');
    expect(asked()).toBe(before);
  });
});

it('is the same whatever tests, demo and the built site are', () => {
  const before = now();
  for (const file of ['src/a/b.test.ts', 'src/e2e/x.ts', 'content/demo/p.json', 'dist/index.html', '.sortiment/x'])
    write(file, 'text');
  expect(now()).toBe(before);
});
