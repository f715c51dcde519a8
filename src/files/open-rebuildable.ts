import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Updating the product index of 10,000 pages takes 2 s (2026-11-29). The lock of a process ends with it. */
const LONGEST_UPDATE_MS = 600_000;

/**
 * Opens a writable database that can be rebuilt at any time. If it is unreadable or has another version, it is deleted
 * and recreated.
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
      const foundVersion = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
      if (foundVersion !== version) {
        if (foundVersion !== 0) throw new Error(`${file} is of another version.`);
        database.exec(`BEGIN; ${schema}; PRAGMA user_version = ${version}; COMMIT`);
      }
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  };
  try {
    return open();
  } catch (error) {
    if (!existsSync(file)) throw error;
    for (const databaseFile of [file, `${file}-wal`, `${file}-shm`]) rmSync(databaseFile, { force: true });
    return open();
  }
}
