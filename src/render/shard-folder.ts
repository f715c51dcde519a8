import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildPaths } from '#config/build-paths.ts';
import type { Settings } from '#config/index.ts';
import type { PageWriter } from '#files/page-writer.ts';
import { removeManifest, type BuildManifest, type BuildState } from './manifest/build-manifest.ts';
import type { Shard } from './shard.ts';

/** Summary of a build, in the site's folder. */
export const BUILD_FILE = 'build.json';
/** Files in a shard's folder: its number, and the manifest of its pages. */
export const SHARD_FILE = '.shard.json';
export const SHARD_MANIFEST = '.shard-pages.sqlite';

/** Empties the folder, so that a shard contains only its own pages. */
export function prepareShardFolder(settings: Settings): void {
  const { distFolder } = settings;
  mkdirSync(distFolder, { recursive: true });
  for (const name of readdirSync(distFolder))
    if (name !== '.git') rmSync(path.join(distFolder, name), { recursive: true, force: true });
  removeManifest(buildPaths(settings).manifestFile);
}

/**
 * Stores what the merge needs next to the pages of a shard. The merge generates what all pages share. The manifest is
 * moved and closed, so that no later build treats the shard as a site.
 */
export function finishShard(
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
  const write = (file: string, content: object): void =>
    writeFileSync(path.join(distFolder, file), `${JSON.stringify(content)}\n`);
  write(BUILD_FILE, { digest, pages: manifest.countPages() });
  write(SHARD_FILE, { ...shard, ownBase });
  manifest.commit({ ...state, others, complete: true });
  manifest.close();
  renameSync(buildPaths(settings).manifestFile, path.join(distFolder, SHARD_MANIFEST));
  writer.close();
}
