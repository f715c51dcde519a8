import path from 'node:path';
import { SortimentError } from '../contracts/index.ts';

/** SQLite's own: READONLY, IOERR, FULL, CANTOPEN. */
const SQLITE_FAILURES = new Set([8, 10, 13, 14]);
const SQLITE_FULL = 13;
const SYSTEM_FAILURES = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO']);
const SYSTEM_FULL = new Set(['ENOSPC', 'EDQUOT']);

/**
 * The error for a folder that can't be written, of the snapshot or of what lies beside it; undefined when something
 * else has gone wrong. What was written before is whole.
 */
export function storageFailure(error: unknown, snapshotPath: string): SortimentError | undefined {
  if (!(error instanceof Error)) return undefined;
  const sqlite = 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
  const system = 'code' in error ? String(error.code) : '';
  if (!SYSTEM_FAILURES.has(system) && (sqlite === undefined || !SQLITE_FAILURES.has(sqlite))) return undefined;
  const isFull = sqlite === SQLITE_FULL || SYSTEM_FULL.has(system);
  return unwritable(snapshotPath, isFull ? 'the disk is full' : error.message, error);
}

/** @param why `the disk is full`, or the system's words. */
export function unwritable(snapshotPath: string, why: string, cause: unknown): SortimentError {
  const folder = path.dirname(snapshotPath);
  return new SortimentError('SNAPSHOT_UNWRITABLE', `The folder ${folder} can't be written: ${why}.`, {
    hint: 'Make room there, or give this user the right to write to it. The snapshot is as it was.',
    cause,
  });
}
