import type { FileStore } from '#origin/platform/files/index.ts';
import { claimName, listFiles, removeEntry } from './file-journal.ts';
import { type FileName, describeSize, sizeName } from '#origin/platform/media/media-files.ts';
import type { PreparedMedia } from './prepare-media.ts';

export interface PlacedMedia {
  /** Path of the original: the name under which the files are listed until their row is written. */
  original: string;
  /** Path of the main file, for the row. */
  file: string;
  /** Base of the original's name. */
  base: string;
  mediaDetails: Record<string, unknown>;
}

/** Names that sizes and stand-ins get are not for originals. */
const GENERATED = /-(\d+x\d+|scaled|rotated)$/;

/**
 * Writes the files of a media item under a name that nothing else has. They stay listed as pending: call `removeEntry`
 * once the row is committed, `resolveFiles` when it failed. Where this fails itself, nothing of them stays.
 *
 * @param folder below the uploads folder: `2026/11`
 */
export async function placeFiles(
  files: FileStore,
  prepared: PreparedMedia,
  { folder, name }: { folder: string; name: FileName },
): Promise<PlacedMedia> {
  const base = await claimBase(files, folder, name);
  const { extension } = name;
  const own = { base, extension };
  const original = `${folder}/${base}.${extension}`;
  const { standIn, sizes, measured } = prepared;
  const file = standIn ? `${folder}/${base}${standIn.suffix}.${extension}` : original;
  const others = [
    ...Object.values(sizes).map((size) => [`${folder}/${sizeName(own, size)}`, size.bytes] as const),
    ...(standIn ? [[file, standIn.bytes] as const] : []),
  ];
  const started: string[] = [];
  try {
    await listFiles(files, original, { file, paths: [original, ...others.map(([path]) => path)] });
    started.push(original);
    if (!(await files.add(original, prepared.original))) {
      // It is somebody else's.
      started.pop();
      throw new Error(`${original} appeared while it was claimed.`);
    }
    for (const [path, bytes] of others) {
      started.push(path);
      await files.put(path, bytes);
    }
  } catch (error) {
    // No row names them yet. What can't be removed now stays listed, and goes later.
    await removePlaced(files, original, started).catch(() => undefined);
    throw error;
  }
  const described = Object.entries(sizes).map(([key, size]) => [key, describeSize(own, size, prepared.mimeType)]);
  return {
    original,
    file,
    base,
    mediaDetails: {
      ...measured,
      sizes: Object.fromEntries(described),
      ...(standIn ? { original_image: `${base}.${extension}` } : {}),
    },
  };
}

/** Removes files that were written, whole or in part, then their entry. */
async function removePlaced(files: FileStore, original: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) await files.remove(path);
  await removeEntry(files, original);
}

/** The name, or the first of `-1`, `-2`, … that is free. */
async function claimBase(files: FileStore, folder: string, { base, extension }: FileName): Promise<string> {
  for (let number = GENERATED.test(base) ? 1 : 0; ; number += 1) {
    const candidate = number === 0 ? base : `${base}-${number}`;
    const path = `${folder}/${candidate}.${extension}`;
    if ((await files.has(path)) || !(await claimName(files, path))) continue;
    // It may have come and been settled between the question and the claim.
    if (!(await files.has(path))) return candidate;
    await removeEntry(files, path);
  }
}
