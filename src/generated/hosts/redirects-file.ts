import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Settings } from '#config/index.ts';
import { hostsFolder } from './host-files.ts';

/** Its name in the folder of files for hosts. */
export const REDIRECTS_NAME = 'redirects.json';

const redirectTable = z.record(z.string(), z.string());

/** Where a build leaves the pages that have moved, for the local server and for scripts: `{from: to}`. */
export function redirectsFile(settings: Pick<Settings, 'home'>): string {
  return path.join(hostsFolder(settings), REDIRECTS_NAME);
}

/** @returns Where a path leads to, as the file says at that moment; a file that isn't there leads nowhere. */
export function readRedirects(file: string): (pathname: string) => string | undefined {
  let read: { mark: string; table: ReadonlyMap<string, string> } = { mark: '', table: new Map() };
  return (pathname) => {
    const stats = statSync(file, { throwIfNoEntry: false });
    const mark = stats ? `${stats.mtimeMs} ${stats.size}` : '';
    if (mark !== read.mark) read = { mark, table: stats ? readTable(file) : new Map() };
    return read.table.get(pathname);
  };
}

function readTable(file: string): ReadonlyMap<string, string> {
  return new Map(Object.entries(redirectTable.parse(JSON.parse(readFileSync(file, 'utf8')))));
}
