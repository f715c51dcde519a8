import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describeSystemError, isSortimentError, SortimentError } from '#contracts/index.ts';
import { isBusy } from '#files/file-lock.ts';
import { readSnapshot, type SnapshotReader } from './read-snapshot.ts';
import { createTables, migrateTables, PAGE_BYTES, SNAPSHOT_VERSION } from './schema.ts';

export interface Snapshot extends SnapshotReader, Disposable {
  readonly path: string;
  /** Used by the writing functions of this folder. */
  readonly database: DatabaseSync;
  close(): void;
}

const BUSY_TIMEOUT_MS = 10_000;

/**
 * Opens the snapshot. Many readers can read while one sync writes. When opened for writing, older tables are migrated.
 * A new snapshot gets a temporary name and is renamed when closed with content, so that a failed run leaves no empty
 * file.
 * @throws SortimentError SNAPSHOT_MISSING (reading, no sync has finished yet), SNAPSHOT_OUTDATED (reading, older
 * version), SNAPSHOT_NEWER (newer version than this code supports), SNAPSHOT_UNREADABLE (not an SQLite file, damaged,
 * or older than the first release), SNAPSHOT_UNWRITABLE.
 */
export function openSnapshot(file: string, { readOnly = false }: { readOnly?: boolean } = {}): Snapshot {
  const isNew = !existsSync(file);
  if (readOnly && isNew) throw missing(file);
  const openFile = isNew ? `${file}.new` : file;
  // A leftover WAL file would be applied to the new snapshot.
  if (isNew) for (const databaseFile of [file, openFile]) removeDatabase(databaseFile);
  const database = openDatabase(openFile, file, readOnly);
  const reader = readSnapshot(database);
  const close = () => {
    if (!database.isOpen) return;
    if (database.isTransaction) database.exec('ROLLBACK');
    const hasContent = reader.digest() !== undefined;
    // Merge the WAL without waiting for readers, because a CI cache stores a single file.
    if (!readOnly) database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    if (!isNew) return;
    if (hasContent) renameSync(openFile, file);
    else removeDatabase(openFile);
  };
  return { ...reader, path: file, database, close, [Symbol.dispose]: close };
}

function openDatabase(openFile: string, file: string, readOnly: boolean): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(openFile, { readOnly, timeout: BUSY_TIMEOUT_MS });
    if (readOnly) requireSnapshot(database, file);
    else prepareForWriting(database);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof SortimentError) throw error;
    throw (readOnly ? undefined : createStorageError(error, file)) ?? unreadable(file, error);
  }
}

export function removeDatabase(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
}

/**
 * Maximum size of the write-ahead log before SQLite merges it, also for the staging area. Each merge waits for the
 * disk.
 */
const MAX_LOG_BYTES = 64 * 1024 * 1024;

function prepareForWriting(database: DatabaseSync): void {
  // Also checks that the file is a database before writing to it.
  const version = versionOf(database);
  // Applies to new files only; SQLite ignores it once a file has tables.
  database.exec(`PRAGMA page_size = ${PAGE_BYTES}`);
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = FILE; PRAGMA temp.journal_mode = MEMORY;',
  );
  database.exec(`PRAGMA wal_autocheckpoint = ${MAX_LOG_BYTES / PAGE_BYTES}`);
  // Overwrites withdrawn content, because third-party caches store the file.
  database.exec('PRAGMA secure_delete = ON');
  if (version > SNAPSHOT_VERSION) throw newer(version);
  if (version === SNAPSHOT_VERSION) return;
  // In one transaction, so that readers see either the old tables or the new ones.
  database.exec('BEGIN IMMEDIATE');
  if (version === 0) createTables(database);
  else if (!migrateTables(database, version)) throw outdated('Delete it, then run `npm run sync`.');
  database.exec(`PRAGMA user_version = ${SNAPSHOT_VERSION}; COMMIT`);
  // An earlier version may have left deleted texts in free pages.
  if (version > 0) database.exec('VACUUM');
}

function requireSnapshot(database: DatabaseSync, file: string): void {
  const version = versionOf(database);
  const hasContent =
    version === SNAPSHOT_VERSION && database.prepare(`SELECT value FROM meta WHERE key = 'digest'`).get() !== undefined;
  if (hasContent) return;
  if (version === 0 || version === SNAPSHOT_VERSION) throw missing(file);
  if (version > SNAPSHOT_VERSION) throw newer(version);
  throw outdated('Run `npm run sync`: it migrates the snapshot.');
}

function outdated(hint: string): SortimentError {
  return new SortimentError('SNAPSHOT_OUTDATED', 'The snapshot was made by an earlier version of Sortiment.', { hint });
}

