import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Settings } from '../../config/index.ts';
import { fileLooks } from './file-looks.ts';

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

/** The same for a process that asks again and again: files are read again only when their sizes or times are others. */
export function keepFingerprint(): typeof fingerprintProject {
  let known: { looks: string; fingerprint: string } | undefined;
  return (settings, languages) => {
    const files = findSources(settings.root);
    const looks = JSON.stringify([
      describeProcess(settings, languages),
      files.map((file) => fileLooks(path.join(settings.root, file))),
    ]);
    if (known?.looks !== looks) known = { looks, fingerprint: fingerprintFiles(settings, languages, files) };
    return known.fingerprint;
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
  return SOURCES.flatMap((source) => filesOf(root, source)).filter((file) => !NO_SOURCE.test(file));
}

/** Paths with slashes, relative to the root, in one order on every machine. */
function filesOf(root: string, source: string): string[] {
  const stat = statSync(path.join(root, source), { throwIfNoEntry: false });
  if (!stat) return [];
  return stat.isFile() ? [source] : filesBelow(root, source);
}

function filesBelow(root: string, folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const place = `${folder}/${entry.name}`;
      if (entry.isFile()) return [place];
      if (NO_SOURCE.test(`${place}/`)) return [];
      // What is a link may lead to either.
      return entry.isDirectory() ? filesBelow(root, place) : filesOf(root, place);
    });
}
