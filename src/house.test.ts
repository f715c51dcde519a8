import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

/** Which rooms a room may import from. `contracts` is open to all, `files` to all that run in Node; nothing imports integration, scripts or e2e. */
const ARROWS: Record<string, readonly string[] | 'all'> = {
  contracts: [],
  files: [],
  config: ['contracts'],
  client: ['contracts', 'files', 'config'],
  snapshot: ['contracts'],
  sync: ['contracts', 'files', 'config', 'client', 'snapshot'],
  import: ['contracts', 'files', 'config', 'client'],
  catalogue: ['contracts', 'loaders'],
  loaders: ['contracts', 'config', 'snapshot', 'catalogue'],
  origin: ['contracts', 'files'],
  i18n: ['contracts'],
  // Scripts that run in the reader's browser; with types of what the site gives them.
  enhance: ['contracts', 'catalogue'],
  components: ['contracts', 'catalogue', 'i18n', 'styles', 'enhance'],
  layouts: ['contracts', 'catalogue', 'i18n', 'components', 'styles'],
  pages: ['contracts', 'catalogue', 'i18n', 'components', 'layouts', 'styles', 'enhance'],
  styles: [],
  integration: 'all',
  e2e: 'all',
};

const SRC = import.meta.dirname;
const ROOT = path.dirname(SRC);

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|astro|mjs)$/.test(file))
    .map((file) => path.join(folder, file));
}

/** Relative imports of a file, static and dynamic, as paths from `src/`. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from\s+|import\s*\(\s*|import\s+|new URL\(\s*)['"](\.{1,2}\/[^'"]+)['"]/g)].map(
    ([, target = '']) => path.relative(SRC, path.resolve(path.dirname(file), target)),
  );
}

const roomOf = (fromSrc: string): string => fromSrc.split(path.sep)[0] ?? '';

describe('the house', () => {
  const rooms = readdirSync(SRC, { withFileTypes: true }).filter((entry) => entry.isDirectory());

  it('has only the rooms that the arrows name', () => {
    expect(rooms.map(({ name }) => name).filter((name) => !(name in ARROWS))).toEqual([]);
  });

  it.each(Object.entries(ARROWS))('%s imports only what it may', (room, allowed) => {
    if (allowed === 'all') return;
    const folder = path.join(SRC, room);
    const forbidden = filesBelow(folder)
      .filter((file) => !file.endsWith('.test.ts'))
      .flatMap((file) => importsOf(file).map((target) => ({ file: path.relative(SRC, file), target })))
      .filter(
        ({ target }) =>
          !target.startsWith('..') && target.includes(path.sep) && ![room, ...allowed].includes(roomOf(target)),
      )
      .map(({ file, target }) => `${file} -> ${target}`);
    expect(forbidden).toEqual([]);
  });

  it('keeps the site off the network and off the origin', () => {
    const site = ['pages', 'layouts', 'components', 'i18n', 'catalogue'].flatMap((room) =>
      filesBelow(path.join(SRC, room)),
    );
    const reaching = site.filter((file) =>
      /from ['"](undici|node:https?|node:sqlite|node:net)['"]|\bfetch\(/.test(readFileSync(file, 'utf8')),
    );
    expect(reaching.filter((file) => !file.endsWith('.test.ts')).map((file) => path.relative(SRC, file))).toEqual([]);
  });

  it('has no test that uses unseeded randomness: what fails once has to fail again', () => {
    const tests = [SRC, path.join(ROOT, 'scripts')].flatMap(filesBelow).filter((file) => file.endsWith('.test.ts'));
    const unseeded = ['Math', 'random'].join('.');
    const found = tests.filter((file) => readFileSync(file, 'utf8').includes(unseeded));
    expect(found.map((file) => path.relative(ROOT, file))).toEqual([]);
  });

  it('has no other top-level folder than the customer named', () => {
    const folders = readdirSync(ROOT, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .filter((name) => !['node_modules', 'dist', 'coverage'].includes(name));
    expect(folders.toSorted()).toEqual(['content', 'public', 'scripts', 'src']);
  });
});
