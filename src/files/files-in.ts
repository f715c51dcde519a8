import { existsSync, readdirSync, statSync } from 'node:fs';
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
