import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Settings } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import { buildPaths } from '#config/build-paths.ts';

/** Astro's process may outlive a killed build for a short time. */
const LONGEST_END_MS = 10_000;

/**
 * Locks the project for a single build until the lock is released. An open transaction on a separate file serves as the
 * lock, so the operating system drops it when the process ends.
 *
 * @throws SortimentError BUILD_RUNNING
 */
export function lockBuild(settings: Settings): Disposable {
  const { lockFile, astroLockFile } = buildPaths(settings);
  try {
    using locks = new DisposableStack();
    locks.use(acquireFileLock(lockFile));
    acquireFileLock(astroLockFile, LONGEST_END_MS)[Symbol.dispose]();
    return locks.move();
  } catch (cause) {
    throw new SortimentError('BUILD_RUNNING', `Another build is writing ${settings.distFolder}.`, {
      hint: 'Wait until it has finished, or stop that process.',
      cause,
    });
  }
}

/** Locks a file until it is released or the process ends. The file stays empty. */
export function acquireFileLock(file: string, waitMs = 0): Disposable {
  mkdirSync(path.dirname(file), { recursive: true });
  using locks = new DisposableStack();
  locks.use(new DatabaseSync(file, { timeout: waitMs })).exec('BEGIN EXCLUSIVE');
  return locks.move();
}
