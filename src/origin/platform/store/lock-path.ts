import { join } from 'node:path';

/** The lock of a data folder; see `readLock`. */
export function lockPath(dataFolder: string): string {
  return join(dataFolder, 'lock');
}
