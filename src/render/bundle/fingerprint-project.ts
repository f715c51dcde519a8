import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, watch, type FSWatcher } from 'node:fs';
import path from 'node:path';
import type { Settings } from '#config/index.ts';
import { fileLooks } from '#files/built-files.ts';
import { NO_SOURCES, type BundleSources } from './bundle-sources.ts';

/** What builds read by themselves, or hand on as it is; what else pages are made of, the bundler names. */
const FOLDERS = ['src', 'content', 'public'];
/** Configuration and lockfiles of all kinds, in the root. */
const ROOT_FILE = /^\.env|\.([cm]?[jt]s|jsonc?|ya?ml|toml|lockb?)$/;

/** What is no part of pages unless the bundler names it: tests, and what reaches pages by way of the snapshot only. */
const NO_SOURCE = /\.test\.ts$|^src\/(e2e|origin|sync|client)\/|^content\/(demo|assortment)\//;

/**
 * Names everything but the snapshot that decides what a build gives: the project's files, its versions, its
 * address and its languages, wherever the project lies. As long as it is the same, a cached bundle renders what a new
 * one would.
 */
export function fingerprintProject(
  settings: Settings,
  languages: readonly string[],
  sources: BundleSources = NO_SOURCES,
): string {
  return fingerprintFiles(settings, languages, findSources(settings.root, sources), sources);
}

/** Whether something that a bundle was made of was written since then, so that nobody knows which of the two it was. */
export function hasChangedSince(root: string, { files }: BundleSources, sinceMs: number): boolean {
  return files.some((file) => {
    const stat = statSync(path.resolve(root, file), { throwIfNoEntry: false });
    return stat === undefined || stat.mtimeMs >= sinceMs;
  });
}

/**
 * How long a fingerprint is valid where the system reports changes, and where it doesn't. Some file systems, mostly
 * network ones, accept watchers and never report anything.
 */
const VALID_MS = { watched: 10_000, unwatched: 1000 };

/**
 * The same for a long-running process: files are checked when the system reports a change, or after some time, and read
 * again only if their sizes or times have changed.
 */
export function keepFingerprint(): typeof fingerprintProject {
  let known: { of: string; looks: string; fingerprint: string; at: number } | undefined;
  const watched = watchFolders();
  return (settings, languages, sources = NO_SOURCES) => {
    const { root } = settings;
    const of = `${root}\n${describeProcess(settings, languages, sources)}`;
    const validMs = watched.state() === 'same' ? VALID_MS.watched : VALID_MS.unwatched;
    if (known?.of === of && watched.state() !== 'changed' && Date.now() - known.at < validMs) return known.fingerprint;
    const owned = new Set([...sources.files, ...sources.folders].map((place) => place.split('/')[0]));
    const at = Date.now();
    // If this look fails, nothing is known.
    const before = known;
    known = undefined;
    // Before they are looked at, or a change between the two would be missed.
    watched.begin(
      findFolders(root, sources).map((folder) => path.resolve(root, folder)),
      (folder, name) =>
        folder !== root || name === '' || FOLDERS.includes(name) || ROOT_FILE.test(name) || owned.has(name),
    );
    const files = findSources(root, sources);
    const looks = JSON.stringify([
      of,
      files.map((file) => [file, fileLooks(path.resolve(root, file))]),
      namesIn(root, sources),
    ]);
    const fingerprint =
      before?.looks === looks ? before.fingerprint : fingerprintFiles(settings, languages, files, sources);
    known = { of, looks, fingerprint, at };
    return fingerprint;
  };
}

function fingerprintFiles(
  settings: Settings,
  languages: readonly string[],
  files: readonly string[],
  sources: BundleSources,
): string {
  const { root } = settings;
  const digest = createHash('sha1').update(describeProcess(settings, languages, sources));
  for (const file of files) digest.update(`\n${file}\n`).update(readBytes(path.resolve(root, file)));
  for (const name of namesIn(root, sources)) digest.update(`\n${name}`);
  return digest.digest('base64url');
}

/** What is gone has no bytes, which no file that was read has. */
function readBytes(file: string): Buffer | string {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file) : '\0gone';
}

function describeProcess({ siteUrl }: Settings, languages: readonly string[], { variables }: BundleSources): string {
  const names = new Set(variables);
  const read = Object.entries(process.env).filter(([name]) => name.startsWith('PUBLIC_') || names.has(name));
  return JSON.stringify([siteUrl, languages, process.version, read.toSorted()]);
}

