import { statSync } from 'node:fs';

/**
 * What tells, without reading a file, that it has been written again: its place, size, times and number on the disk.
 * Undefined where there is none.
 */
export function fileLooks(file: string): readonly [file: string, ...facts: number[]] | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat && [file, stat.size, stat.mtimeMs, stat.ctimeMs, stat.ino];
}
