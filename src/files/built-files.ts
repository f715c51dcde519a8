import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** Lists the files below a folder as relative paths with slashes; empty if the folder doesn't exist. */
export function filesIn(folder: string, sinceMs = 0): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => sinceMs === 0 || statSync(file).mtimeMs >= sinceMs)
    .map((file) => path.relative(folder, file).split(path.sep).join('/'));
}

/** Lists the files of a built site as relative paths, without hidden files. */
export function siteFiles(folder: string): string[] {
  return filesIn(folder).filter((file) => !file.startsWith('.'));
}

/** True if a folder contains a file of this size. */
export function hasFileOfSize(folder: string, file: string, bytes: number): boolean {
  // Called for thousands of files, for which path.join takes as long as the check itself.
  return statSync(`${folder}/${file}`, { throwIfNoEntry: false })?.size === bytes;
}

/**
 * Returns metadata that changes whenever a file is rewritten: path, size, times and inode. Undefined if the file
 * doesn't exist.
 */
export function fileSignature(file: string): readonly [file: string, ...stats: number[]] | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat && [file, stat.size, stat.mtimeMs, stat.ctimeMs, stat.ino];
}

/** Reads a built page; undefined if the file doesn't exist. */
export function readPage(folder: string, file: string): string | undefined {
  const filePath = path.join(folder, file);
  return existsSync(filePath) ? readFileSync(filePath, 'utf8') : undefined;
}
