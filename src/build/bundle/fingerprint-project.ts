import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Settings } from '#config/index.ts';
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
  /** Names of environment variables that it reads. */
  variables: z.array(z.string()),
  /** Modules with unrecorded reads (files, network, clock), and their importers. */
  unrecorded: z.array(z.string()),
});

export type BundleSources = z.output<typeof bundleSources>;

const NO_SOURCES: BundleSources = { files: [], folders: [], variables: [], unrecorded: [] };
