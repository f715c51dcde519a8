import type { FileStore } from '#origin/platform/files/file-store.ts';
import { claimName, recordEntry, removeEntry } from './file-journal.ts';
import { type FileName, describeSize, sizeName } from '#origin/platform/media/media-files.ts';
import type { PreparedMedia } from './prepare-media.ts';

export interface StoredMedia {
  /** Path of the original, which is also the key of the journal entry. */
  original: string;
  /** Path of the main file, as stored in the row. */
  file: string;
  /** File name of the original without extension. */
  base: string;
  mediaDetails: Record<string, unknown>;
}

/** Suffixes reserved for generated files. */
const GENERATED = /-(\d+x\d+|scaled|rotated)$/;

/**
 * Writes the files of a media item under a free name. They stay recorded in the journal: remove the entry once the row
 * is committed, or resolve it if the commit fails. On errors, all written files are removed.
 *
 * @param folder path relative to the uploads folder, such as `2026/11`
 */
export async function storeMediaFiles(
  files: FileStore,
  prepared: PreparedMedia,
  { folder, name }: { folder: string; name: FileName },
): Promise<StoredMedia> {
  const base = await reserveBase(files, folder, name);
  const { extension } = name;
  const originalName = { base, extension };
  const original = `${folder}/${base}.${extension}`;
  const { standIn, sizes, measured } = prepared;
  const file = standIn ? `${folder}/${base}${standIn.suffix}.${extension}` : original;
  const generated = [
    ...Object.values(sizes).map((size) => [`${folder}/${sizeName(originalName, size)}`, size.bytes] as const),
    ...(standIn ? [[file, standIn.bytes] as const] : []),
  ];
  const started: string[] = [];
  try {
    await recordEntry(files, original, { file, paths: [original, ...generated.map(([path]) => path)] });
    started.push(original);
    if (!(await files.add(original, prepared.original))) {
      // Another process wrote this file, so it must not be removed below.
      started.pop();
      throw new Error(`${original} was created by another process.`);
    }
    for (const [path, bytes] of generated) {
      started.push(path);
      await files.put(path, bytes);
    }
  } catch (error) {
    // Files that cannot be removed now stay in the journal and are removed later.
    await removeFiles(files, original, started).catch(() => undefined);
    throw error;
  }
  const sizeEntries = Object.entries(sizes).map(([key, size]) => [
    key,
    describeSize(originalName, size, prepared.mimeType),
  ]);
  return {
    original,
    file,
    base,
    mediaDetails: {
      ...measured,
      sizes: Object.fromEntries(sizeEntries),
      ...(standIn ? { original_image: `${base}.${extension}` } : {}),
    },
  };
}

/** Removes complete and partial files, then their journal entry. */
async function removeFiles(files: FileStore, original: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) await files.remove(path);
  await removeEntry(files, original);
}

/** Reserves the first free name, trying suffixes `-1`, `-2`, …. */
async function reserveBase(files: FileStore, folder: string, { base, extension }: FileName): Promise<string> {
  for (let number = GENERATED.test(base) ? 1 : 0; ; number += 1) {
    const candidate = number === 0 ? base : `${base}-${number}`;
    const path = `${folder}/${candidate}.${extension}`;
    if ((await files.has(path)) || !(await claimName(files, path))) continue;
    // Another process may have completed an upload of this name between the check and the reservation.
    if (!(await files.has(path))) return candidate;
    await removeEntry(files, path);
  }
}
