import { statSync } from 'node:fs';
import path from 'node:path';

/** Whether a file is in a folder, as far as its size tells. */
export function isThere(folder: string, file: string, bytes: number): boolean {
  return statSync(path.join(folder, file), { throwIfNoEntry: false })?.size === bytes;
}
