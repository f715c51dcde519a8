import { existsSync, readFileSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { buildPaths } from '#config/build-paths.ts';
import type { Settings } from '#config/index.ts';
import { PACKAGE_FOLDER } from '#files/package-folder.ts';
import { filesIn, hasFileOfSize, readPage } from '#files/built-files.ts';
import { addReferredFiles } from '#generated/referred-files.ts';
import { listStaleSources } from '#catalogue/read-model/with-snapshot.ts';
import { z } from 'zod';
import { precompress, uncompressedFile, acceptsPrecompressed } from '#generated/hosts/precompress.ts';
import { updateGeneratedFiles } from '#generated/update-files.ts';
import { findReferences } from '#generated/scan/read-head.ts';
import { writeSitemaps } from '#generated/sitemaps/sitemap.ts';
import type { BuildState, BuildManifest } from './manifest/build-manifest.ts';
import { BUILD_FILE, SHARD_FILE, SHARD_MANIFEST, type Shard } from './shard.ts';
import type { UpdatedPages } from './update-pages.ts';
import type { AstroIntegrationLogger } from 'astro';
import { outputPath, sitePath } from '#catalogue/addresses/site-paths.ts';
import type { PageWriter } from '#files/page-writer.ts';
import { GENERATORS } from '#generated/generators.ts';
import type { OverlayEntries } from '#generated/overlays.ts';
import type { ProductIndexChanges } from '#catalogue/read-model/update-product-index.ts';
import type { ProductReaders } from '#catalogue/read-model/product-readers.ts';
import type { SnapshotReader } from '#snapshot/index.ts';

export interface FinishBuildOptions {
  /** Contains the current pages; its transaction is open. */
  manifest: BuildManifest;
  state: BuildState;
  updated: UpdatedPages;
  /** Product readers, and the changes since the last build; undefined if anything may have changed. */
  host: ProductReaders;
  changes: ProductIndexChanges | undefined;
  /** Reads the editorial overlays of products; called on demand. */
  overlays: () => OverlayEntries;
  snapshot: SnapshotReader;
  writer: PageWriter;
  digest: string | undefined;
  /** References of files that are not pages; undefined if Vite has just written its files and copied `public/`. */
  others: string[] | undefined;
  /** Set for a shard build; the merge then generates everything but pages. */
  shard?: Shard | undefined;
  logger: Pick<AstroIntegrationLogger, 'info' | 'warn'>;
}

const packageFile = z.object({ version: z.string() });

/** True if a file may contain references to images, documents and Vite's files. */
export const isTextFile = (file: string): boolean => /\.(html|xml|json|css|js|txt)$/.test(file);

/**
 * Generates files and everything they and the pages refer to, writes the sitemaps, removes unreferenced files, and
 * commits the manifest. For a shard, only records what the merge needs.
 */
export async function finishBuild(settings: Settings, options: FinishBuildOptions): Promise<void> {
  const { manifest, updated, snapshot, writer, logger } = options;
  const { distFolder } = settings;
  const isCompressed = acceptsPrecompressed(settings.options.host);
  const fresh = options.others ? [] : listNewFiles(settings, writer.begunMs);
  const others = options.others ?? (await scanFiles(distFolder, fresh));
  if (options.shard) return finishShard(settings, { ...options, others, shard: options.shard });
  const publicFiles = new Set(filesIn(path.join(settings.root, 'public')));
  const generated = await generateFiles(settings, publicFiles, options);
  const present = new Set(
    updated.after ? [...updated.after, ...generated.after] : [...manifest.references(), ...others],
  );
  // File names contain a content hash, so files of an earlier finished build are up to date.
  const isMissing = (pathname: string) => !updated.before || !existsSync(path.join(distFolder, fileOf(pathname)));
  const missing = [...present].filter(isMissing);
  await addReferredFiles(settings, missing, {
    distFolder: path.join(writer.folder, outputPath(sitePath('/'))),
    snapshot,
    logger,
  });
  writeJson(path.join(writer.folder, BUILD_FILE), describeBuild(settings, options));
  const sitemaps = writeSitemaps(settings, manifest, updated.moved, writer);
  for (const file of filesIn(writer.folder)) if (file !== BUILD_FILE) writer.place(file);
  if (updated.before && options.others) {
    const otherReferences = new Set(others);
    const isNeeded = (pathname: string) =>
      present.has(pathname) || otherReferences.has(pathname) || (updated.after && manifest.isReferredTo(pathname));
    const before = new Set([...updated.before, ...generated.before]);
    const orphans = [...before].filter((pathname) => !isNeeded(pathname)).map(fileOf);
    // A removed page may have been replaced, for example by a redirect.
    const isTaken = (file: string) => manifest.isPage(file) || manifest.generated.file(file) !== undefined;
    const obsolete = [...updated.gone, ...generated.gone, ...orphans].filter((file) => !isTaken(file));
    removeFiles(distFolder, [...obsolete, ...sitemaps.surplus]);
  } else {
    const files = [...manifest.files(), ...manifest.generated.files(), ...sitemaps.names];
    const referred = [...present].map(fileOf);
    const expected = new Set([...files, ...referred, ...fresh, ...publicFiles, BUILD_FILE]);
    const isExpected = (file: string): boolean =>
      expected.has(file) || (isCompressed && expected.has(uncompressedFile(file) ?? ''));
    // Preserves files that other integrations have written in this build.
    const isEarlier = (file: string): boolean => statSync(path.join(distFolder, file)).mtimeMs < writer.begunMs;
    const found = filesIn(distFolder).filter((file) => !/^\.git(\/|$)/.test(file));
    removeFiles(
      distFolder,
      found.filter((file) => !isExpected(file) && isEarlier(file)),
    );
  }
  writer.place(BUILD_FILE);
  writer.close();
  if (isCompressed) await precompress(distFolder);
  manifest.commit({ ...options.state, others, complete: true });
}

/** Returns the file that a page refers to: of Vite, or of the catalogue. */
function fileOf(pathname: string): string {
  return pathname.startsWith('/_astro/') ? pathname.slice(1) : outputPath(sitePath(pathname));
}

/** Returns the content of `build.json`, which tells a sync what is live. */
function describeBuild({ base }: Settings, { digest, manifest, snapshot }: FinishBuildOptions): object {
  const { version } = packageFile.parse(JSON.parse(readFileSync(path.join(PACKAGE_FOLDER, 'package.json'), 'utf8')));
  const stale = listStaleSources(snapshot);
  return {
    digest,
    pages: manifest.countPages(),
    built: new Date().toISOString(),
    version,
    ...(base !== '/' && { base }),
    ...(stale.length > 0 && { stale }),
  };
}

function writeJson(file: string, content: object): void {
  writeFileSync(file, `${JSON.stringify(content)}\n`);
}

/**
 * Stores what the merge needs next to the pages of a shard. The merge generates what all pages share. The manifest is
 * moved and closed, so that no later build treats the shard as a site.
 */
function finishShard(
  settings: Settings,
  { manifest, state, writer, digest, others, shard }: FinishBuildOptions & { others: string[]; shard: Shard },
): void {
  const { distFolder, ownBase } = settings;
  writeJson(path.join(distFolder, BUILD_FILE), { digest, pages: manifest.countPages() });
  writeJson(path.join(distFolder, SHARD_FILE), { ...shard, ownBase });
  manifest.commit({ ...state, others, complete: true });
  manifest.close();
  renameSync(buildPaths(settings).manifestFile, path.join(distFolder, SHARD_MANIFEST));
  writer.close();
}

/** Returns the files that Vite has generated and copied in this build. */
export function listNewFiles({ root, distFolder }: Settings, begunMs: number): string[] {
  const assets = filesIn(path.join(distFolder, '_astro'), begunMs).map((file) => `_astro/${file}`);
  return [...assets, ...filesIn(path.join(root, 'public'))];
}

export async function scanFiles(distFolder: string, files: readonly string[]): Promise<string[]> {
  const texts = files.filter(isTextFile).map((file) => readFile(path.join(distFolder, file), 'utf8'));
  const found = (await Promise.all(texts)).flatMap(findReferences);
  // Vite's files refer only to files of this build, which are added below.
  const made = files.filter((file) => file.startsWith('_astro/')).map((file) => `/${file}`);
  return [...found.filter((pathname) => !pathname.startsWith('/_astro/')), ...made];
}

/** Removes files, and folders that become empty. */
export function removeFiles(distFolder: string, files: Iterable<string>): void {
  for (const file of files) {
    rmSync(path.join(distFolder, file), { force: true });
    try {
      for (let at = path.dirname(file); at !== '.'; at = path.dirname(at)) rmdirSync(path.join(distFolder, at));
    } catch {
      // The folder isn't empty.
    }
  }
}

function generateFiles(
  settings: Settings,
  publicFiles: ReadonlySet<string>,
  { host, overlays, snapshot, digest, manifest, updated, changes, writer, logger }: FinishBuildOptions,
): ReturnType<typeof updateGeneratedFiles> {
  const { distFolder } = settings;
  return updateGeneratedFiles(settings, {
    generators: GENERATORS,
    host: { productIndex: host.productIndex(), readProduct: host.readProduct, snapshot, digest, overlays },
    manifest: manifest.generated,
    // The manifest describes the files that the last build has left in the site.
    isReliable: updated.before !== undefined,
    changes,
    left: updated.gone,
    publicFiles,
    isPage: manifest.isPage,
    // With known changes, the site has been checked already.
    isThere: (file, bytes) => changes !== undefined || hasFileOfSize(distFolder, file, bytes),
    write: (file, bytes) => void writer.write(file, bytes),
    readPage: (file) => readPage(distFolder, file),
    warn: (message) => logger.warn(message),
  });
}
