import { hash } from 'node:crypto';
import { SortimentError } from '#contracts/index.ts';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { buildPaths } from '#config/build-paths.ts';
import type { Settings } from '#config/index.ts';
import { removeManifest } from './manifest/build-manifest.ts';

/** A part of a build: `index` from 1 to `count`. */
export interface Shard {
  index: number;
  count: number;
}

const MAX_SHARDS = 1000;
const PRODUCT_PAGE = /^([^/]+)\/p\/(?:.*-)?(\d{13})\/index\.html$/;

/**
 * Parses `3/16`.
 *
 * @throws SortimentError SHARD_INVALID
 */
export function parseShard(text: string): Shard {
  const [, index, count] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (index && count && index <= count && count <= MAX_SHARDS) return { index, count };
  throw new SortimentError('SHARD_INVALID', `"${text}" is not a shard.`, {
    hint: `Give number and count, such as 3/16; the count is at most ${MAX_SHARDS}.`,
  });
}

/** True if the shard renders a file. Products are assigned by GTIN and language, so that renaming moves none. */
export function isInShard(file: string, { index, count }: Shard): boolean {
  const [, language, gtin] = PRODUCT_PAGE.exec(file) ?? [];
  const key = gtin === undefined ? file : `${gtin} ${language}`;
  return hash('md5', key, 'buffer').readUInt32BE() % count === index - 1;
}

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
