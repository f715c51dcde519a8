import { drizzle } from 'drizzle-orm/node-postgres';
import { Pool } from 'pg';
import { SortimentError } from '#contracts/index.ts';
import { applyMigrations } from './apply-migrations.ts';
import { holdMigrationLock } from './hold-migration-lock.ts';
import { lockPath } from './lock-path.ts';
import type { OpenStore } from './store.ts';
import * as schema from './schema.ts';
import type { Database } from './store.ts';
import { takeLock, type StoreLock } from './take-lock.ts';

const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 10_000;

/** The same store on PostgreSQL, or on an engine that speaks it. Any number of processes may open it. */
export async function openPostgres(databaseUrl: string, dataFolder: string): Promise<OpenStore> {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'sortiment',
  });
  // A connection that breaks while it is idle is replaced by the pool; the next query tells if that fails.
  pool.on('error', () => undefined);
  const db: Database = drizzle({ client: pool, schema });
  try {
    await applyMigrations(db, (run) => holdMigrationLock(db, run));
  } catch (error) {
    await pool.end();
    throw error instanceof SortimentError ? error : unreachableError(databaseUrl, error);
  }
  let lock: StoreLock | undefined;
  return {
    db,
    engine: 'postgres',
    announce: (origin) => {
      lock = tryLock(dataFolder);
      lock?.announce(origin);
    },
    close: async () => {
      lock?.release();
      await pool.end();
    },
  };
}

/** Here the lock only tells where the origin is; a second process on the same folder does without. */
function tryLock(dataFolder: string): StoreLock | undefined {
  try {
    return takeLock(lockPath(dataFolder), () => undefined);
  } catch (error) {
    if (error instanceof SortimentError) return undefined;
    throw error;
  }
}

function unreachableError(databaseUrl: string, cause: unknown): SortimentError {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const why =
    inner instanceof Error ? inner.message || String('code' in inner ? inner.code : inner.name) : String(inner);
  return new SortimentError(
    'STORE_UNREACHABLE',
    `The database at ${withoutPassword(databaseUrl)} can't be used: ${why}`,
    {
      hint: 'Check DATABASE_URL, that the server is running, and that the user may create tables.',
      cause,
    },
  );
}

function withoutPassword(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return 'DATABASE_URL';
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}
