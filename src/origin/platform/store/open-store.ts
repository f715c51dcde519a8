import { createHash } from 'node:crypto';
import { constants, existsSync, cpSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve, dirname, join } from 'node:path';
import { cp, readdir, rename, rm } from 'node:fs/promises';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { Pool } from 'pg';
import { SortimentError } from '#contracts/index.ts';
import { flushPath } from '#files/replace-file.ts';
import { applyMigrations, MIGRATIONS_FOLDER } from './apply-migrations.ts';
import { cachedFolder } from './cached-folder.ts';
import { startPglite, type DurableFileSystem } from './open-pglite.ts';
import { bindPglite, type PgliteClient } from './pglite-client.ts';
import { StorePool } from './postgres-pool.ts';
import * as schema from './schema.ts';
import type { OpenStore, Database } from './store.ts';
import { lockPath, acquireLock, type StoreLock } from './acquire-lock.ts';

const MAX_CONNECTIONS = 10;

const CONNECT_TIMEOUT_MS = 10_000;

/** Increase it when the result of `buildImage` changes. */
const IMAGE_VERSION = 2;

export interface OpenStoreOptions {
  /** Folder of the embedded store, its lock, and the origin's key and files. Created if missing. */
  dataFolder: string;
  /** `postgres://…`: database to use instead of the embedded store. */
  databaseUrl?: string | undefined;
}

/**
 * Opens the store and applies all migrations.
 *
 * @throws {SortimentError} STORE_LOCKED if another process has the embedded store open, STORE_UNREACHABLE if
 * PostgreSQL doesn't respond, STORE_NEWER, STORE_UNREADABLE, STORE_NOT_DURABLE
 */
export function openStore({ dataFolder, databaseUrl }: OpenStoreOptions): Promise<OpenStore> {
  return databaseUrl ? openPostgres(databaseUrl, dataFolder) : openPglite(dataFolder);
}

/** Opens the embedded store: PGlite, protected by a lock, flushed to the disk. */
export async function openPglite(dataFolder: string): Promise<OpenStore & { files: DurableFileSystem }> {
  let client: PgliteClient | undefined;
  const lostError = new SortimentError(
    'STORE_LOST',
    `The lock of the store in ${dataFolder} was taken over by another process.`,
    { hint: 'Run one origin per data folder, and do not delete its lock while it runs.' },
  );
  const lock = acquireLock(lockPath(dataFolder), () => client?.stop(lostError));
  try {
    const folder = resolve(dataFolder, 'store');
    if (!existsSync(folder)) await createFromImage(folder);
    const opened = await startPglite(folder);
    client = opened.client;
    const db = bindPglite(client);
    await applyMigrations({ db, engine: 'pglite' });
    const close = async () => {
      await opened.client.close();
      lock.release();
    };
    const { writes } = opened.client;
    // Between statements, files are as after a crash, which the next start recovers from.
    const copyTo = (target: string) =>
      opened.client.pause(() => cp(folder, target, { recursive: true, mode: constants.COPYFILE_FICLONE }));
    return { db, engine: 'pglite', writes, files: opened.files, announce: lock.announce, copyTo, close };
  } catch (error) {
    client?.stop();
    lock.release();
    throw error;
  }
}

/**
 * Creates the folder of a new store atomically: the copy is flushed and then renamed. The caller holds the lock of
 * the store.
 */
async function createFromImage(folder: string): Promise<void> {
  const image = await findInitialImage();
  const unfinished = `${folder}.new`;
  await rm(unfinished, { recursive: true, force: true });
  cpSync(image, unfinished, { recursive: true });
  await publishFolder(unfinished, folder);
}

/**
 * Returns the folder of an initialised, migrated, empty store. Copying it takes a tenth of a second; initialising
 * takes seconds.
 */
function findInitialImage(): Promise<string> {
  const hash = createHash('sha256').update(String(IMAGE_VERSION));
  for (const migration of readMigrationFiles({ migrationsFolder: MIGRATIONS_FOLDER })) hash.update(migration.hash);
  return cachedFolder(`store-${pgliteVersion()}-${hash.digest('hex').slice(0, 16)}`, buildImage);
}

async function buildImage(folder: string): Promise<void> {
  const { client } = await startPglite(folder, false);
  try {
    await applyMigrations({ db: bindPglite(client), engine: 'pglite' });
    // The template databases take two thirds of the files and are unused.
    await client.query(`update pg_database set datistemplate = false where datname in ('template0', 'template1')`);
    for (const template of ['template0', 'template1']) await client.query(`drop database ${template}`);
  } finally {
    await client.close();
  }
}

function pgliteVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite');
  const manifest: unknown = JSON.parse(readFileSync(join(dirname(entry), '..', 'package.json'), 'utf8'));
  return String((manifest as { version?: unknown }).version);
}

/** Flushes a folder, then renames it. */
export async function publishFolder(unfinished: string, folder: string): Promise<void> {
  const entries = await readdir(unfinished, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  await Promise.all([unfinished, ...paths].map(flushPath));
  await rename(unfinished, folder);
  await flushPath(dirname(folder));
}

/** Opens the store on PostgreSQL or a compatible engine. Several processes may open it. */
export async function openPostgres(databaseUrl: string, dataFolder: string): Promise<OpenStore> {
  const pool = new StorePool({
    connectionString: databaseUrl,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'sortiment',
  });
  const db: Database = drizzle({ client: pool as unknown as Pool, schema });
  try {
    await applyMigrations({ db, engine: 'postgres' });
    await pool.listen();
  } catch (error) {
    await pool.close();
    throw error instanceof SortimentError ? error : unreachableError(databaseUrl, error);
  }
  let lock: StoreLock | undefined;
  return {
    db,
    engine: 'postgres',
    writes: pool.writes,
    announce: (origin) => {
      lock = tryLock(dataFolder);
      lock?.announce(origin);
    },
    close: async () => {
      lock?.release();
      await pool.close();
    },
  };
}

/** With PostgreSQL the lock only publishes the origin's address; a second process works without it. */
function tryLock(dataFolder: string): StoreLock | undefined {
  try {
    return acquireLock(lockPath(dataFolder), () => undefined);
  } catch (error) {
    if (error instanceof SortimentError) return undefined;
    throw error;
  }
}

function unreachableError(databaseUrl: string, cause: unknown): SortimentError {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const reason =
    inner instanceof Error ? inner.message || String('code' in inner ? inner.code : inner.name) : String(inner);
  return new SortimentError(
    'STORE_UNREACHABLE',
    `The database at ${withoutPassword(databaseUrl)} can't be used: ${reason}`,
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
