import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PRODUCT_INDEX_SCHEMA } from './schema.ts';
import { readProductIndex, type GroupCache } from './read-product-index.ts';
import type { ProductIndex } from '#catalogue/port/product-index.ts';

export type OpenProductIndex = ProductIndex & { close(): void };

/**
 * Opens the product index written by `updateProductIndex`. Throws if there is none.
 * @param groups Cache of product groups read from this index.
 */
export function openProductIndex(file: string, groups?: GroupCache): OpenProductIndex {
  const database = new DatabaseSync(file, { readOnly: true });
  return { ...readProductIndex(database, listsOf(database), groups), close: () => database.close() };
}

let listCache: { revision: unknown; lists: Map<string, unknown> } | undefined;

/** Reuses lists that were read earlier in this process if the index still has the same lists. */
function listsOf(database: DatabaseSync): Map<string, unknown> {
  const revision = database.prepare(`SELECT value FROM meta WHERE key = 'lists'`).get()?.['value'];
  if (revision === undefined) return new Map();
  if (listCache?.revision !== revision) listCache = { revision, lists: new Map() };
  return listCache.lists;
}

/** Opens an empty product index. */
export function openEmptyProductIndex(): OpenProductIndex {
  const database = new DatabaseSync(':memory:');
  database.exec(PRODUCT_INDEX_SCHEMA);
  return { ...readProductIndex(database), close: () => database.close() };
}

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
      database.exec('PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
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
