import type { FileStore } from '../../files/index.ts';
import type { OriginContext } from '../../origin-context.ts';

/** The files of the publishing site, which are served below `/uploads/`. */
export function mediaFiles({ files }: Pick<OriginContext, 'files'>): FileStore {
  return files.uploads;
}
