import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { readMigrationFiles, type MigrationMeta } from 'drizzle-orm/migrator';
import type { PgDialect, PgSession } from 'drizzle-orm/pg-core';
import { SortimentError } from '#contracts/index.ts';
import { sqlState } from './sql-state.ts';
import type { Database } from './store.ts';

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('migrations', import.meta.url));

const NO_SUCH_SCHEMA_OR_TABLE: readonly (string | undefined)[] = ['3F000', '42P01'];

/**
 * Brings the tables to where schema.ts is. `alone` makes sure that no other process does so at the same time; it is
 * entered only when there is something to do.
 *
 * @throws {SortimentError} STORE_NEWER if a later version has migrated the store already
 */
export async function applyMigrations(db: Database, alone: (run: () => Promise<void>) => Promise<void>): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER });
  const latest = migrations.at(-1)?.folderMillis ?? 0;
  const applied = await lastApplied(db);
  if (applied > latest) {
    throw new SortimentError('STORE_NEWER', 'The store was written by a later version of Sortiment.', {
      hint: 'Update Sortiment, or point it at another store.',
    });
  }
  if (applied < latest) await alone(() => migrate(db, migrations));
}

/** Drizzle's own migrator; each driver exports it under a type of its own, though it is the same for all. */
async function migrate(db: Database, migrations: MigrationMeta[]): Promise<void> {
  const { dialect, session } = db as unknown as { dialect: PgDialect; session: PgSession };
  await dialect.migrate(migrations, session, { migrationsFolder: MIGRATIONS_FOLDER });
}

async function lastApplied(db: Database): Promise<number> {
  try {
    const { rows } = (await db.execute(
      sql`select max(created_at) as applied from drizzle.__drizzle_migrations`,
    )) as unknown as { rows: { applied: unknown }[] };
    return Number(rows[0]?.applied ?? 0);
  } catch (error) {
    if (NO_SUCH_SCHEMA_OR_TABLE.includes(sqlState(error))) return 0;
    throw error;
  }
}
