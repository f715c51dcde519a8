import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { sqlState } from './sql-state.ts';
import type { Database } from './store.ts';

const POLL_MS = 100;
const RENEW_MS = 5000;
/** A holder that hasn't renewed for so long is taken for dead. */
const LEASE = sql.raw(`interval '30 seconds'`);
const EXISTS_ALREADY: readonly (string | undefined)[] = ['23505', '42P07', '42710'];

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
