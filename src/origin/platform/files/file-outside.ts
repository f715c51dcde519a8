import { SortimentError } from '#contracts/index.ts';

/** A path that leads out of the files it is asked of. */
export function fileOutside(path: string): SortimentError {
  return new SortimentError('FILE_OUTSIDE', `"${path}" does not lie in the folder of files.`, {
    hint: 'Name files by paths below that folder.',
  });
}
