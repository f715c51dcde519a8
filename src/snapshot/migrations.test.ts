import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { openSnapshot } from './open-snapshot.ts';
import { listPendingMessages } from './outbox.ts';
import { createTables } from './schema.ts';
import { createProduct, dumpSnapshot, fillSnapshot } from './testing/fill-snapshot.ts';

type Row = Record<string, unknown>;

/** Rows and readings of a snapshot, as written by the program of that version. */
interface Stored {
  tables: Record<string, Row[]>;
  read: { digest: string; products: Row[]; archivedProducts: Row[]; pastNames: Row[]; runs: Row[] };
}

const TESTING = path.join(import.meta.dirname, 'testing');
const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-migrations-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pick = (row: Row, like: Row | undefined): Row =>
  Object.fromEntries(Object.keys(like ?? {}).map((name) => [name, row[name]]));
const sorted = (rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

/** Names of columns, and SQL of indexes and triggers. */
function describeTables(database: DatabaseSync): unknown {
  return database
    .prepare(`SELECT name, type, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name`)
    .all()
    .map(({ name, type, sql }) => [
      name,
      type === 'table'
        ? database.prepare('SELECT name, type, "notnull", pk FROM pragma_table_info(?)').all(String(name))
        : String(sql).replaceAll(/--.*\n|\s+|(?<=\() | (?=\))/g, ' '),
    ]);
}

// Snapshots of two syncs with changed, moved and removed records, made by commits 185d271 and e9435018.
describe.each(['0.1.0', '0.2.0'])('a snapshot of version %s', (version) => {
  const stored = JSON.parse(readFileSync(path.join(TESTING, `snapshot-${version}.json`), 'utf8')) as Stored;
  const file = path.join(folder, `${version}.sqlite`);
  const open = () => {
    writeFileSync(file, gunzipSync(readFileSync(path.join(TESTING, `snapshot-${version}.sqlite.gz`))));
    return openSnapshot(file);
  };

  it('keeps every row', () => {
    const snapshot = open();
    const tables = dumpSnapshot(snapshot);
    for (const [table, rows] of Object.entries(stored.tables)) {
      expect(rows.length, table).toBeGreaterThan(0);
      const found = (tables[table] ?? []).map((row) => pick(row as Row, rows[0]));
      expect(sorted(found), table).toEqual(sorted(rows));
    }
    snapshot.close();
  });

  it('is read as before', () => {
    open().close();
    const snapshot = openSnapshot(file, { readOnly: true });
    const { digest, products, archivedProducts, pastNames, runs } = stored.read;
    expect(snapshot.digest()).toBe(digest);
    expect([...snapshot.products()]).toMatchObject(products);
    expect([...snapshot.archivedProducts()]).toMatchObject(archivedProducts);
    expect(snapshot.archivedProducts().next().value?.leftAt).toBe('2026-11-22T12:00:00.000Z');
    expect([...snapshot.pastNames()]).toEqual(pastNames);
    expect(snapshot.runs()).toMatchObject(runs);
    expect([...snapshot.pastPlaces('post')]).toMatchObject([{ id: 7, slug: 'luftdicht' }]);
    expect([...snapshot.pastDocuments()].length).toBeGreaterThan(0);
    expect(listPendingMessages(snapshot.database)).toHaveLength(1);
    snapshot.close();
  });

  it('continues with the tables of a new one', () => {
    const snapshot = open();
    const fresh = new DatabaseSync(':memory:');
    createTables(fresh);
    expect(describeTables(snapshot.database)).toEqual(describeTables(fresh));
    const before = snapshot.changeCursor();
    fillSnapshot(snapshot, { products: [createProduct()], records: { post: {} } });
    expect(snapshot.changedSince(before)).toContain('9524010000016');
    expect([...snapshot.records('post')]).toEqual([]);
    expect([...snapshot.archivedProducts()].length).toBeGreaterThan(stored.read.archivedProducts.length);
    snapshot.close();
  });
});
