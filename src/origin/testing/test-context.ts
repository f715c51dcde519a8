import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import {
  PRODUCT_INTERFACE_DEFAULTS,
  type OriginContext,
  type ProductInterfaceOptions,
} from '#origin/platform/context/origin-context.ts';
import { originFiles } from '../platform/process/create-context.ts';
import { registerAll } from '#origin/platform/registry/content-kind.ts';
import { MIGRATIONS_FOLDER } from '#origin/platform/store/apply-migrations.ts';
import { cachedFolder } from '#origin/platform/store/cached-folder.ts';
import { copyDatabase } from '#origin/platform/store/testing/start-test-postgres.ts';
import { openPostgres } from '#origin/platform/store/open-store.ts';
import { bindPglite, PgliteClient } from '#origin/platform/store/pglite-client.ts';
import type { Store } from '#origin/platform/store/store.ts';

export interface TestContextOverrides extends Partial<Omit<OriginContext, 'product'>> {
  /** Product options that the test overrides. */
  product?: Partial<ProductInterfaceOptions>;
}

/** A context whose log lines stay readable, so that a test can search them for secrets. */
export interface TestContext extends OriginContext {
  logged: string[];
}

/**
 * Creates an origin context with an empty store. The store is in memory, with the tables of the migrations, or on
 * PostgreSQL if `SORTIMENT_TEST_DATABASE` is `postgres`. Close it with `context.store.close()`.
 */
export async function createTestContext(overrides: TestContextOverrides = {}): Promise<TestContext> {
  const logged: string[] = [];
  const { product, ...rest } = overrides;
  const filesFolder = rest.filesFolder ?? (await mkdtemp(join(tmpdir(), 'sortiment-test-')));
  return {
    ...registerAll([]),
    store: rest.store ?? (await openEmptyStore(filesFolder)),
    key: new Uint8Array(32).fill(7),
    publicUrl: 'http://origin.test',
    restRoot: 'rest',
    namespaces: {},
    filesFolder,
    files: originFiles(filesFolder),
    log: (line) => void logged.push(line),
    ...rest,
    product: { ...PRODUCT_INTERFACE_DEFAULTS, ...product },
    logged,
  };
}

function openEmptyStore(folder: string): Promise<Store> {
  if (process.env['SORTIMENT_TEST_DATABASE'] !== 'postgres') return openMemoryStore();
  const template = process.env['SORTIMENT_TEST_POSTGRES'];
  if (template === undefined) throw new Error('PostgreSQL is not running for these tests. See serve-test-postgres.ts.');
  return openStoreCopy(template, folder);
}

async function openStoreCopy(template: string, folder: string): Promise<Store> {
  const { address, drop } = await copyDatabase(template);
  const { close, ...store } = await openPostgres(address, folder);
  let closing: Promise<void> | undefined;
  return { ...store, close: () => (closing ??= close().then(drop)) };
}

/** Closed in-memory stores. They are emptied and reused, because starting one takes most of a second. */
const idle: PgliteClient[] = [];

async function openMemoryStore(): Promise<Store> {
  const client = idle.pop() ?? (await startMemoryStore());
  let closing: Promise<void> | undefined;
  const guarded = new Proxy(client, {
    get: (target, name) => {
      if (closing) throw new Error('The store is closed.');
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    db: bindPglite(guarded),
    engine: 'pglite',
    writes: client.writes,
    close: () => (closing ??= empty(client)),
  };
}

/** Selects the tables that were written to, even if they are empty again. Emptying all takes longer than many tests. */
const USED_TABLES = `
  select oid::regclass::text as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r' and (
    pg_relation_size(oid) > 0 or oid in (
      select refobjid from pg_depend join pg_sequence on objid = seqrelid
      where deptype in ('a', 'i') and pg_sequence_last_value(seqrelid) is not null))`;

/** Empties a store. Module tables are emptied but kept, because their migrations are recorded. */
async function empty(client: PgliteClient): Promise<void> {
  const { rows } = await client.query(USED_TABLES);
  const names = rows.map(({ name }) => String(name));
  if (names.length > 0) await client.query(`truncate ${names.join(', ')} restart identity cascade`);
  idle.push(client);
}

async function startMemoryStore(): Promise<PgliteClient> {
  emptyStore ??= readEmptyStore();
  const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'];
  return new PgliteClient(await PGlite.create({ loadDataDir: await emptyStore, startParams }));
}

const TABLES = 'tables.tar';
let emptyStore: Promise<Blob> | undefined;

/** Reads the empty store from a cache keyed by migrations. Copying a database is fast, initialising one takes seconds. */
async function readEmptyStore(): Promise<Blob> {
  const names = (await readdir(MIGRATIONS_FOLDER)).filter((name) => name.endsWith('.sql')).toSorted();
  const migrations = await Promise.all(names.map((name) => readFile(join(MIGRATIONS_FOLDER, name), 'utf8')));
  const statements = migrations.join('\n');
  const digest = createHash('sha256').update(statements).digest('hex').slice(0, 16);
  const folder = await cachedFolder(`tables-${digest}`, (made) => makeEmptyStore(made, statements));
  return new Blob([await readFile(join(folder, TABLES))]);
}

async function makeEmptyStore(folder: string, statements: string): Promise<void> {
  // Kept small, because it is copied for each test file.
  const client = new PGlite({ initDbStartParams: ['--wal-segsize=1'] });
  await client.exec(statements);
  await client.exec(`update pg_database set datistemplate = false where datname = 'template0'`);
  await client.exec('drop database template0');
  const tables = await client.dumpDataDir('none');
  await client.close();
  await mkdir(folder);
  await writeFile(join(folder, TABLES), new Uint8Array(await tables.arrayBuffer()));
}
