import { rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { PAGE_BYTES, SNAPSHOT_VERSION, STAGING_SCHEMA } from './schema.ts';

/** The file of the staging area and what it is based on. */
export interface StagingFile {
  file: string;
  /** What must be equal for an unfinished run to be continued. */
  basis: string;
  /** When this run began, and how old an unfinished one may be, in ms. */
  at: Date;
  maxAgeMs: number;
}

export interface OpenedStaging {
  /** Products that an unfinished run has read; their position is negative until they are taken over. */
  unfinished: number;
  close(keep: boolean): void;
}

/**
 * Attaches the staging area as `staging`: that of an unfinished run if it fits, or an empty one. It fits if it was read
 * after the same last commit, on the same basis, and not long ago.
 */
export function openStaging(database: DatabaseSync, staging: StagingFile | undefined): OpenedStaging {
  detach(database);
  const attach = () => {
    database.prepare('ATTACH ? AS staging').run(staging?.file ?? '');
    if (!staging) return;
    // A crash of the machine may lose staged rows, but never their order; the snapshot itself is fully synchronous.
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
      // SQLite merges the log when it closes the file: what is removed next needn't reach the disk.
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
    database.exec(KEEP_WHAT_WAS_READ);
    return Number(database.prepare('SELECT count(*) AS n FROM staging.staged_products').get()?.['n']);
  } catch {
    // Missing, damaged or of another version: nothing to continue.
    return 0;
  }
}

/** Its own tables, and those of the snapshot that it follows. */
const TABLES = `${SNAPSHOT_VERSION} ${STAGING_SCHEMA}`;

/** Absences are verified again, and lists are read again; records and files stay. */
const KEEP_WHAT_WAS_READ = `
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
  // In the order of writing, because clocks may be set back.
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
