import path from 'node:path';
import { existsSync, readFileSync, statSync, readdirSync } from 'node:fs';
import type { Settings } from '#config/index.ts';
import type { CollectionEntries } from '#catalogue/site/render-context.ts';
import type { VitePlugin, BundleState } from './astro-internals.ts';
import { createHash } from 'node:crypto';
import { z } from 'zod';

/** Folders that builds read or copy directly; the bundler names all other sources. */
const FOLDERS = ['src', 'content', 'public'];
/** Configuration and lockfiles in the root. */
const ROOT_FILE = /^\.env|\.([cm]?[jt]s|jsonc?|ya?ml|toml|lockb?)$/;

/** Files that don't affect pages unless the bundler names them: tests, and code that affects only the snapshot. */
const NO_SOURCE = /\.test\.ts$|^src\/(e2e|origin|sync|client)\/|^content\/(demo|assortment)\//;

/** Subfolders to ignore in other folders. */
const NO_SOURCE_FOLDER = /\/(node_modules|\.git)\/$/;

/**
 * Hashes every input of a build except the snapshot: project files, versions, site URL and languages, independent of
 * the project's location. While it is unchanged, a cached bundle renders the same output as a new one.
 */
export function fingerprintProject(
  settings: Settings,
  languages: readonly string[],
  sources: BundleSources = NO_SOURCES,
): string {
  const { root } = settings;
  const digest = createHash('sha1').update(describeProcess(settings, languages, sources));
  for (const file of findSources(root, sources))
    digest.update(`\n${file}\n`).update(readBytes(path.resolve(root, file)));
  for (const name of namesIn(root, sources)) digest.update(`\n${name}`);
  return digest.digest('base64url');
}

/** True if a source of a bundle was written since then, so that the bundle may contain either version. */
export function hasChangedSince(root: string, { files }: BundleSources, sinceMs: number): boolean {
  return files.some((file) => {
    const stat = statSync(path.resolve(root, file), { throwIfNoEntry: false });
    return stat === undefined || stat.mtimeMs >= sinceMs;
  });
}

/** Returns a marker for missing files that no file content equals. */
function readBytes(file: string): Buffer | string {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file) : '\0gone';
}

function describeProcess({ siteUrl }: Settings, languages: readonly string[], { variables }: BundleSources): string {
  const names = new Set(variables);
  const read = Object.entries(process.env).filter(([name]) => name.startsWith('PUBLIC_') || names.has(name));
  return JSON.stringify([siteUrl, languages, process.version, read.toSorted()]);
}

function findSources(root: string, { files }: BundleSources): Set<string> {
  return new Set([...walkSources(root), ...files]);
}

/** Returns the names of all files in folders in which a new file may become a source. */
function namesIn(root: string, { folders }: BundleSources): string[] {
  return folders.flatMap((folder) =>
    [...walk(path.resolve(root, folder), '.', NO_SOURCE_FOLDER)].map((name) => path.posix.join(folder, name)),
  );
}

function* walkSources(root: string): Generator<string> {
  for (const folder of FOLDERS) yield* walk(root, folder, NO_SOURCE);
  for (const name of readdirSync(root).toSorted())
    if (ROOT_FILE.test(name) && statSync(path.join(root, name), { throwIfNoEntry: false })?.isFile()) yield name;
}

/** Yields paths with slashes, relative to the root, in the same order on every machine. */
function* walk(root: string, relative: string, ignored: RegExp, isFile = false): Generator<string> {
  // A link may point to a file or a folder.
  const stat = isFile ? undefined : statSync(path.join(root, relative), { throwIfNoEntry: false });
  if (stat?.isDirectory()) {
    if (ignored.test(`${relative}/`)) return;
    const entries = readdirSync(path.join(root, relative), { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
      yield* walk(root, `${relative}/${entry.name}`, ignored, entry.isFile());
  } else if ((isFile || stat) && !ignored.test(relative)) yield relative;
}

/** Sources of a bundle as reported by the bundler: paths relative to the project, or absolute outside of it. */
export const bundleSources = z.object({
  /** Modules, and files read by plugins. A package in `node_modules` is represented by its `package.json`. */
  files: z.array(z.string()),
  /** Folders in which a new file may become a source: those of glob imports and content collections. */
  folders: z.array(z.string()),
  variables: z.array(z.string()),
  /** Modules with unrecorded reads (files, network, clock), and their importers. */
  unrecorded: z.array(z.string()),
});

export type BundleSources = z.output<typeof bundleSources>;

const NO_SOURCES: BundleSources = { files: [], folders: [], variables: [], unrecorded: [] };

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
const PAGE_FOLDERS = new Set(['analysis', 'catalogue', 'config', 'contracts', 'files', 'i18n', 'snapshot']);
const RELATIVE_IMPORT = /(?:from\s*|import\s*(?:\(\s*)?)['"](\.{1,2}\/[^'"]+)['"]/g;
/** A package in `node_modules`, up to its name. */
const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;

/** Collects everything the bundler reads, except for files that builds write. */
export function collectSources({ root, home, distFolder }: Pick<Settings, 'root' | 'home' | 'distFolder'>) {
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
  const plugin: VitePlugin = {
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
    /** Returns the files read so far, including the files behind the entries of these collections. */
    collected: (collections: ReadonlyMap<string, CollectionEntries>): BundleSources => {
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
export function fileOf(id: string): string {
  return id.replace(/[?#].*$/s, '').replace(/^\/@fs(?=\/)/, '');
}

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
  for (const name of ['load', 'transform', 'buildStart']) {
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
