import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Settings } from '../../config/index.ts';
import { fileLooks } from './file-looks.ts';
import { watchFolders } from './watch-folders.ts';

/** What pages are made of, but for the snapshot. */
const SOURCES = [
  'src',
  'content',
  'public',
  'astro.config.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  '.env',
  '.env.local',
  '.env.production',
];

/** What no page is made of: tests, and what reaches pages by way of the snapshot only. */
const NO_SOURCE = /\.test\.ts$|^src\/(e2e|origin|sync|client)\/|^content\/(demo|assortment)\//;

/**
 * Names everything but the snapshot that decides what a build gives: the project's files, its versions, its place and
 * its languages. As long as it is the same, a kept bundle renders what a new one would.
 */
export function fingerprintProject(settings: Settings, languages: readonly string[]): string {
  return fingerprintFiles(settings, languages, findSources(settings.root));
}

/**
 * How long a look at the sources holds where the system tells of changes, and where it doesn't. Some file systems, of
 * other machines mostly, take the order and never tell.
 */
const LOOK_HOLDS_MS = { told: 10_000, untold: 1000 };

/**
 * The same for a process that asks again and again: files are looked at when the system tells of a change, or after some
 * time, and read again only when their sizes or times are others.
 */
export function keepFingerprint(): typeof fingerprintProject {
  let known: { of: string; looks: string; fingerprint: string; at: number } | undefined;
  const watched = watchFolders();
  return (settings, languages) => {
    const of = describeProcess(settings, languages);
    const holdsMs = watched.state() === 'same' ? LOOK_HOLDS_MS.told : LOOK_HOLDS_MS.untold;
    if (known?.of === of && watched.state() !== 'changed' && Date.now() - known.at < holdsMs) return known.fingerprint;
    const { root } = settings;
    const at = Date.now();
    // If this look fails, nothing is known.
    const before = known;
    known = undefined;
    // Before they are looked at, or a change between the two would be missed.
    watched.begin(
      findFolders(root).map((folder) => path.join(root, folder)),
      (folder, name) => folder !== root || name === '' || SOURCES.includes(name),
    );
    const files = findSources(root);
    const looks = JSON.stringify([of, files.map((file) => fileLooks(path.join(root, file)))]);
    const fingerprint = before?.looks === looks ? before.fingerprint : fingerprintFiles(settings, languages, files);
    known = { of, looks, fingerprint, at };
    return fingerprint;
  };
}

function fingerprintFiles(settings: Settings, languages: readonly string[], files: readonly string[]): string {
  const digest = createHash('sha1').update(describeProcess(settings, languages));
  for (const file of files) digest.update(`\n${file}\n`).update(readFileSync(path.join(settings.root, file)));
  return digest.digest('base64url');
}

function describeProcess({ root, siteUrl }: Settings, languages: readonly string[]): string {
  const publicVariables = Object.entries(process.env).filter(([name]) => name.startsWith('PUBLIC_'));
  return JSON.stringify([root, siteUrl, languages, process.version, publicVariables.toSorted()]);
}

function findSources(root: string): string[] {
  return [...walkSources(root)].flatMap(({ place, isFolder }) => (isFolder || NO_SOURCE.test(place) ? [] : place));
}

/** The root, and all folders that have sources or may have some. */
function findFolders(root: string): string[] {
  return ['', ...[...walkSources(root)].flatMap(({ place, isFolder }) => (isFolder ? place : []))];
}

/** A path with slashes, relative to the root. */
interface Place {
  place: string;
  isFolder: boolean;
}

/** In one order on every machine. */
function* walkSources(root: string): Generator<Place> {
  for (const source of SOURCES) yield* walk(root, source);
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
