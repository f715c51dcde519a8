import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
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

/** What is left out of other folders. */
const NO_SOURCE_FOLDER = /\/(node_modules|\.git)\/$/;

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
  const { root } = settings;
  const digest = createHash('sha1').update(describeProcess(settings, languages, sources));
  for (const file of findSources(root, sources))
    digest.update(`\n${file}\n`).update(readBytes(path.resolve(root, file)));
  for (const name of namesIn(root, sources)) digest.update(`\n${name}`);
  return digest.digest('base64url');
}

/** Whether something that a bundle was made of was written since then, so that nobody knows which of the two it was. */
export function hasChangedSince(root: string, { files }: BundleSources, sinceMs: number): boolean {
  return files.some((file) => {
    const stat = statSync(path.resolve(root, file), { throwIfNoEntry: false });
    return stat === undefined || stat.mtimeMs >= sinceMs;
  });
}

/** To check all sources takes longer than many a build. */
const VALID_MS = 1000;

/** The same for a long-running process: it looks at files at most once a second, and reads them when they look changed. */
export function keepFingerprint(): typeof fingerprintProject {
  let known: { of: string; sources: BundleSources; looks: string; fingerprint: string; at: number } | undefined;
  return (settings, languages, sources = NO_SOURCES) => {
    const { root } = settings;
    const of = `${root}\n${describeProcess(settings, languages, sources)}`;
    const at = performance.now();
    // The sources of a bundle are the same object until it is written again.
    const before = known?.of === of && known.sources === sources ? known : undefined;
    if (before && at - before.at < VALID_MS) return before.fingerprint;
    const files = [...findSources(root, sources)].map((file) => [file, fileLooks(path.resolve(root, file))]);
    const looks = JSON.stringify([files, namesIn(root, sources)]);
    const fingerprint = before?.looks === looks ? before.fingerprint : fingerprintProject(settings, languages, sources);
    known = { of, sources, looks, fingerprint, at };
    return fingerprint;
  };
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

function findSources(root: string, { files }: BundleSources): Set<string> {
  return new Set([...walkSources(root), ...files]);
}

/** Names of all files in the folders in which another one may become a part of the bundle. */
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

/** Paths with slashes, relative to the root, in one order on every machine. */
function* walk(root: string, place: string, leftOut: RegExp, isFile = false): Generator<string> {
  // A link may lead to a file or to a folder.
  const stat = isFile ? undefined : statSync(path.join(root, place), { throwIfNoEntry: false });
  if (stat?.isDirectory()) {
    if (leftOut.test(`${place}/`)) return;
    const entries = readdirSync(path.join(root, place), { withFileTypes: true });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
      yield* walk(root, `${place}/${entry.name}`, leftOut, entry.isFile());
  } else if ((isFile || stat) && !leftOut.test(place)) yield place;
}
