import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Settings } from '#config/index.ts';
import type { CollectionEntries } from '#catalogue/site/render-context.ts';
import type { BundlePlugin, BundleState } from './astro-internals.ts';
import type { BundleSources } from './fingerprint-project.ts';

export interface SourceCollector {
  plugin: BundlePlugin;
  /** Returns the files read so far, including the files behind the entries of these collections. */
  collected(collections: ReadonlyMap<string, CollectionEntries>): BundleSources;
}

const GLOB = 'import.meta.glob';
/** Type argument and patterns after the name. */
const GLOB_PATTERNS = /^(?:<[^(]*>)?\(\s*(\[[^\]]*\]|(['"`])[^'"`]*\2)/;
const QUOTED = /(['"`])([^'"`]+)\1/g;
const VARIABLE = /(?:import\.meta|process)\.env(?:\.(\w+)|\[['"](\w+)['"]\])/g;
const ENV_IMPORT = /import\s*\{([^{}]*)\}\s*from\s*['"]astro:env\/(?:client|server)['"]/g;
/** Matches code whose reads a build can't track: files, network, clock, random numbers. */
const UNRECORDED =
  /\b(?:from|import|require)\s{0,9}\(?\s{0,9}['"](?:node:)?(?:child_process|dns|fs|http|http2|https|net|os|tls)(?:\/promises)?['"]|\bfetch\s{0,9}\(|\bnew Date\(\s{0,9}\)|\bDate\.now\b|\bMath\.random\b/;
const SORTIMENT = path.resolve(import.meta.dirname, '../..');
const PAGE_FOLDERS = new Set([
  'analysis',
  'catalogue',
  'config',
  'contracts',
  'files',
  'i18n',
  'loaders',
  'model',
  'snapshot',
]);
const RELATIVE_IMPORT = /(?:from\s*|import\s*(?:\(\s*)?)['"](\.{1,2}\/[^'"]+)['"]/g;
/** A package in `node_modules`, up to its name. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;

/** Collects everything the bundler reads, except for files that builds write. */
export function collectSources({
  root,
  home,
  distFolder,
}: Pick<Settings, 'root' | 'home' | 'distFolder'>): SourceCollector {
  const outputFolders = [home, distFolder, path.join(root, '.astro')].map((folder) => path.join(folder, path.sep));
  const files = new Set<string>();
  const folders = new Set<string>();
  const variables = new Set<string>();
  const unrecorded = new Set<string>();
  const add = (id: string): void => {
    const file = fileOf(id);
    if (!path.isAbsolute(file) || outputFolders.some((folder) => file.startsWith(folder))) return;
    const inPackage = PACKAGE.exec(file.split(path.sep).join('/'))?.[0];
    if (inPackage !== undefined) files.add(path.join(inPackage, 'package.json'));
    else if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) folders.add(file);
    // Anything else is a virtual module.
    else if (existsSync(file)) files.add(file);
  };
  const plugin: BundlePlugin = {
    name: 'sortiment:sources',
    transform: {
      order: 'pre',
      handler: function (code, id) {
        if (id.includes('/node_modules/')) return;
        if (this.environment.name !== 'client' && UNRECORDED.test(code) && !isOfSortiment(fileOf(id)))
          unrecorded.add(fileOf(id));
        for (const call of code.split(GLOB).slice(1))
          for (const [, , pattern = ''] of (GLOB_PATTERNS.exec(call)?.[1] ?? '').matchAll(QUOTED)) {
            const folder = folderOf(pattern, id, root);
            if (folder !== undefined) folders.add(folder);
          }
        for (const [, dotted, quoted] of code.matchAll(VARIABLE)) variables.add(dotted ?? quoted ?? '');
        for (const [, names = ''] of code.matchAll(ENV_IMPORT))
          for (const name of names.split(',')) variables.add(name.trim().split(/\s/)[0] ?? '');
      },
    },
    configResolved: ({ plugins }) => {
      for (const other of plugins) watchFilesOf(other, (file) => add(path.resolve(root, file)));
    },
    buildEnd() {
      const importers = new Map<string, string[]>();
      for (const id of this.getModuleIds()) {
        add(id);
        if (this.environment.name === 'client') continue;
        importers.set(fileOf(id), [...(importers.get(fileOf(id)) ?? []), ...(this.getModuleInfo(id)?.importers ?? [])]);
      }
      // Iterating over a set includes values added during the iteration.
      for (const file of unrecorded) for (const id of importers.get(file) ?? []) unrecorded.add(fileOf(id));
    },
  };
  return {
    plugin,
    collected: (collections) => {
      for (const file of configImports(root)) files.add(file);
      for (const entries of collections.values())
        for (const entry of entries) {
          if (!('filePath' in entry) || typeof entry.filePath !== 'string') continue;
          files.add(path.resolve(root, entry.filePath));
          // A new entry may appear in any folder that the loader scans.
          const [top = ''] = entry.filePath.split(/[\\/]/);
          if (top !== '..') folders.add(path.resolve(root, top));
        }
      const name = nameIn(root);
      return {
        files: [...files].map(name).toSorted(),
        folders: [...folders].map(name).toSorted(),
        variables: [...variables].toSorted(),
        unrecorded: [...unrecorded]
          .filter((file) => path.isAbsolute(file))
          .map(name)
          .toSorted(),
      };
    },
  };
}

/** True for modules of Sortiment that pages use: their reads are recorded. */
function isOfSortiment(file: string): boolean {
  return PAGE_FOLDERS.has(path.relative(SORTIMENT, file).split(path.sep)[0] ?? '');
}

/** Returns the file of a module ID. */
function fileOf(id: string): string {
  return id.replace(/[?#].*$/s, '').replace(/^\/@fs(?=\/)/, '');
}

type Hook = 'load' | 'transform' | 'buildStart';

/** Returns a path relative to the project if it is inside. */
const nameIn =
  (root: string) =>
  (file: string): string => {
    const inside = path.relative(root, file).split(path.sep).join('/');
    return inside.startsWith('../') ? file : inside;
  };

type Handler = (this: object, ...args: unknown[]) => unknown;

const WATCHED = Symbol('heard');

/** Collects the files that a plugin watches, which the bundler does not expose. */
function watchFilesOf(plugin: object, report: (file: string) => void): void {
  if (WATCHED in plugin) return;
  Object.defineProperty(plugin, WATCHED, { value: true });
  for (const name of ['load', 'transform', 'buildStart'] satisfies Hook[]) {
    const hook: unknown = Reflect.get(plugin, name);
    if (isHandler(hook)) Reflect.set(plugin, name, wrapHandler(hook, report));
    else if (typeof hook === 'object' && hook !== null && 'handler' in hook && isHandler(hook.handler))
      Reflect.set(plugin, name, { ...hook, handler: wrapHandler(hook.handler, report) });
  }
}

function isHandler(value: unknown): value is Handler {
  return typeof value === 'function';
}

function wrapHandler(handler: Handler, report: (file: string) => void) {
  return function (this: object, ...args: unknown[]): unknown {
    const watch: unknown = Reflect.get(this, 'addWatchFile');
    if (typeof watch === 'function')
      Reflect.set(this, 'addWatchFile', (file: string) => {
        report(file);
        Reflect.apply(watch, this, [file]);
      });
    return Reflect.apply(handler, this, args);
  };
}

/** Returns the folder that a pattern of a glob import scans. */
function folderOf(pattern: string, importer: string, root: string): string | undefined {
  if (pattern.startsWith('!')) return undefined;
  const firstWildcard = pattern.search(/[*?{[(!]/);
  const start = firstWildcard < 0 ? pattern : pattern.slice(0, pattern.lastIndexOf('/', firstWildcard) + 1);
  const base = pattern.startsWith('/') ? path.join(root, start) : path.resolve(path.dirname(importer), start);
  return start === pattern ? path.dirname(base) : base;
}

/** Returns the project files that Astro's configuration imports: Node loads them, so the bundler doesn't see them. */
function configImports(root: string): Set<string> {
  const found = new Set<string>();
  const collect = (file: string): void => {
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(RELATIVE_IMPORT)) {
      const target = path.resolve(path.dirname(file), specifier);
      if (found.has(target) || !statSync(target, { throwIfNoEntry: false })?.isFile()) continue;
      found.add(target);
      // The fingerprint covers `src` anyway.
      if (!target.startsWith(path.join(root, 'src', path.sep))) collect(target);
    }
  };
  for (const ending of ['mjs', 'js', 'ts', 'mts']) {
    const config = path.join(root, `astro.config.${ending}`);
    if (existsSync(config)) collect(config);
  }
  return found;
}

/**
 * True if a page contains an image that Astro resizes at build time. Elsewhere, its image services return the URL of an
 * on-demand endpoint.
 */
export function hasUnoptimizedImage(page: string, { imageEndpoint }: Pick<BundleState, 'imageEndpoint'>): boolean {
  // The leading slash is dropped, because slashes are frequent in a page.
  return page.includes(`${imageEndpoint.slice(1)}?href=`);
}
