import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../scripts/cli/command-names.ts';

type Arrows = Readonly<Record<string, readonly string[] | 'all'>>;

/** Folders of `src` that a folder may import from. Nothing imports commands, scripts or e2e. */
const ARROWS: Arrows = {
  contracts: [],
  files: [],
  analysis: ['contracts'],
  styles: [],
  config: ['contracts'],
  i18n: ['contracts'],
  client: ['contracts', 'files', 'config'],
  snapshot: ['contracts', 'files'],
  sync: ['contracts', 'files', 'config', 'client', 'snapshot'],
  catalogue: ['contracts', 'files', 'analysis', 'config', 'snapshot'],
  origin: ['contracts', 'files', 'analysis'],
  // Scripts that run in the visitor's browser, with types of the site's data.
  enhance: ['contracts', 'catalogue', 'i18n'],
  components: ['contracts', 'catalogue', 'i18n', 'styles', 'enhance'],
  pages: ['contracts', 'catalogue', 'i18n', 'components', 'styles', 'enhance'],
  generated: ['contracts', 'files', 'config', 'i18n', 'catalogue', 'components', 'snapshot'],
  build: ['contracts', 'files', 'config', 'i18n', 'catalogue', 'snapshot', 'sync', 'generated', 'origin'],
  commands: 'all',
  e2e: 'all',
};

/** The same for folders in `origin`: code shared by namespaces belongs to the platform. */
const ORIGIN_ARROWS: Arrows = {
  platform: ['platform'],
  namespaces: ['platform'],
  product: ['platform'],
  admin: ['platform', 'namespaces'],
  server: ['platform', 'namespaces', 'product', 'admin'],
  testing: 'all',
};

const SRC = import.meta.dirname;
const ROOT = path.dirname(SRC);

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|astro|mjs)$/.test(file))
    .map((file) => path.join(folder, file));
}

