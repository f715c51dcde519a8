import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(path.join(tmpdir(), 'create-'));
afterAll(() => rmSync(folder, { recursive: true }));

function create(...args: string[]) {
  const script = path.join(import.meta.dirname, 'create.ts');
  return spawnSync(process.execPath, [script, ...args, '--yes'], { cwd: folder, encoding: 'utf8' });
}

it('writes names with quotes and umlauts, and languages in any case', () => {
  const { stdout } = create('site', "--name=Müller's \\ Söhne", '--languages=de-DE,fr-fr,de-de');
  expect(stdout).toContain('content/assortment/products.csv');
  const config = readFileSync(path.join(folder, 'site/src/sortiment.config.ts'), 'utf8');
  expect(config).toContain(String.raw`name: 'Müller\'s \\ Söhne'`);
  expect(config).toContain("languages: ['de-de', 'fr-fr']");
});

it.each([
  [['--languages=xx'], '--languages is "xx". Enter codes such as nl-nl,en-gb.'],
  [['--accent=#ffcc00'], '--accent is "#ffcc00". Enter a colour such as #0a6bc9, with a contrast of at least 4.5'],
  [['--product-url=example.com'], 'Enter an address such as https://example.com, or nothing.'],
  [['of ours'], '"of ours" is one argument too many.'],
])('refuses %j and writes nothing', (args, message) => {
  const { status, stdout, stderr } = create('new', ...args);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
});

it('refuses a folder with files before it asks', () => {
  create('taken');
  expect(create('taken')).toMatchObject({ status: 1, stderr: expect.stringContaining('taken is not empty') });
});