/** In one order on every machine. */
function findSources(root: string, { files }: BundleSources): string[] {
  const walked = [...walkSources(root)].flatMap(({ place, isFolder }) =>
    isFolder || NO_SOURCE.test(place) ? [] : place,
  );
  return [...new Set([...walked, ...files])];
}

/** Names of all files in the folders in which another one may become a part of the bundle. */
function namesIn(root: string, { folders }: BundleSources): string[] {
  return folders.flatMap((folder) =>
    walkFolder(path.resolve(root, folder)).flatMap(({ place, isFolder }) => (isFolder ? [] : `${folder}/${place}`)),
  );
}

function walkFolder(folder: string): Place[] {
  return [...walk(folder, '.')].filter(({ place }) => !/(^|\/)(node_modules|\.git)\//.test(`${place}/`));
}

/** The root, and all folders that have sources or may have some. */
function findFolders(root: string, { files, folders }: BundleSources): string[] {
  const walked = [...walkSources(root)].flatMap(({ place, isFolder }) => (isFolder ? place : []));
  const below = folders.flatMap((folder) =>
    walkFolder(path.resolve(root, folder)).flatMap(({ place, isFolder }) => (isFolder ? path.join(folder, place) : [])),
  );
  const others = files.map((file) => path.dirname(file)).filter((folder) => existsSync(path.resolve(root, folder)));
  return [...new Set(['', ...walked, ...below, ...others].map((folder) => path.normalize(folder || '.')))];
}

/** A path with slashes, relative to the root. */
interface Place {
  place: string;
  isFolder: boolean;
}

/** In one order on every machine. */
function* walkSources(root: string): Generator<Place> {
  for (const folder of FOLDERS) yield* walk(root, folder);
  for (const name of readdirSync(root).toSorted())
    if (ROOT_FILE.test(name) && statSync(path.join(root, name), { throwIfNoEntry: false })?.isFile())
      yield { place: name, isFolder: false };
}

function* walk(root: string, place: string): Generator<Place> {
  const stat = statSync(path.join(root, place), { throwIfNoEntry: false });
  if (stat?.isDirectory()) yield* walkBelow(root, place);
  else if (stat) yield { place, isFolder: false };
}

function* walkBelow(root: string, folder: string): Generator<Place> {
  yield { place: folder, isFolder: true };
  const entries = readdirSync(path.join(root, folder), { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const place = `${folder}/${entry.name}`;
    if (entry.isFile()) yield { place, isFolder: false };
    else if (NO_SOURCE.test(`${place}/`)) continue;
    // What is a link may lead to either.
    else yield* entry.isDirectory() ? walkBelow(root, place) : walk(root, place);
  }
}

interface FolderWatch {
  /**
   * Watches the entries of these from now on, and no others; not what is in folders below.
   * @param matters Whether an entry of a folder does; its name is empty where the system gives none.
   */
  begin(folders: readonly string[], matters: (folder: string, name: string) => boolean): void;
  /** Of the folders since then, as far as the system tells; `unknown` where it refuses to. */
  state(): 'same' | 'changed' | 'unknown';
}

/** Tells whether something in some folders may have changed, without a look at any file. Keeps no process from ending. */
export function watchFolders(): FolderWatch {
  let watchers: FSWatcher[] = [];
  let state: ReturnType<FolderWatch['state']> = 'unknown';
  let isRefused = false;
  const end = (): void => {
    for (const watcher of watchers) watcher.close();
    watchers = [];
  };
  return {
    begin: (folders, matters) => {
      if (isRefused) return;
      // One that has been removed and made again is another, which its watcher knows nothing of.
      end();
      state = 'same';
      try {
        for (const folder of folders) {
          const watcher = watch(folder, { persistent: false }, (_, name) => {
            if (state === 'same' && matters(folder, name ?? '')) state = 'changed';
          });
          // Its folder may be gone.
          watcher.on('error', () => (state = 'changed'));
          watchers.push(watcher);
        }
      } catch (error) {
        end();
        state = 'unknown';
        // There are more folders than it watches for a user. To ask it again would take from others what is left.
        isRefused = !(error instanceof Error && 'code' in error && error.code === 'ENOENT');
      }
    },
    state: () => state,
  };
}
