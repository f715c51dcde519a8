import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { PRODUCT_INDEX_SCHEMA } from './schema.ts';
import { readProductIndex, type ReadGroups } from './read-product-index.ts';
import type { ProductIndex } from '#catalogue/port/product-index.ts';

export type OpenProductIndex = ProductIndex & { close(): void };

/**
 * Opens the product index that `updateProductIndex` has written. Throws when there is none.
 * @param groups What was read of it as it is.
 */
export function openProductIndex(file: string, groups?: ReadGroups): OpenProductIndex {
  const database = new DatabaseSync(file, { readOnly: true });
  return { ...readProductIndex(database, listsOf(database), groups), close: () => database.close() };
}

let kept: { revision: unknown; lists: Map<string, unknown> } | undefined;

/** A process that opens the product index after every change goes on with the lists of the last time, if they are the same. */
function listsOf(database: DatabaseSync): Map<string, unknown> {
  const revision = database.prepare(`SELECT value FROM meta WHERE key = 'lists'`).get()?.['value'];
  if (revision === undefined) return new Map();
  if (kept?.revision !== revision) kept = { revision, lists: new Map() };
  return kept.lists;
}

/** A product index of no products. */
export function openEmptyProductIndex(): OpenProductIndex {
  const database = new DatabaseSync(':memory:');
  database.exec(PRODUCT_INDEX_SCHEMA);
  return { ...readProductIndex(database), close: () => database.close() };
}

/**
 * Opens a database for writing that can be rebuilt at any time: one that can't be read, or is of another version, is
 * thrown away.
 * @param version Of the schema, from 1.
 */
export function openThrowaway(file: string, { version, schema }: { version: number; schema: string }): DatabaseSync {
  mkdirSync(path.dirname(file), { recursive: true });
  const open = (): DatabaseSync => {
    const database = new DatabaseSync(file);
    try {
      // Whole after a kill and after a power cut, which may take back what was written last: it is made again then.
      database.exec('PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
      const found = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
      if (found !== version) {
        if (found !== 0) throw new Error(`${file} is of another version.`);
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
    for (const place of [file, `${file}-wal`, `${file}-shm`]) rmSync(place, { force: true });
    return open();
  }
}
