import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { runStatement } from '../run-statement.ts';

export interface TestPostgres {
  /** Makes an empty database and gives its address. */
  createDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
}

const INSTALLATIONS = '/usr/lib/postgresql';
/** `nobody`: PostgreSQL refuses to run as root. */
const UNPRIVILEGED = 65_534;

/**
 * The newest PostgreSQL of this machine, on a free port, for tests; the one that runs for all of them, where one does.
 * `undefined` where none is installed.
 */
export async function startTestPostgres(): Promise<TestPostgres | undefined> {
  const shared = process.env['SORTIMENT_TEST_POSTGRES'];
  if (shared !== undefined) return shareTestPostgres(shared);
  const programs = findPrograms();
  if (programs === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'sortiment-postgres-'));
  const identity = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  if ('uid' in identity) chownSync(folder, UNPRIVILEGED, UNPRIVILEGED);
  const options = { ...identity, cwd: folder, stdio: 'ignore' } as const;
  const data = join(folder, 'data');
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'test', '-A', 'trust', '-E', 'UTF8', '--no-sync'], options);
  const port = await findFreePort();
  const settings = ['-F', '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
  const server = spawn(join(programs, 'postgres'), ['-D', data, ...settings], options);
  const address = (database: string) => `postgres://test@127.0.0.1:${port}/${database}`;
  await untilAnswers(address('postgres'));
  return {
    createDatabase: async (name) => {
      await runStatement(address('postgres'), `create database "${name}"`);
      return address(name);
    },
    stop: async () => {
      server.kill('SIGINT');
      await once(server, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** @param address of a database on it */
function shareTestPostgres(address: string): TestPostgres {
  return {
    createDatabase: async (name) => {
      const unique = `${name}_${randomUUID()}`;
      await runStatement(address.replace(/[^/]*$/, 'postgres'), `create database "${unique}"`);
      return address.replace(/[^/]*$/, unique);
    },
    stop: () => Promise.resolve(),
  };
}

function findPrograms(): string | undefined {
  if (!existsSync(INSTALLATIONS)) return undefined;
  const newestFirst = readdirSync(INSTALLATIONS).toSorted((a, b) => Number(b) - Number(a));
  return newestFirst
    .map((version) => join(INSTALLATIONS, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
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
      if (attempt === 100) throw error;
      await setTimeout(100);
    }
  }
}
