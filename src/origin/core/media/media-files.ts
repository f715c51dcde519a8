import { join } from 'node:path';
import { diskFiles, type FileStore } from '../../files/index.ts';
import type { OriginContext } from '../../origin-context.ts';

/** The files of the publishing site, which are served below `/uploads/`. */
export function mediaFiles({ filesFolder }: Pick<OriginContext, 'filesFolder'>): FileStore {
  return diskFiles(join(filesFolder, 'uploads'));
}
