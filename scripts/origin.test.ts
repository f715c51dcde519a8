import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { temporaryFolder } from '#origin/platform/store/testing/temporary-folder.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const dataFolder = temporaryFolder();
const environment = { ...process.env, NO_COLOR: '1', DATABASE_URL: '', SITE_URL: '', BOOTSTRAP: '', PORT: '0' };

function start(...args: string[]) {
  const script = join(import.meta.dirname, 'origin.ts');
  const env = { ...environment, DATA_DIR: dataFolder };
  return spawn(process.execPath, [script, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function run(...args: string[]) {
  const command = start(...args);
  const said = { code: 0, stdout: '', stderr: '' };
  command.stdout.on('data', (chunk) => (said.stdout += String(chunk)));
  command.stderr.on('data', (chunk) => (said.stderr += String(chunk)));
  [said.code] = (await once(command, 'close')) as [number];
  return said;
}

let origin: ReturnType<typeof start>;
let url = '';
beforeAll(async () => {
  origin = start();
  const [said] = await once(origin.stdout, 'data');
  url = /http:\/\/127\.0\.0\.1:\d+/.exec(String(said))?.[0] ?? '';
});
afterAll(() => void origin.kill('SIGKILL'));

test('serves, and says where', async () => {
  expect((await fetch(`${url}/rest/`)).status).toBe(200);
});

test('commands speak to the origin that runs: what they do shows at once', async () => {
  const file = join(dataFolder, 'products.ndjson');
  const record = { name: 'Band', gtin: '9524010000016', language: 'de-de', availability: 'available', price: 12.5 };
  writeFileSync(file, `${JSON.stringify(record)}\n`);
  expect(await run('product', 'import', file)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('language add'),
  });
  expect(await run('language', 'add', 'de-de')).toMatchObject({ code: 0 });
  expect(await run('product', 'import', file, '--json')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('"changed":1'),
  });
  expect(await run('product', 'set', '9524010000016', 'price=13.40', 'intro=Klebt gut')).toMatchObject({
    code: 0,
    stderr: '',
  });

  const made = await run('token', 'create', '--label', 'shop', '--json');
  const { token } = JSON.parse(made.stdout) as { token: string };
  const product = await fetch(`${url}/api/partner/v1/product/9524010000016/`, {
    headers: { authorization: `Token ${token}` },
  });
  expect(await product.json()).toMatchObject({ price: 13.4, intro: 'Klebt gut' });
});

test('has no demo content unless it is asked for', async () => {
  expect(await (await fetch(`${url}/rest/core/v2/posts`)).json()).toEqual([]);
});

test('a failed command says why and what to do, without a stack', async () => {
  const { code, stderr } = await run('product', 'set', '9524010000016', 'price=cheap');
  expect(code).toBe(1);
  expect(stderr).toBe(
    '9524010000016 de-de would be invalid:\n  price is not a number with a decimal point\n' +
      'Nothing was changed. Correct the values and run the command again.\n',
  );
});

test.each([
  [['--colour']],
  [['tokens']],
  [['token']],
  [['token', 'revoke', 'x']],
  [['--port', 'x']],
  [['user', 'create', 'a']],
])('%j is wrong usage', async (args) => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).not.toContain('    at ');
});

test('SIGTERM ends it well: exit code 0, no lock left', async () => {
  origin.kill('SIGTERM');
  const [code] = await once(origin, 'exit');
  expect(code).toBe(0);
  expect(existsSync(join(dataFolder, 'lock'))).toBe(false);
  expect((await run('product', 'list')).stdout).toContain('9524010000016');
});
