import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SortimentError } from '#contracts/index.ts';
import { readSnapshot, type SnapshotReader } from './read-snapshot.ts';
import { MIGRATIONS, PAGE_BYTES, SNAPSHOT_VERSION } from './schema.ts';
import { createStorageError } from './lock-snapshot.ts';

export interface OpenSnapshotOptions {
  /**
   * Readers open with `true`: many can read while one sync writes.
   * @default false
   */
  readOnly?: boolean;
}

export interface Snapshot extends SnapshotReader {
  readonly path: string;
  /** Used by the writing functions of this folder. */
  readonly database: DatabaseSync;
  close(): void;
}

/** Maximum time that a statement waits for the transaction of another process. */
const BUSY_TIMEOUT_MS = 10_000;

/**
 * Opens the snapshot. When opened for writing, older tables are migrated. A new snapshot gets a temporary name and is
 * renamed when closed with content, so that a failed run leaves no empty file.
 * @throws SortimentError SNAPSHOT_MISSING (reading, no sync has finished yet), SNAPSHOT_OUTDATED (reading, older
 * version), SNAPSHOT_NEWER (newer version than this code supports), SNAPSHOT_UNREADABLE (not an SQLite file, or
 * damaged), SNAPSHOT_UNWRITABLE.
 */
export function openSnapshot(file: string, options: OpenSnapshotOptions = {}): Snapshot {
  const readOnly = options.readOnly ?? false;
  const isNew = !existsSync(file);
  if (readOnly && isNew) throw missing(file);
  const openFile = isNew ? `${file}.new` : file;
  // A leftover WAL file would be applied to the new snapshot.
  if (isNew) for (const databaseFile of [file, openFile]) removeDatabase(databaseFile);
  const database = openDatabase(openFile, readOnly);
  try {
    if (readOnly) requireSnapshot(database, file);
    else prepareForWriting(database);
  } catch (error) {
    database.close();
    if (error instanceof SortimentError) throw error;
    throw (readOnly ? undefined : createStorageError(error, file)) ?? unreadable(file, error);
  }
  const reader = readSnapshot(database);
  return {
    ...reader,
    path: file,
    database,
    close: () => {
      if (!database.isOpen) return;
      if (database.isTransaction) database.exec('ROLLBACK');
      const hasContent = reader.digest() !== undefined;
      // Merge the WAL without waiting for readers, because a CI cache stores a single file.
      if (!readOnly) database.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)');
      database.close();
      if (!isNew) return;
      if (hasContent) renameSync(openFile, file);
      else removeDatabase(openFile);
    },
  };
}

function removeDatabase(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
}

function openDatabase(file: string, readOnly: boolean): DatabaseSync {
  try {
    return new DatabaseSync(file, { readOnly, timeout: BUSY_TIMEOUT_MS });
  } catch (error) {
    throw unreadable(file, error);
  }
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
  migrate(database, version);
  // An earlier version may have left deleted texts in free pages.
  if (version > 0) database.exec('VACUUM');
}

/** Migrates in one transaction, so that readers see either the old tables or the new ones. */
function migrate(database: DatabaseSync, version: number): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    for (const step of MIGRATIONS.slice(version)) database.exec(step);
    database.exec(`PRAGMA user_version = ${SNAPSHOT_VERSION}; COMMIT`);
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function requireSnapshot(database: DatabaseSync, file: string): void {
  const version = versionOf(database);
  const hasContent =
    version === SNAPSHOT_VERSION && database.prepare(`SELECT value FROM meta WHERE key = 'digest'`).get() !== undefined;
  if (hasContent) return;
  if (version === 0 || version === SNAPSHOT_VERSION) throw missing(file);
  if (version > SNAPSHOT_VERSION) throw newer(version);
  throw new SortimentError('SNAPSHOT_OUTDATED', `The snapshot ${file} was made by an earlier version of Sortiment.`, {
    hint: 'Run `npm run sync`: it migrates the snapshot.',
  });
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
