import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startTestPostgres } from '#origin/platform/store/testing/start-test-postgres.ts';
import { temporaryFolder } from '#origin/platform/store/testing/temporary-folder.ts';
import { spawnOrigin, type SpawnedOrigin } from './fixtures/spawn-origin.ts';

vi.setConfig({ testTimeout: 600_000 });

const PASSWORD = '0123456789abcdef01234567';
const authorization = `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`;

const postgres = await startTestPostgres();
const folder = temporaryFolder();
const data = join(folder, 'origin');
const archive = join(folder, 'backups', 'origin.tar.gz');
const bootstrap = join(folder, 'bootstrap.json');
const admin = { login: 'admin', email: 'a@test.example', name: 'A', role: 'administrator' };
const site = { name: 'Test', description: '', timezone: 'UTC' };
writeFileSync(bootstrap, JSON.stringify({ site, users: [{ ...admin, applicationPassword: PASSWORD }] }));

async function run(words: string[], environment: Record<string, string> = {}) {
  const env = { ...process.env, NO_COLOR: '1', DATABASE_URL: '', SITE_URL: '', DATA_DIR: data, ...environment };
  const script = join(import.meta.dirname, 'origin.ts');
  const ran = promisify(execFile)(process.execPath, [script, ...words], { env });
  return ran.then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, output: stdout + stderr }),
  );
}

async function create(url: string, path: string, body: BodyInit, headers: Record<string, string>) {
  const response = await fetch(`${url}/rest/core/v2/${path}`, {
    method: 'POST',
    body,
    headers: { authorization, ...headers },
  });
  expect(response.status).toBe(201);
  return (await response.json()) as { id: number; source_url: string };
}

const createPost = async (url: string, title: string) =>
  create(url, 'posts', JSON.stringify({ title, status: 'publish' }), { 'content-type': 'application/json' });

/** Returns what a site shows, without its address. */
async function read(url: string): Promise<string> {
  const fields = '_fields=id,date,title,status&per_page=100&orderby=id&order=asc';
  const posts = await fetch(`${url}/rest/core/v2/posts?${fields}`, { headers: { authorization } });
  return posts.text();
}

const origins: SpawnedOrigin[] = [];
async function start(dataFolder: string): Promise<SpawnedOrigin> {
  const origin = await spawnOrigin(dataFolder, { BOOTSTRAP: bootstrap });
  origins.push(origin);
  return origin;
}

let origin: SpawnedOrigin;
let path = '';
beforeAll(async () => {
  origin = await start(data);
  await createPost(origin.url, 'Before');
  const headers = { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename="roof.txt"' };
  const { source_url } = await create(origin.url, 'media', 'A roof.', headers);
  path = new URL(source_url).pathname;
});
afterAll(async () => {
  await Promise.all(origins.map(({ kill }) => kill()));
  await postgres?.stop();
});

test('backs up a running origin that writes meanwhile, and restores everything elsewhere', async () => {
  expect(await run(['token', 'create', '--label', 'shop'])).toMatchObject({ code: 0 });
  const before = await read(origin.url);
  const ended = new AbortController();
  const backup = run(['backup', archive]).finally(() => ended.abort());
  let during = 0;
  while (!ended.signal.aborted) {
    await createPost(origin.url, `During ${during}`);
    during += 1;
  }
  expect(await backup).toMatchObject({
    code: 0,
    output: expect.stringMatching(/the store, 1 file and the key.*secret/),
  });
  expect(during).toBeGreaterThan(0);
  if (process.platform !== 'win32') expect(statSync(archive).mode & 0o777).toBe(0o600);
  expect(readdirSync(data).toSorted()).toEqual(['files', 'key', 'lock', 'store']);

  const restored = join(folder, 'restored');
  mkdirSync(restored);
  expect(await run(['restore', archive, '--data', restored])).toMatchObject({ code: 0 });
  const second = await start(restored);
  expect(await read(second.url)).toContain(before.slice(0, -1));
  expect(await (await fetch(second.url + path)).text()).toBe('A roof.');
  const tokens = ['token', 'list', '--reveal'];
  expect(await run([...tokens, '--data', restored])).toEqual(await run(tokens));
  if (process.platform !== 'win32') expect(statSync(join(restored, 'key')).mode & 0o777).toBe(0o600);
});

test('backs up a stopped origin', async () => {
  const before = await read(origin.url);
  await origin.kill();
  const file = join(folder, 'stopped.tar.gz');
  expect(await run(['backup', file, '--json'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('"files":1'),
  });
  const restored = join(folder, 'restored-stopped');
  expect(await run(['restore', file, '--data', restored])).toMatchObject({ code: 0 });
  expect(await read((await start(restored)).url)).toBe(before);
});

test('never replaces a backup or a data folder', async () => {
  expect(await run(['backup', archive])).toMatchObject({ code: 1, output: expect.stringContaining('already exists') });
  expect(await run(['restore', archive])).toMatchObject({
    code: 1,
    output: expect.stringMatching(/not empty.*--data/s),
  });
});

test('restores nothing from a truncated or foreign archive', async () => {
  const target = join(folder, 'nothing');
  const truncated = join(folder, 'truncated.tar.gz');
  cpSync(archive, truncated);
  truncateSync(truncated, Math.floor(statSync(archive).size / 2));
  const text = join(folder, 'text.tar.gz');
  writeFileSync(text, 'not an archive');
  const unpacked = join(folder, 'text-in-gzip.tar.gz');
  writeFileSync(unpacked, gzipSync('not an archive'.repeat(100)));
  const foreign = join(folder, 'foreign.tar.gz');
  await promisify(execFile)('tar', ['czf', foreign, '-C', folder, 'bootstrap.json']);
  const partial = join(folder, 'partial.tar.gz');
  await promisify(execFile)('tar', ['czf', partial, '-C', data, 'key']);
  for (const file of [truncated, text, unpacked, foreign, partial, join(folder, 'missing')]) {
    const { code, output } = await run(['restore', file, '--data', target]);
    expect([code, output], file).toEqual([1, expect.stringMatching(/is not a complete backup: .*\nRestore another/)]);
    expect(existsSync(target)).toBe(false);
    expect(readdirSync(folder)).not.toContain('nothing.restoring');
  }
});

test.skipIf(postgres === undefined)('names the database that is not included', async () => {
  const DATABASE_URL = (await postgres?.createDatabase('backup')) ?? '';
  const [source, target, file] = [join(folder, 'source'), join(folder, 'target'), join(folder, 'postgres.tar.gz')];
  const backup = await run(['backup', file, '--data', source], { DATABASE_URL });
  expect(backup).toMatchObject({ code: 0, output: expect.stringMatching(/Saved 0 files and the key.*pg_dump/s) });
  expect(await run(['restore', file, '--data', target])).toMatchObject({
    code: 1,
    output: expect.stringContaining('Set DATABASE_URL'),
  });
  const restore = await run(['restore', file, '--data', target], { DATABASE_URL });
  expect(restore).toMatchObject({ code: 0, output: expect.stringContaining('pg_restore') });
  expect(readFileSync(join(target, 'key'))).toEqual(readFileSync(join(source, 'key')));
});
