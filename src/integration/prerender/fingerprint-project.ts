import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Settings } from '../../config/index.ts';

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
export function fingerprintProject({ root, siteUrl }: Settings, languages: readonly string[]): string {
  const digest = createHash('sha1');
  const publicVariables = Object.entries(process.env).filter(([name]) => name.startsWith('PUBLIC_'));
  digest.update(JSON.stringify([root, siteUrl, languages, process.version, publicVariables.toSorted()]));
  for (const file of SOURCES.flatMap((source) => filesOf(root, source))) {
    if (!NO_SOURCE.test(file)) digest.update(`\n${file}\n`).update(readFileSync(path.join(root, file)));
  }
  return digest.digest('base64url');
}

/** Paths with slashes, relative to the root, in one order on every machine. */
function filesOf(root: string, source: string): string[] {
  const place = path.join(root, source);
  const stat = statSync(place, { throwIfNoEntry: false });
  if (!stat) return [];
  if (stat.isFile()) return [source];
  return readdirSync(place, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => filesOf(root, `${source}/${entry.name}`));
}
