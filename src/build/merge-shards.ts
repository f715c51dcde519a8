import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { AstroIntegrationLogger } from 'astro';
import { z } from 'zod';
import { setBasePath } from '#catalogue/addresses/site-paths.ts';
import { withBasePath, type Settings } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import { openSnapshot, readDigest } from '#snapshot/index.ts';
import { buildPaths } from '#config/build-paths.ts';
import { siteFiles } from '#files/built-files.ts';
import { finishBuild } from './finish-build.ts';
import { openManifest } from './manifest/build-manifest.ts';
import { openUpdatedReaders } from '#catalogue/read-model/product-readers.ts';
import { readOverlays } from '#catalogue/read-model/read-overlays.ts';
import { openPageWriter } from '#files/page-writer.ts';
import { BUILD_FILE, SHARD_FILE, SHARD_MANIFEST } from './shard.ts';

/** `ownBase`: `Settings.ownBase` of its build. */
const shardFile = z.object({ index: z.int(), count: z.int(), ownBase: z.string().optional() });
const buildFile = z.object({ digest: z.string() });

/**
 * Merges shard builds: their pages, generated files, images, documents and sitemap. The snapshot must be the one they
 * were built from.
 *
 * @param folders The `dist` folder of each shard's build.
 * @throws SortimentError SHARD_INVALID (a folder isn't a shard), SHARDS_INCOMPLETE (one is missing or duplicated),
 * SHARDS_DIFFER (they have different snapshots or sources).
 */
export async function mergeShards(
  original: Settings,
  folders: readonly string[],
  logger: Pick<AstroIntegrationLogger, 'info' | 'warn'>,
): Promise<{ pages: number; digest: string }> {
  const shards = folders.map((folder) => readShardFolder(path.resolve(folder)));
  const first = checkShards(original, shards);
  const settings = withBasePath(original, first.ownBase);
  setBasePath(settings.base, settings.options.path);
  const { distFolder } = settings;
  mkdirSync(distFolder, { recursive: true });
  const writer = openPageWriter(distFolder);
  using snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
  using host = openUpdatedReaders(settings, undefined, snapshot);
  using manifest = openManifest(buildPaths(settings).manifestFile);
  try {
    const state = { ...first.state, distFolder, complete: false };
    manifest.begin(state, 'all');
    manifest.change();
    const files = new Set<string>();
    for (const { folder, manifest: pages } of shards) {
      for (const [file, page] of pages.pages()) {
        writer.write(file, readFileSync(path.join(folder, file)));
        manifest.put(file, page);
        files.add(file);
      }
      for (const { routes, ...read } of pages.asked.all())
        for (const { route, isScoped } of routes) manifest.asked.putRoute(route, [read], isScoped);
    }
    const gone = manifest.files().filter((file) => !files.has(file));
    for (const file of gone) manifest.remove(file);
    // Includes files of Vite, of `public/`, and of other integrations, such as redirects.
    const copied = new Set(files);
    for (const { folder } of shards.toSorted((a, b) => a.index - b.index))
      for (const file of siteFiles(folder).filter((name) => name !== BUILD_FILE && !copied.has(name))) {
        writer.write(file, readFileSync(path.join(folder, file)));
        copied.add(file);
      }
    const updated = { gone, before: undefined, after: undefined, moved: undefined };
    const { digest } = first;
    await finishBuild(settings, {
      manifest,
      state,
      updated,
      host,
      overlays: () => readOverlays(settings.root),
      snapshot,
      changes: undefined,
      writer,
      digest,
      logger,
      others: first.state.others,
    });
    return { pages: manifest.countPages(), digest };
  } finally {
    for (const shard of shards) shard.manifest.close();
  }
}

type LoadedShard = ReturnType<typeof readShardFolder>;

function readShardFolder(folder: string) {
  try {
    const file = path.join(folder, SHARD_MANIFEST);
    const manifest = existsSync(file) ? openManifest(file) : undefined;
    const state = manifest?.state();
    if (!manifest || !state?.complete) throw new Error('it has no list of pages');
    const { index, count, ownBase } = shardFile.parse(JSON.parse(readFileSync(path.join(folder, SHARD_FILE), 'utf8')));
    const { digest } = buildFile.parse(JSON.parse(readFileSync(path.join(folder, BUILD_FILE), 'utf8')));
    return { folder, index, count, digest, ownBase, manifest, state };
  } catch (cause) {
    throw new SortimentError('SHARD_INVALID', `${folder} is not the result of a shard build.`, {
      hint: 'Give the dist/ folders of `npm run build -- --shard 1/16` and so on, including hidden files.',
      cause,
    });
  }
}

/** @returns The first shard. */
function checkShards({ snapshotPath }: Settings, shards: readonly LoadedShard[]): LoadedShard {
  const first = shards.toSorted((a, b) => a.index - b.index)[0];
  const count = first?.count ?? 0;
  const missing = Array.from({ length: count }, (_, i) => i + 1).filter(
    (i) => !shards.some(({ index }) => index === i),
  );
  if (!first || missing.length > 0 || shards.length !== count) {
    const found = shards.map(({ index, count: shardCount }) => `${index}/${shardCount}`).join(', ') || 'none';
    throw new SortimentError('SHARDS_INCOMPLETE', `The shards are incomplete: ${found}.`, {
      hint:
        missing.length > 0 ? `Build ${missing.map((i) => `${i}/${count}`).join(', ')} as well.` : 'Give each one once.',
    });
  }
  const isSame = ({ digest, state }: LoadedShard) =>
    digest === first.digest && state.fingerprint === first.state.fingerprint;
  const digest = readDigest(snapshotPath);
  if (!shards.every(isSame) || digest !== first.digest) {
    throw new SortimentError('SHARDS_DIFFER', 'The shards and the snapshot belong to different catalogues.', {
      hint: 'Build all shards from one snapshot and one checkout, at the same path, and merge them with that snapshot.',
    });
  }
  return first;
}
