import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './file-lock.ts';

/** The operating system drops the lock of a process that ends, so a longer wait never outlasts an update. */
const LONGEST_UPDATE_MS = 600_000;
const LONGEST_CREATION_MS = 10_000;
const CREATION_PAUSE_MS = 20;

/**
 * Opens a writable database that can be rebuilt at any time. Its tables are recreated if they have another version, and
 * the file if it is unreadable. Several processes may open it at the same time.
 * @param version Schema version, from 1.
 */
export function openRebuildable(file: string, { version, schema }: { version: number; schema: string }): DatabaseSync {
  mkdirSync(path.dirname(file), { recursive: true });
  const open = (): DatabaseSync => {
    const database = new DatabaseSync(file);
    try {
      // A power cut may lose the latest writes, but the database stays consistent. Lost rows are rebuilt.
      database.exec(
        `PRAGMA busy_timeout = ${LONGEST_UPDATE_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL`,
      );
      if (readVersion(database) !== version) {
        database.exec('BEGIN IMMEDIATE');
        // Another process may have created the tables in the meantime.
        if (readVersion(database) !== version) {
          const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all();
          for (const { name } of tables) database.exec(`DROP TABLE "${String(name)}"`);
          database.exec(`${schema}; PRAGMA user_version = ${version}`);
        }
        database.exec('COMMIT');
      }
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  };
  const started = Date.now();
  for (;;) {
    try {
      return open();
    } catch (error) {
      // Changing the journal of a new file fails at once, without the timeout, if another process is changing it.
      const isLocked = isBusy(error);
      if (!existsSync(file) || (isLocked && Date.now() > started + LONGEST_CREATION_MS)) throw error;
      if (!isLocked) break;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, CREATION_PAUSE_MS);
    }
  }
  for (const databaseFile of [file, `${file}-wal`, `${file}-shm`]) rmSync(databaseFile, { force: true });
  return open();
}

function readVersion(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}
