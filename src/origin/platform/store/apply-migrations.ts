import { fileURLToPath } from 'node:url';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { readMigrationFiles, type MigrationConfig, type MigrationMeta } from 'drizzle-orm/migrator';
import type { PgDialect, PgSession } from 'drizzle-orm/pg-core';
import { isSortimentError, SortimentError } from '#contracts/index.ts';
import { sqlState } from './query-errors.ts';
import type { Database, Store } from './store.ts';

const POLL_MS = 100;

const RENEW_MS = 5000;

/** A holder that hasn't renewed for so long is taken for dead. */
const LEASE = sql.raw(`interval '30 seconds'`);

const EXISTS_ALREADY: readonly (string | undefined)[] = ['23505', '42P07', '42710'];

export const MIGRATIONS_FOLDER = fileURLToPath(new URL('migrations', import.meta.url));

/** Steps that lead to the tables of one owner, as drizzle-kit writes them. */
interface Migrations {
  folder: string;
  /** Which of them a store has had: a table of its own for each owner. */
  appliedIn: string;
}

const OF_PLATFORM: Migrations = { folder: MIGRATIONS_FOLDER, appliedIn: '__drizzle_migrations' };

/**
 * Brings the tables of modules to where their own migrations lead, in a new store and in one that is in use.
 *
 * @throws {SortimentError} STORE_NEWER if a later version of a module has migrated the store already,
 *   MIGRATION_FAILED if a step of one fails: none of its new steps is taken then
 */
export async function applyModuleMigrations(
  { db, engine }: Pick<Store, 'db' | 'engine'>,
  modules: readonly { name: string; migrations?: string }[],
): Promise<void> {
  const alone = (run: () => Promise<void>) => (engine === 'postgres' ? holdMigrationLock(db, run) : run());
  for (const { name, migrations: folder } of modules) {
    if (folder === undefined) continue;
    try {
      await applyMigrations(db, alone, { folder, appliedIn: `__${name}_migrations` });
    } catch (cause) {
      if (isSortimentError(cause)) throw cause;
      const problem = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
      throw new SortimentError('MIGRATION_FAILED', `The tables of the module "${name}" can't be brought up to date.`, {
        cause,
        hint: `${String(problem)}. None of its new steps was taken: mend them in ${folder}.`,
      });
    }
  }
}

const NO_SUCH_SCHEMA_OR_TABLE: readonly (string | undefined)[] = ['3F000', '42P01'];

/**
 * Brings tables to where their migrations lead; those of the platform to where schema.ts is. `alone` makes sure that no other process does so at the same time; it is
 * entered only when there is something to do.
 *
 * @throws {SortimentError} STORE_NEWER if a later version has migrated the store already
 */
export async function applyMigrations(
  db: Database,
  alone: (run: () => Promise<void>) => Promise<void>,
  { folder, appliedIn }: Migrations = OF_PLATFORM,
): Promise<void> {
  const config = { migrationsFolder: folder, migrationsTable: appliedIn };
  const migrations = readMigrationFiles(config);
  const latest = migrations.at(-1)?.folderMillis ?? 0;
  const applied = await lastApplied(db, appliedIn);
  if (applied > latest) {
    throw new SortimentError('STORE_NEWER', 'The store was written by a later version of Sortiment.', {
      hint: 'Update Sortiment, or point it at another store.',
    });
  }
  if (applied < latest) await alone(() => migrate(db, migrations, config));
}

/** Drizzle's own migrator; each driver exports it under a type of its own, though it is the same for all. */
async function migrate(db: Database, migrations: MigrationMeta[], config: MigrationConfig): Promise<void> {
  const { dialect, session } = db as unknown as { dialect: PgDialect; session: PgSession };
  await dialect.migrate(migrations, session, config);
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
 * Lets one process at a time migrate a shared database. A row instead of an advisory lock, as not every engine
 * that speaks Postgres has those.
 */
export async function holdMigrationLock(db: Database, run: () => Promise<void>): Promise<void> {
  const holder = randomUUID();
  await createTable(db);
  while (!(await take(db, holder))) await setTimeout(POLL_MS);
  const renewal = setInterval(() => void renew(db, holder).catch(() => undefined), RENEW_MS);
  try {
    await run();
  } finally {
    clearInterval(renewal);
    await db.execute(sql`delete from migration_lock where holder = ${holder}`);
  }
}

/** `if not exists` can still collide with another process that creates the table at this moment. */
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

async function take(db: Database, holder: string): Promise<boolean> {
  await db.execute(sql`delete from migration_lock where renewed_at < now() - ${LEASE}`);
  try {
    await db.execute(sql`insert into migration_lock values ('migration', ${holder}, now())`);
    return true;
  } catch (error) {
    if (sqlState(error) === '23505') return false;
    throw error;
  }
}

async function renew(db: Database, holder: string): Promise<void> {
  await db.execute(sql`update migration_lock set renewed_at = now() where holder = ${holder}`);
}
