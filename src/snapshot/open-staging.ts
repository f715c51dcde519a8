import { rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { PAGE_BYTES, SNAPSHOT_VERSION, STAGING_SCHEMA } from './schema.ts';

/** File of the staging area and its basis. */
export interface StagingFile {
  file: string;
  /** An unfinished run is continued only if its basis is equal. */
  basis: string;
  /** Start of this run. */
  at: Date;
  /** Maximum age of an unfinished run, in ms. */
  maxAgeMs: number;
}

export interface OpenStaging {
  /** Number of products read by an unfinished run. Their position is negative until they are taken over. */
  unfinished: number;
  close(keep: boolean): void;
}

/**
 * Attaches the database `staging`: that of an unfinished run if it can be continued, or else an empty one. A run can be
 * continued if no commit came after it, its basis is equal and it isn't too old.
 */
export function openStaging(database: DatabaseSync, staging: StagingFile | undefined): OpenStaging {
  detach(database);
  const attach = () => {
    database.prepare('ATTACH ? AS staging').run(staging?.file ?? '');
    if (!staging) return;
    // A machine crash may lose staged rows, but never reorder them. The snapshot itself is fully synchronous.
    database.exec(`PRAGMA staging.page_size = ${PAGE_BYTES}`);
    database.exec('PRAGMA staging.journal_mode = WAL; PRAGMA staging.synchronous = NORMAL');
  };
  const unfinished = staging ? countUnfinished(database, staging, attach) : 0;
  if (unfinished === 0) {
    detach(database);
    if (staging) removeFile(staging.file);
    attach();
    database.exec(STAGING_SCHEMA);
    if (staging) writeBasis(database, staging);
  }
  return {
    unfinished,
    close: (keep) => {
      // SQLite merges the log when it closes the file. A file that is deleted next needn't reach the disk.
      if (!keep) database.exec('PRAGMA staging.synchronous = OFF');
      detach(database);
      if (staging && !keep) removeFile(staging.file);
    },
  };
}

function countUnfinished(database: DatabaseSync, staging: StagingFile, attach: () => void): number {
  try {
    attach();
    const rows = database.prepare('SELECT key, value FROM staging.basis').all();
    const basis = Object.fromEntries(rows.map(({ key, value }) => [String(key), String(value)]));
    const age = staging.at.getTime() - Date.parse(basis['at'] ?? '');
    if (basis['basis'] !== staging.basis || basis['after_run'] !== lastRun(database)) return 0;
    if (basis['tables'] !== TABLES) return 0;
    if (!(age >= 0 && age <= staging.maxAgeMs)) return 0;
    database.exec(KEEP_READ_RECORDS);
    return Number(database.prepare('SELECT count(*) AS n FROM staging.staged_products').get()?.['n']);
  } catch {
    // Missing, damaged or written by another version: nothing to continue.
    return 0;
  }
}

/** The staging tables and the version of the snapshot tables they mirror. */
const TABLES = `${SNAPSHOT_VERSION} ${STAGING_SCHEMA}`;

/** Keeps records and files that were read. Absences are verified again, and lists are read again. */
const KEEP_READ_RECORDS = `
BEGIN;
DELETE FROM staging.staged_products WHERE outcome NOT IN ('record', 'same');
UPDATE staging.staged_products SET position = -1,
  read_at = coalesce(read_at, (SELECT value FROM staging.basis WHERE key = 'at'));
DELETE FROM staging.staged_records;
DELETE FROM staging.staged_references WHERE owner NOT LIKE 'product/%';
DELETE FROM staging.staged_owners WHERE owner NOT LIKE 'product/%';
DELETE FROM staging.read_kinds;
COMMIT`;

function writeBasis(database: DatabaseSync, { basis, at }: StagingFile): void {
  const write = database.prepare('INSERT INTO staging.basis VALUES (?, ?)');
  write.run('basis', basis);
  write.run('tables', TABLES);
  write.run('at', at.toISOString());
  write.run('after_run', lastRun(database));
}

function lastRun(database: DatabaseSync): string {
  // In insertion order, because clocks may be set back.
  const row = database.prepare('SELECT id FROM main.runs ORDER BY rowid DESC LIMIT 1').get();
  return String(row?.['id'] ?? '');
}

function detach(database: DatabaseSync): void {
  const attached = database.prepare(`SELECT 1 FROM pragma_database_list WHERE name = 'staging'`).get();
  if (!attached) return;
  if (database.isTransaction) database.exec('ROLLBACK');
  database.exec('DETACH staging');
}

function removeFile(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
}
