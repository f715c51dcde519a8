import type { FileStore } from '#origin/platform/files/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';

/** The files of the publishing site, which are served below `/uploads/`. */
export function mediaFiles({ files }: Pick<OriginContext, 'files'>): FileStore {
  return files.uploads;
}
