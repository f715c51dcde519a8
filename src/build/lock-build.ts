import path from 'node:path';
import type { Settings } from '#config/index.ts';
import { describeSystemError, getErrorMessage, SortimentError } from '#contracts/index.ts';
import { buildPaths } from '#config/build-paths.ts';
import { acquireFileLock, isBusy } from '#files/file-lock.ts';

/** Astro's process may outlive a killed build for a short time. */
const LONGEST_END_MS = 10_000;

/**
 * Locks the project for a single build until the lock is released. An open transaction on a separate file serves as the
 * lock, so the operating system drops it when the process ends.
 *
 * @throws SortimentError BUILD_RUNNING, or BUILD_FAILED if the lock can't be opened.
 */
export function lockBuild(settings: Settings): Disposable {
  const { lockFile, astroLockFile } = buildPaths(settings);
  try {
    using locks = new DisposableStack();
    locks.use(acquireFileLock(lockFile));
    acquireFileLock(astroLockFile, LONGEST_END_MS)[Symbol.dispose]();
    return locks.move();
  } catch (cause) {
    if (!isBusy(cause)) {
      const why = describeSystemError(cause)?.why ?? getErrorMessage(cause);
      throw new SortimentError('BUILD_FAILED', `The lock of builds can't be opened: ${why}.`, {
        hint: `Check the permissions of ${path.dirname(lockFile)}, or delete this folder: builds recreate it.`,
        cause,
      });
    }
    throw new SortimentError('BUILD_RUNNING', `Another build is writing ${settings.distFolder}.`, {
      hint: 'Wait until it has finished, or stop that process.',
      cause,
    });
  }
}
