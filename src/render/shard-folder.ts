import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildPaths } from '#config/build-paths.ts';
import type { Settings } from '#config/index.ts';
import type { PageWriter } from '#files/page-writer.ts';
import { removeManifest, type BuildManifest, type BuildState } from './manifest/build-manifest.ts';
import type { Shard } from './shard.ts';

/** What a build has made, in the site. */
export const BUILD_FILE = 'build.json';
/** In the folder of a shard: which one it is, and what is known of its pages. */
export const SHARD_FILE = '.shard.json';
export const SHARD_MANIFEST = '.shard-pages.sqlite';

/** Makes room for a shard, which has nothing in its folder but its own pages. */
export function beginShard(settings: Settings): void {
  const { distFolder } = settings;
  mkdirSync(distFolder, { recursive: true });
  for (const name of readdirSync(distFolder))
    if (name !== '.git') rmSync(path.join(distFolder, name), { recursive: true, force: true });
  removeManifest(buildPaths(settings).manifestFile);
}

/**
 * Puts beside the pages of a shard what the merge has to know of them. What all pages together need is made then. The
 * manifest moves there, and is closed: no later build may take the shard for a site.
 */
export function endShard(
  settings: Settings,
  shard: Shard,
  {
    manifest,
    state,
    writer,
    digest,
    others,
  }: {
    manifest: BuildManifest;
    state: BuildState;
    writer: Pick<PageWriter, 'close'>;
    digest: string | undefined;
    others: string[];
  },
): void {
  const { distFolder, ownBase } = settings;
  const write = (file: string, facts: object): void =>
    writeFileSync(path.join(distFolder, file), `${JSON.stringify(facts)}\n`);
  write(BUILD_FILE, { digest, pages: manifest.countPages() });
  write(SHARD_FILE, { ...shard, ownBase });
  manifest.commit({ ...state, others, complete: true });
  manifest.close();
  renameSync(buildPaths(settings).manifestFile, path.join(distFolder, SHARD_MANIFEST));
  writer.close();
}