const ALL_IMPORTS = /(?:from\s+|import\s*\(\s*|import\s+|new URL\(\s*)['"]((?:\.{1,2}\/|#)[^'"]+)['"]/g;
/** Excludes types and dynamic imports. */
const LOADED_IMPORTS = /^(?:(?:import|export)\s+(?!type\s)[^;'"]*?from\s+|import\s+)['"]((?:\.{1,2}\/|#)[^'"]+)['"]/gm;

/** Returns the project files that a file imports, as paths from `src/`. */
function importsOf(file: string, imports = ALL_IMPORTS): string[] {
  const found = readFileSync(file, 'utf8').matchAll(imports);
  return [...found].map(([, target = '']) =>
    target.startsWith('#')
      ? path.normalize(target.slice(1))
      : path.relative(SRC, path.resolve(path.dirname(file), target)),
  );
}

/** Files that only tests use. */
const isForTests = (file: string): boolean => /\.test\.ts$|\/(?:testing|fixtures)\//.test(file);

/** Returns the folder of a file; inside of `origin`, its subfolder: `catalogue`, `origin/platform/store`. */
function folderOf(fromSrc: string): string {
  const [top = '', second = '', third = ''] = fromSrc.split(path.sep);
  if (top !== 'origin') return top;
  const isShared = second === 'platform' || second === 'namespaces';
  return [top, second, ...(isShared ? [third] : [])].join('/');
}

/** The same, with subfolders of `build`. */
const partOf = (file: string): string => /^build\/[^/]+\//.exec(file)?.[0] ?? folderOf(file);

/** Returns the imports between the program's files. */
function readImports(): Map<string, string[]> {
  const files = filesBelow(SRC).map((file) => path.relative(SRC, file));
  const known = new Set(files);
  return new Map(
    files
      .filter((file) => file.includes(path.sep) && !isForTests(file) && !file.startsWith('e2e'))
      .map((file) => [file, importsOf(path.join(SRC, file)).filter((target) => known.has(target))]),
  );
}

/** Returns all files loaded with some files, including them. */
function loadedWith(files: readonly string[]): ReadonlySet<string> {
  const loaded = new Set(files);
  // Iterating over a set includes values added during the iteration.
  for (const file of loaded)
    for (const target of importsOf(path.join(SRC, file), LOADED_IMPORTS))
      if (existsSync(path.join(SRC, target)) && /\.(ts|astro|mjs)$/.test(target)) loaded.add(target);
  return loaded;
}

/** Finds import cycles, including types. */
function findCycles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, way: readonly string[]): void => {
    const from = way.indexOf(file);
    if (from >= 0) found.push([...way.slice(from), file].join(' -> '));
    if (from >= 0 || done.has(file)) return;
    for (const target of imports.get(file) ?? []) visit(target, [...way, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  return found;
}

function unnamed(folder: string, arrows: Arrows): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory() && !(entry.name in arrows)).map(({ name }) => name);
}

describe('the house', () => {
  const imports = readImports();

  it('has only the folders that the arrows name', () => {
    expect([...unnamed(SRC, ARROWS), ...unnamed(path.join(SRC, 'origin'), ORIGIN_ARROWS)]).toEqual([]);
  });

  it('imports only along the arrows', () => {
    const forbidden = [...imports].flatMap(([file, targets]) =>
      targets
        .filter((target) => {
          const [from, to] = [file, target].map((place) => place.split(path.sep));
          if (from?.[0] !== to?.[0]) {
            const allowed = ARROWS[from?.[0] ?? ''] ?? [];
            return allowed !== 'all' && target.includes(path.sep) && !allowed.includes(to?.[0] ?? '');
          }
          if (from?.[0] !== 'origin' || folderOf(file) === folderOf(target)) return false;
          const allowed = ORIGIN_ARROWS[from[1] ?? ''] ?? [];
          return allowed !== 'all' && !allowed.includes(to?.[1] ?? '');
        })
        .map((target) => `${file} -> ${target}`),
    );
    expect(forbidden).toEqual([]);
  });

  it('uses test helpers, which packages lack, only in tests', () => {
    const commands = COMMANDS.map((name) => importsOf(path.join(ROOT, 'scripts', `${name}.ts`)));
    expect([...imports.values(), ...commands].flat().filter(isForTests)).toEqual([]);
  });

  it('has no two folders that import each other', () => {
    const arrows = new Set(
      [...imports].flatMap(([file, targets]) => targets.map((target) => `${partOf(file)} ${partOf(target)}`)),
    );
    const mutual = [...arrows].filter((arrow) => {
      const [from, to] = arrow.split(' ');
      return from !== to && arrows.has(`${to} ${from}`);
    });
    expect(mutual).toEqual([]);
  });

  it('leads a product from its interface to its page through five folders, without going back', () => {
    const walk = ['client', 'sync', 'snapshot', 'catalogue', 'pages'];
    const meet = (from: string, to: string) =>
      [...imports].some(
        ([file, targets]) =>
          (folderOf(file) === from && targets.some((target) => folderOf(target) === to)) ||
          (folderOf(file) === to && targets.some((target) => folderOf(target) === from)),
      );
    const steps = walk.flatMap((from, at) => walk.slice(at + 1).filter((to) => meet(from, to)));
    // Each folder meets only the next.
    expect(steps).toEqual(walk.slice(1));
    const fetched = [...loadedWith(['sync/products/fetch-products.ts'])];
    expect(new Set(fetched.map(folderOf))).toEqual(new Set(['sync', 'client', 'contracts', 'files', 'snapshot']));
    // In `sync`, what product records need doesn't lead back to them.
    const returning = fetched.filter(
      (file) =>
        !file.startsWith('sync/products/') && imports.get(file)?.some((target) => target.startsWith('sync/products/')),
    );
    expect(returning).toEqual([]);
  });

  it('has no circle of files, types included', () => {
    expect(findCycles(imports)).toEqual([]);
    // Verifies that a cycle is found.
    expect(findCycles(new Map(Object.entries({ a: ['b'], b: ['c'], c: ['a'], d: ['a'] })))).toEqual([
      'a -> b -> c -> a',
    ]);
  });

  it('loads no routes for a page, or for a build of few pages: their schemas take long to load', () => {
    const pages = filesBelow(path.join(SRC, 'pages')).map((file) => path.relative(SRC, file));
    // Includes dynamic imports.
    const builds = [
      'commands/build/build-site.ts',
      'build/rebuild-site.ts',
      'build/render-worker.ts',
      'generated/search/article-records.ts',
      'build/collections/snapshot-loaders.ts',
    ];
    const declaresRoutes = (file: string) =>
      /^contracts\/(?!route\.ts)/.test(file) &&
      /\b(?:route|readRoute|updateRoute|writeRoute|resourceRoutes)(?:<[^(]*>)?\(/.test(
        readFileSync(path.join(SRC, file), 'utf8'),
      );
    const isForOthers = (file: string) => declaresRoutes(file) || file === 'contracts/import.ts';
    expect([...loadedWith([...pages, ...builds])].filter(isForOthers)).toEqual([]);
    // Readers of the interfaces do load them.
    expect([...loadedWith(['sync/run-sync.ts'])].filter(declaresRoutes)).toEqual(
      expect.arrayContaining(['contracts/core/routes.ts', 'contracts/product/routes.ts']),
    );
  });

  it('loads neither schemas nor modules of Node in the browser', () => {
    const scripts = filesBelow(path.join(SRC, 'enhance')).filter((file) => !file.endsWith('.test.ts'));
    const loaded = [...loadedWith(scripts.map((file) => path.relative(SRC, file)))];
    const packages = loaded.flatMap((file) =>
      [
        ...readFileSync(path.join(SRC, file), 'utf8').matchAll(/^import\s+(?!type\s)[^;'"]*?from\s+'([^.#'][^']*)'/gm),
      ].map(([, name = '']) => name),
    );
    expect([...new Set(packages)]).toEqual(['client-zip']);
  });

  it('logs no values of statements in the origin: they may be secrets or whole texts', () => {
    const logged = filesBelow(path.join(SRC, 'origin'))
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\blog\(\s*`[^`]*`/g)].map(([call]) => call));
    expect(logged.filter((call) => call.includes('describeError(')).length).toBeGreaterThan(5);
    expect(logged.filter((call) => /messageOf\(|String\(\w|\.message\b/.test(call))).toEqual([]);
  });

  it('names other folders from the top, instead of climbing to them', () => {
    const climbing = [...imports.keys()].filter((file) =>
      [...readFileSync(path.join(SRC, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].some(
        ([, target = '']) => {
          const place = path.join(path.dirname(file), target);
          return !place.startsWith('..') && folderOf(place) !== folderOf(file);
        },
      ),
    );
    expect(climbing).toEqual([]);
  });

  it('keeps the site off the network and off the origin', () => {
    const site = ['pages', 'components', 'i18n', 'catalogue'].flatMap((room) => filesBelow(path.join(SRC, room)));
    const reaching = site.filter((file) =>
      /from ['"](undici|node:https?|node:net)['"]|\bfetch\(/.test(readFileSync(file, 'utf8')),
    );
    expect(reaching.filter((file) => !file.endsWith('.test.ts')).map((file) => path.relative(SRC, file))).toEqual([]);
    // The read model opens databases. Builds hand it to pages.
    const pages = filesBelow(path.join(SRC, 'pages')).map((file) => path.relative(SRC, file));
    const usesDatabases = (file: string) => /from ['"]node:sqlite['"]/.test(readFileSync(path.join(SRC, file), 'utf8'));
    expect([...loadedWith(pages)].filter(usesDatabases)).toEqual([]);
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
