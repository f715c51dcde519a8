import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Settings } from '../../config/index.ts';
import { SortimentError } from '../../contracts/index.ts';
import { buildPlaces } from './build-places.ts';

/**
 * Makes this the only build of the project until the lock is released. It is an open transaction on a file of its own,
 * so the operating system drops it when the process ends in whatever way.
 * @throws SortimentError BUILD_RUNNING
 */
export function lockBuild(settings: Settings): { release(): void } {
  const { lockFile } = buildPlaces(settings);
  mkdirSync(path.dirname(lockFile), { recursive: true });
  const database = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database.close();
    throw new SortimentError('BUILD_RUNNING', `Another build is writing ${settings.distFolder}.`, {
      hint: 'Wait until it has finished, or stop that process.',
      cause,
    });
  }
  return { release: () => database.close() };
}
