import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import {
  PRODUCT_INTERFACE_DEFAULTS,
  type OriginContext,
  type ProductInterfaceOptions,
} from '#origin/platform/context/origin-context.ts';
import { originFiles } from '#origin/platform/files/index.ts';
import { registerAll } from '#origin/platform/registry/permissions.ts';
import { cachedFolder } from '#origin/platform/store/cached-folder.ts';
import { copyDatabase } from '#origin/platform/store/copy-database.ts';
import { openPostgres } from '#origin/platform/store/open-store.ts';
import { bindPglite, PgliteClient } from '#origin/platform/store/pglite-client.ts';
import { exchangeBytes } from '#origin/platform/store/pglite-wire.ts';
import * as schema from '#origin/platform/store/schema.ts';
import type { Store } from '#origin/platform/store/store.ts';

export interface TestContextOverrides extends Partial<Omit<OriginContext, 'product'>> {
  /** Only the knobs that the test turns. */
  product?: Partial<ProductInterfaceOptions>;
}

/** What was logged stays readable, so that a test can look for secrets in it. */
export interface TestContext extends OriginContext {
  logged: string[];
}

/**
 * An origin's context over an empty store, for tests of any room: in memory, with tables straight from schema.ts, or
 * on PostgreSQL where `SORTIMENT_TEST_DATABASE` is `postgres`. Close it with `context.store.close()`.
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
  if (template === undefined) throw new Error('No PostgreSQL was started for these tests: see serve-test-postgres.ts.');
  return openStoreCopy(template, folder);
}

async function openStoreCopy(template: string, folder: string): Promise<Store> {
  const { address, drop } = await copyDatabase(template);
  const { close, ...store } = await openPostgres(address, folder);
  let closing: Promise<void> | undefined;
  return { ...store, close: () => (closing ??= close().then(drop)) };
}

/** Stores in memory that were closed. They are emptied and taken again: starting one takes most of a second. */
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
    version: client.version,
    close: () => (closing ??= empty(client)),
  };
}

/** Tables that something was written to, even if it is gone again. Emptying all of them takes longer than many tests. */
const USED_TABLES = `
  select oid::regclass::text as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r' and (
    pg_relation_size(oid) > 0 or oid in (
      select refobjid from pg_depend join pg_sequence on objid = seqrelid
      where deptype in ('a', 'i') and pg_sequence_last_value(seqrelid) is not null))`;

/** Tables of modules stay, as what they were made with is on record, and are emptied too. */
async function empty(client: PgliteClient): Promise<void> {
  const { rows } = await client.query(USED_TABLES);
  const names = rows.map((row) => ('name' in row ? String(row.name) : ''));
  if (names.length > 0) await client.exec(`truncate ${names.join(', ')} restart identity cascade`);
  idle.push(client);
}

async function startMemoryStore(): Promise<PgliteClient> {
  emptyStore ??= readEmptyStore();
  const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'];
  const store = await PGlite.create({ loadDataDir: await emptyStore, startParams });
  return new PgliteClient({
    exchange: (messages, maxBytes) => exchangeBytes(store, messages, maxBytes),
    close: () => store.close(),
  });
}

const TABLES = 'tables.tar';
let emptyStore: Promise<Blob> | undefined;

/** Initialising a database takes seconds, copying one does not: the empty store is kept between runs, by its schema. */
async function readEmptyStore(): Promise<Blob> {
  const schemaText = await readFile(new URL('../platform/store/schema.ts', import.meta.url), 'utf8');
  const digest = createHash('sha256').update(schemaText).digest('hex').slice(0, 16);
  const folder = await cachedFolder(`tables-${digest}`, makeEmptyStore);
  return new Blob([await readFile(join(folder, TABLES))]);
}

async function makeEmptyStore(folder: string): Promise<void> {
  const { generateDrizzleJson, generateMigration } = await import('#origin/platform/store/testing/drizzle-kit.ts');
  // Copied for each file of tests, so it is kept small.
  const client = new PGlite({ initDbStartParams: ['--wal-segsize=1'] });
  const statements = await generateMigration(generateDrizzleJson({}), generateDrizzleJson(schema));
  await client.exec(statements.join('\n'));
  await client.exec(`update pg_database set datistemplate = false where datname = 'template0'`);
  await client.exec('drop database template0');
  const tables = await client.dumpDataDir('none');
  await client.close();
  await mkdir(folder);
  await writeFile(join(folder, TABLES), new Uint8Array(await tables.arrayBuffer()));
}
