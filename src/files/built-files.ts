import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** Files below a folder with slashes, relative to it; none when there is no such folder. */
export function filesIn(folder: string, sinceMs = 0): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => sinceMs === 0 || statSync(file).mtimeMs >= sinceMs)
    .map((file) => path.relative(folder, file).split(path.sep).join('/'));
}

/** Files of a built site with slashes, relative to its folder; hidden ones are none of it. */
export function siteFiles(folder: string): string[] {
  return filesIn(folder).filter((file) => !file.startsWith('.'));
}

/** Whether a file is in a folder, as far as its size tells. */
export function isThere(folder: string, file: string, bytes: number): boolean {
  // Asked of thousands, for which to join paths takes as long as to look.
  return statSync(`${folder}/${file}`, { throwIfNoEntry: false })?.size === bytes;
}

/**
 * What tells, without reading a file, that it has been written again: its place, size, times and number on the disk.
 * Undefined where there is none.
 */
export function fileLooks(file: string): readonly [file: string, ...facts: number[]] | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat && [file, stat.size, stat.mtimeMs, stat.ctimeMs, stat.ino];
}

/** The text of a built page; undefined when there is no such file. */
export function readPage(folder: string, file: string): string | undefined {
  const place = path.join(folder, file);
  return existsSync(place) ? readFileSync(place, 'utf8') : undefined;
}
