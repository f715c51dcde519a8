import { basename, dirname } from 'node:path/posix';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { readMediaFile } from '#origin/platform/content/read-media-file.ts';
import { sizesOf } from '#origin/platform/files/file-store.ts';
import { fitSize } from './make-image-sizes.ts';
import { sizeName } from './name-size.ts';
import { splitName } from './split-name.ts';

/** Paths of all files of a medium below the uploads folder, also of sizes that may have been made and not been kept. */
export function listMediaFiles(row: ContentRow): { original: string; paths: string[] } {
  const folder = dirname(row.file);
  const { details, originalName } = readMediaFile(row, '');
  const original = `${folder}/${originalName}`;
  const { width = 0, height = 0 } = details;
  const expected = sizesOf(width, height).map((size) =>
    sizeName(splitName(originalName), fitSize({ width, height }, size)),
  );
  const sizes = [...Object.values(details.sizes).map(({ file }) => basename(file)), ...expected];
  return { original, paths: [...new Set([original, row.file, ...sizes.map((name) => `${folder}/${name}`)])] };
}
