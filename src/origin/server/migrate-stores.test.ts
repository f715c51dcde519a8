import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, describe, expect, it } from 'vitest';
import { applyMigrations, applyModuleMigrations, MIGRATIONS_FOLDER } from '../platform/store/apply-migrations.ts';
import { bindPglite, PgliteClient } from '../platform/store/pglite-client.ts';
import { MODULES } from './modules.ts';

type Row = Record<string, unknown>;

const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-stores-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const owners = [
  { table: '__drizzle_migrations', migrations: MIGRATIONS_FOLDER },
  ...MODULES.flatMap(({ name, migrations }) => (migrations ? [{ table: `__${name}_migrations`, migrations }] : [])),
];

const quote = (table: string): string =>
  table
    .split('.')
    .map((part) => `"${part}"`)
    .join('.');

/** Tables with values that are computed when requested. */
const COMPUTED = ['seo_link', 'seo_record', 'store_version'];

/** Copies the first migrations of a folder. */
function copyMigrations(migrations: string, table: string, count: number): string {
  const copy = path.join(folder, `${table}-${count}`);
  cpSync(migrations, copy, { recursive: true });
  const journal = path.join(copy, 'meta/_journal.json');
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8')) as { entries: unknown[] };
  writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.slice(0, count) }));
  return copy;
}

// Rows of a store with each kind of content, written by commits 185d271 and e9435018.
describe.each(['0.1.0', '0.2.0'])('a store of version %s', (version) => {
  it('keeps every row', async () => {
    const file = path.join(import.meta.dirname, `testing/store-${version}.json`);
    const stored = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Row[]>;
    const client = new PgliteClient(await PGlite.create());
    const db = bindPglite(client);
    const store = { db, engine: 'pglite' } as const;
    const read = async (table: string) => {
      const { rows } = await client.query(`select row_to_json(t)::text as row from ${quote(table)} t`);
      return rows.map(({ row }) => JSON.parse(String(row)) as Row);
    };

    // The tables of that version: its migrations are those of today, up to the last one that it had applied.
    for (const { table, migrations } of owners) {
      const applied = stored[`drizzle.${table}`] ?? [];
      if (applied.length === 0) continue;
      await applyMigrations(store, {
        folder: copyMigrations(migrations, table, applied.length),
        appliedIn: table,
      });
      expect(await read(`drizzle.${table}`), table).toEqual(applied);
    }
    await client.query('set session_replication_role = replica');
    const tables = Object.entries(stored).filter(([table]) => !table.startsWith('drizzle.'));
    for (const [table, rows] of tables)
      await client.query(
        `insert into ${quote(table)} overriding system value select * from json_populate_recordset(null::${quote(table)}, $1)`,
        [JSON.stringify(rows)],
      );
    await client.query('set session_replication_role = origin');

    await applyMigrations(store);
    await applyModuleMigrations(store, MODULES);

    for (const [table, rows] of tables.filter(([name]) => !COMPUTED.includes(name))) {
      const kept = rows.filter(({ name }) => table !== 'option' || name !== 'seo-site-heads');
      expect(await read(table), table).toHaveLength(kept.length);
      expect(await read(table), table).toEqual(
        expect.arrayContaining(kept.map((row) => expect.objectContaining(row) as Row)),
      );
    }
    expect((stored['content'] ?? []).length).toBeGreaterThan(8);
    expect((stored['product'] ?? []).length).toBeGreaterThan(0);
    await client.close();
  });
});
