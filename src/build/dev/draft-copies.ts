import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Settings } from '#config/index.ts';
import { acquireFileLock, isBusy } from '#files/file-lock.ts';

/** Folder of the copied snapshot. */
const folderOf = ({ home }: Pick<Settings, 'home'>) => path.join(home, 'drafts');
/** Locked while a development server shows the drafts. */
const LOCK = 'lock.sqlite';
let lock: Disposable | undefined;

/** Creates an empty folder for the copies of drafts of this process. */
export function createDraftsFolder(settings: Settings): string {
  const folder = folderOf(settings);
  lock?.[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
  lock = acquireFileLock(path.join(folder, LOCK));
  return folder;
}

/** Removes copies of drafts, unless the development server of another process shows them. */
export function removeDrafts(settings: Settings): void {
  const folder = folderOf(settings);
  if (!existsSync(folder)) return;
  lock?.[Symbol.dispose]();
  lock = undefined;
  try {
    acquireFileLock(path.join(folder, LOCK))[Symbol.dispose]();
  } catch (error) {
    if (isBusy(error)) return;
  }
  // Astro's store of the development server.
  for (const name of ['data-store.json', 'data-store'])
    rmSync(path.join(settings.root, '.astro', name), { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}
