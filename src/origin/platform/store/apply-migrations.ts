import { fileURLToPath } from 'node:url';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { PgDialect, PgSession } from 'drizzle-orm/pg-core';
import { isSortimentError, SortimentError } from '#contracts/index.ts';
import { sqlState } from './query-errors.ts';
import type { Database, Store } from './store.ts';

const POLL_MS = 100;

const RENEW_MS = 5000;

/** A holder that hasn't renewed its lock for this long is considered dead. */
const LEASE = sql.raw(`interval '30 seconds'`);

const EXISTS_ALREADY: readonly (string | undefined)[] = ['23505', '42P07', '42710'];

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('migrations', import.meta.url));

/**
 * Applies the migrations of all modules.
 *
 * @throws {SortimentError} STORE_NEWER if the store was migrated by a later version of a module, MIGRATION_FAILED if
 * a migration fails; the new migrations of that module are rolled back
 */
export async function applyModuleMigrations(
  store: Pick<Store, 'db' | 'engine'>,
  modules: readonly { name: string; migrations?: string }[],
): Promise<void> {
  for (const { name, migrations: folder } of modules) {
    if (folder === undefined) continue;
    try {
      await applyMigrations(store, { folder, appliedIn: `__${name}_migrations` });
    } catch (cause) {
      if (isSortimentError(cause)) throw cause;
      const problem = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
      throw new SortimentError('MIGRATION_FAILED', `The migrations of the module "${name}" failed.`, {
        cause,
        hint: `${String(problem)}. Its new migrations were rolled back. Fix them in ${folder}.`,
      });
    }
  }
}

const NO_SUCH_SCHEMA_OR_TABLE: readonly (string | undefined)[] = ['3F000', '42P01'];

/**
 * Applies the migrations of one owner, by default those of the platform. Each owner records them in its own table.
 *
 * @throws {SortimentError} STORE_NEWER if the store was migrated by a later version
 */
export async function applyMigrations(
  { db, engine }: Pick<Store, 'db' | 'engine'>,
  { folder, appliedIn } = { folder: MIGRATIONS_FOLDER, appliedIn: '__drizzle_migrations' },
): Promise<void> {
  const config = { migrationsFolder: folder, migrationsTable: appliedIn };
  const migrations = readMigrationFiles(config);
  const latest = migrations.at(-1)?.folderMillis ?? 0;
  const applied = await lastApplied(db, appliedIn);
  if (applied > latest) {
    throw new SortimentError('STORE_NEWER', 'The store was written by a later version of Sortiment.', {
      hint: 'Update Sortiment, or use another store.',
    });
  }
  if (applied === latest) return;
  // Each driver exports the same migrator under its own type.
  const { dialect, session } = db as unknown as { dialect: PgDialect; session: PgSession };
  const migrate = () => dialect.migrate(migrations, session, config);
  await (engine === 'postgres' ? withMigrationLock(db, migrate) : migrate());
}

async function lastApplied(db: Database, appliedIn: string): Promise<number> {
  try {
    const { rows } = (await db.execute(
      sql`select max(created_at) as applied from drizzle.${sql.identifier(appliedIn)}`,
    )) as unknown as { rows: { applied: unknown }[] };
    return Number(rows[0]?.applied ?? 0);
  } catch (error) {
    if (NO_SUCH_SCHEMA_OR_TABLE.includes(sqlState(error))) return 0;
    throw error;
  }
}

/**
 * Runs migrations exclusively among all processes. Uses a row, as not every Postgres-compatible engine has advisory
 * locks.
 */
async function withMigrationLock(db: Database, run: () => Promise<void>): Promise<void> {
  const holder = randomUUID();
  await createTable(db);
  while (!(await acquire(db, holder))) await setTimeout(POLL_MS);
  const renew = () => db.execute(sql`update migration_lock set renewed_at = now() where holder = ${holder}`);
  const renewal = setInterval(() => void renew().catch(() => undefined), RENEW_MS);
  try {
    await run();
  } finally {
    clearInterval(renewal);
    await db.execute(sql`delete from migration_lock where holder = ${holder}`);
  }
}

/** `if not exists` can still fail if another process creates the table at the same time. */
async function createTable(db: Database): Promise<void> {
  try {
    await db.execute(sql`
      create table if not exists migration_lock (
        name text primary key,
        holder text not null,
        renewed_at timestamp with time zone not null
      )
    `);
  } catch (error) {
    if (!EXISTS_ALREADY.includes(sqlState(error))) throw error;
  }
}

async function acquire(db: Database, holder: string): Promise<boolean> {
  await db.execute(sql`delete from migration_lock where renewed_at < now() - ${LEASE}`);
  try {
    await db.execute(sql`insert into migration_lock values ('migration', ${holder}, now())`);
    return true;
  } catch (error) {
    if (sqlState(error) === '23505') return false;
    throw error;
  }
}
