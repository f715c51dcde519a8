import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SortimentError, isSortimentError, describeSystemError } from '#contracts/index.ts';

export interface SnapshotLock {
  release(): void;
}

/**
 * Makes this process the only writer until `release()`. The lock is an open transaction on a separate file. The
 * operating system releases it when the process ends, so there are no stale locks.
 * @throws SortimentError SYNC_RUNNING with the process that holds the lock; SNAPSHOT_UNWRITABLE.
 */
export function lockSnapshot(snapshotPath: string, now: Date = new Date()): SnapshotLock {
  const database = openLock(snapshotPath);
  try {
    database.exec('BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS holder (pid INTEGER, since TEXT); DELETE FROM holder;');
    database.prepare('INSERT INTO holder VALUES (?, ?)').run(process.pid, now.toISOString());
    // Commit so that other processes can read the holder. The first to start a new transaction holds the lock.
    database.exec('COMMIT; BEGIN IMMEDIATE;');
  } catch (error) {
    const holder = readHolder(database);
    database.close();
    throw isBusy(error) ? running(snapshotPath, holder) : failed(snapshotPath, error);
  }
  return { release: () => database.isOpen && database.close() };
}

function openLock(snapshotPath: string): DatabaseSync {
  try {
    mkdirSync(path.dirname(snapshotPath), { recursive: true });
    return new DatabaseSync(`${snapshotPath}.lock`, { timeout: 0 });
  } catch (error) {
    throw failed(snapshotPath, error);
  }
}

function failed(snapshotPath: string, error: unknown): SortimentError {
  return createUnwritableError(snapshotPath, error);
}

function readHolder(database: DatabaseSync): string {
  try {
    const row = database.prepare('SELECT pid, since FROM holder').get();
    return row ? ` (process ${String(row['pid'])}, since ${String(row['since'])})` : '';
  } catch {
    return '';
  }
}

/** True for SQLITE_BUSY and its extended codes. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5;
}

function running(snapshotPath: string, holder: string): SortimentError {
  return new SortimentError('SYNC_RUNNING', `Another sync${holder} is writing ${snapshotPath}.`, {
    hint: 'Wait until it has finished, or stop that process.',
  });
}

/**
 * Creates the error for a folder that can't be written: the snapshot folder or one next to it. Returns undefined for
 * other errors. Data written earlier is intact.
 */
export function createStorageError(error: unknown, snapshotPath: string): SortimentError | undefined {
  if (isSortimentError(error)) return undefined;
  const failure = describeSystemError(error);
  return failure?.isStorage ? createUnwritableError(snapshotPath, error) : undefined;
}

/** Creates the error for a snapshot folder that can't be written, for any cause. */
function createUnwritableError(snapshotPath: string, cause: unknown): SortimentError {
  const failure = describeSystemError(cause);
  const why = failure?.why ?? (cause instanceof Error ? cause.message : 'for an unknown reason');
  const hint = failure?.hint ?? 'Make room there, or give this user the right to write to it.';
  return new SortimentError(
    'SNAPSHOT_UNWRITABLE',
    `The folder ${path.dirname(snapshotPath)} can't be written: ${why}.`,
    {
      hint: `${hint} The previous snapshot is unchanged.`,
      cause,
    },
  );
}