function newer(version: number): SortimentError {
  return new SortimentError(
    'SNAPSHOT_NEWER',
    `The snapshot has version ${version}; this version of Sortiment supports up to ${SNAPSHOT_VERSION}.`,
    { hint: 'Update Sortiment. To go back instead, delete the snapshot and sync again; this loses archived pages.' },
  );
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}

function missing(file: string): SortimentError {
  return new SortimentError('SNAPSHOT_MISSING', `There is no snapshot at ${file}: no sync has finished yet.`, {
    hint: 'Run `npm run sync` first.',
  });
}

function unreadable(file: string, cause: unknown): SortimentError {
  return new SortimentError('SNAPSHOT_UNREADABLE', `The snapshot ${file} can't be read.`, {
    hint: 'Check its permissions. If it is damaged, delete it and run `npm run sync`.',
    cause,
  });
}

/**
 * Returns SNAPSHOT_MISSING or SNAPSHOT_OUTDATED if a sync has to write the snapshot first.
 * @throws SortimentError as `openSnapshot`, for other reasons.
 */
export function findMissingSnapshot(file: string): SortimentError | undefined {
  try {
    openSnapshot(file, { readOnly: true }).close();
    return undefined;
  } catch (error) {
    if (isSortimentError(error) && ['SNAPSHOT_MISSING', 'SNAPSHOT_OUTDATED'].includes(error.code)) return error;
    throw error;
  }
}

/** Returns the digest of the snapshot, or undefined if it is missing or currently unreadable. */
export function readDigest(snapshotPath: string): string | undefined {
  try {
    using snapshot = openSnapshot(snapshotPath, { readOnly: true });
    return snapshot.digest();
  } catch {
    // The file may be being replaced. `npm run doctor` reports other problems.
    return undefined;
  }
}

/**
 * Describes size and date of the snapshot file and its log. The log is empty or missing after the snapshot was only
 * read. While the description is unchanged, the digest is too.
 */
export function describeSnapshotFiles(snapshotPath: string): string {
  return JSON.stringify(
    [snapshotPath, `${snapshotPath}-wal`].map((file) => {
      const stat = statSync(file, { throwIfNoEntry: false });
      return stat && stat.size > 0 ? [stat.size, stat.mtimeMs, stat.ino] : undefined;
    }),
  );
}

/**
 * Makes this process the only writer until `release()`. The lock is an open transaction on a separate file. The
 * operating system releases it when the process ends, so there are no stale locks.
 * @throws SortimentError SYNC_RUNNING with the process that holds the lock; SNAPSHOT_UNWRITABLE.
 */
export function lockSnapshot(snapshotPath: string, now: Date = new Date()): Disposable & { release: () => void } {
  const database = openLock(snapshotPath);
  try {
    database.exec('BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS holder (pid INTEGER, since TEXT); DELETE FROM holder;');
    database.prepare('INSERT INTO holder VALUES (?, ?)').run(process.pid, now.toISOString());
    // Commit so that other processes can read the holder. The first to start a new transaction holds the lock.
    database.exec('COMMIT; BEGIN IMMEDIATE;');
  } catch (error) {
    const holder = readHolder(database);
    database.close();
    if (!isBusy(error)) throw createUnwritableError(snapshotPath, error);
    throw new SortimentError('SYNC_RUNNING', `Another sync${holder} is writing ${snapshotPath}.`, {
      hint: 'Wait until it has finished, or stop that process.',
    });
  }
  const release = () => void (database.isOpen && database.close());
  return { release, [Symbol.dispose]: release };
}

function openLock(snapshotPath: string): DatabaseSync {
  try {
    mkdirSync(path.dirname(snapshotPath), { recursive: true });
    return new DatabaseSync(`${snapshotPath}.lock`, { timeout: 0 });
  } catch (error) {
    throw createUnwritableError(snapshotPath, error);
  }
}

function readHolder(database: DatabaseSync): string {
  try {
    const row = database.prepare('SELECT pid, since FROM holder').get();
    return row ? ` (process ${String(row['pid'])}, since ${String(row['since'])})` : '';
  } catch {
    return '';
  }
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

function createUnwritableError(snapshotPath: string, cause: unknown): SortimentError {
  const failure = describeSystemError(cause);
  const why = failure?.why ?? (cause instanceof Error ? cause.message : 'for an unknown reason');
  const hint = failure?.hint ?? 'Make room there, or give this user the right to write to it.';
  const message = `The folder ${path.dirname(snapshotPath)} can't be written: ${why}.`;
  return new SortimentError('SNAPSHOT_UNWRITABLE', message, {
    hint: `${hint} The previous snapshot is unchanged.`,
    cause,
  });
}
