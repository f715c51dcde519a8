import { existsSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Settings } from '#config/index.ts';
import { filesIn } from '#files/built-files.ts';
import { finishSite } from '#generated/finish-site.ts';
import { precompress, sourceOf, wantsCompressed } from '#generated/hosts/precompress.ts';
import { readAnimationPath, readImagePath } from '#generated/images/image-path.ts';
import type { GeneratedFiles } from '#generated/index.ts';
import { readPreviewPath } from '#generated/previews/preview-path.ts';
import { findReferences } from '#generated/scan/scan-text.ts';
import { writeSitemaps } from '#generated/sitemaps/write-sitemaps.ts';
import { DOCUMENT_PREFIX } from '#product-index/document-path.ts';
import { languageCodes } from '#product-index/site-languages.ts';
import { beginFiles, type BeginFilesOptions } from './begin-files.ts';
import type { BuildState } from './manifest/build-manifest.ts';
import { noteFolders, productFolders } from './manifest/looks-intact.ts';
import { BUILD_FILE, endShard } from './shard-folder.ts';
import type { Shard } from './shard.ts';
import type { UpdatedPages } from './update-pages.ts';

export interface FinishBuildOptions extends Omit<BeginFilesOptions, 'isReliable' | 'areThere' | 'publicFiles'> {
  /** Of this build. */
  state: BuildState;
  /** The manifest holds the pages as they are now. */
  updated: Pick<UpdatedPages, 'gone' | 'before' | 'after' | 'moved'>;
  /** Generated files, where some were started while pages were rendered. */
  files?: GeneratedFiles | undefined;
  /** What the last build has noted of folders. */
  folders?: BuildState['folders'];
  /** What files refer to that are no pages; undefined when Vite has just written its own and copied `public/`. */
  others: string[] | undefined;
  /** Files of `public/`, if they are known. */
  publicFiles?: ReadonlySet<string>;
  /** Of which these are the pages: the merge makes the rest. */
  shard?: Shard | undefined;
}

/** Whether a file may refer to images, documents and what Vite has made. */
export const isText = (file: string): boolean => /\.(html|xml|json|css|js|txt)$/.test(file);

/**
 * Generates files and what they and the pages refer to, writes the sitemaps, removes what nothing
 * refers to any more, and closes the manifest's change. Of a shard, it only writes down what the merge has to know.
 */
export async function finishBuild(settings: Settings, options: FinishBuildOptions): Promise<void> {
  const { manifest, updated, snapshot, writer, digest, logger } = options;
  const { distFolder } = settings;
  const isCompressed = wantsCompressed(settings.options.host);
  const fresh = options.others ? [] : newFiles(settings, writer.begunMs);
  const others = options.others ?? (await scanFiles(distFolder, fresh));
  if (options.shard) return endShard(settings, options.shard, { ...options, others });
  const publicFiles = options.publicFiles ?? new Set(filesIn(path.join(settings.root, 'public')));
  const begun =
    options.files ??
    beginFiles(settings, { ...options, isReliable: updated.before !== undefined, areThere: false, publicFiles });
  const generated = await begun.finish(updated.gone);
  const present = new Set(
    updated.after ? [...updated.after, ...generated.after] : [...manifest.references(), ...others],
  );
  // Their names say what is in them, so those of an earlier build are right if it has finished.
  const isLacking = (place: string) => !updated.before || !existsSync(path.join(distFolder, place));
  const lacking = [...present].filter(isLacking);
  const scan = {
    pages: manifest.countPages(),
    images: lacking.flatMap((place) => readImagePath(place) ?? []),
    previews: lacking.flatMap((place) => readPreviewPath(place) ?? []),
    documents: lacking.filter((place) => place.startsWith(DOCUMENT_PREFIX) || readAnimationPath(place) !== undefined),
  };
  const finished = await finishSite(settings, { distFolder: writer.folder, digest, scan, snapshot, logger });
  for (const pathname of finished.missing) logger.warn(`${pathname} is linked, but not in the snapshot.`);
  for (const { path: place, reason } of [...finished.images.failed, ...finished.previews.failed])
    logger.warn(`${place} could not be made: ${reason}.`);
  logger.info(`${finished.images.total} images (${finished.images.made} new), ${finished.documents} documents`);
  const sitemaps = writeSitemaps(settings, manifest, updated.moved, writer);
  for (const file of filesIn(writer.folder)) if (file !== BUILD_FILE) writer.place(file);
  if (updated.before && options.others) {
    const elsewhere = new Set(others);
    const isNeeded = (place: string) =>
      present.has(place) || elsewhere.has(place) || (updated.after && manifest.isReferredTo(place));
    const before = new Set([...updated.before, ...generated.before]);
    const orphans = [...before].filter((place) => !isNeeded(place)).map((place) => place.slice(1));
    // Where a page has gone, another one may stand by now: one that leads on, or one that has come back.
    const isTaken = (file: string) => manifest.isPage(file) || manifest.generated.file(file) !== undefined;
    const left = [...updated.gone, ...generated.gone, ...orphans].filter((file) => !isTaken(file));
    removeFiles(distFolder, [...left, ...sitemaps.surplus]);
  } else {
    const files = [...manifest.files(), ...manifest.generated.sizes().map(([file]) => file), ...sitemaps.names];
    const referred = [...present].map((place) => place.slice(1));
    const expected = new Set([...files, ...referred, ...fresh, ...publicFiles, BUILD_FILE]);
    const isExpected = (file: string): boolean =>
      expected.has(file) || (isCompressed && expected.has(sourceOf(file) ?? ''));
    // What other integrations have written in this build stays.
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
  const languages = languageCodes(snapshot, settings.options);
  const folders = noteFolders(manifest, distFolder, productFolders(languages), options.folders);
  manifest.commit({ ...options.state, others, folders, complete: true });
}

/** What Vite has made and copied in this build. */
export function newFiles({ root, distFolder }: Settings, begunMs: number): string[] {
  const assets = filesIn(path.join(distFolder, '_astro'), begunMs).map((file) => `_astro/${file}`);
  return [...assets, ...filesIn(path.join(root, 'public'))];
}

export async function scanFiles(distFolder: string, files: readonly string[]): Promise<string[]> {
  const texts = files.filter(isText).map((file) => readFile(path.join(distFolder, file), 'utf8'));
  const found = (await Promise.all(texts)).flatMap(findReferences);
  // Those of Vite are what this build has made; what they refer to is among them.
  const made = files.filter((file) => file.startsWith('_astro/')).map((file) => `/${file}`);
  return [...found.filter((place) => !place.startsWith('/_astro/')), ...made];
}

/** Removes files, and the folders that are empty without them. */
export function removeFiles(distFolder: string, files: Iterable<string>): void {
  for (const file of files) {
    rmSync(path.join(distFolder, file), { force: true });
    try {
      for (let at = path.dirname(file); at !== '.'; at = path.dirname(at)) rmdirSync(path.join(distFolder, at));
    } catch {
      // It isn't empty.
    }
  }
}
