import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Settings } from '#config/index.ts';

/** Folder of the copied snapshot. */
const folderOf = ({ home }: Pick<Settings, 'home'>) => path.join(home, 'drafts');
/** Names the process whose development server shows the drafts. */
const PID = 'pid';

/** Creates an empty folder for the copies of drafts of this process. */
export function createDraftsFolder(settings: Settings): string {
  const folder = folderOf(settings);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, PID), String(process.pid));
  return folder;
}

/** Removes copies of drafts, unless the development server of another process shows them. */
export function removeDrafts(settings: Settings): void {
  const folder = folderOf(settings);
  if (!existsSync(folder) || isShownElsewhere(path.join(folder, PID))) return;
  // Astro's store of the development server.
  for (const name of ['data-store.json', 'data-store'])
    rmSync(path.join(settings.root, '.astro', name), { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}

function isShownElsewhere(file: string): boolean {
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  if (!pid || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
