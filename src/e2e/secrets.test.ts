import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, it } from 'vitest';

const run = promisify(execFile);
const folder = inject('projectFolder');

it('keeps the token out of everything that is built, stored, cached or printed', async () => {
  const { stdout } = await run(process.execPath, ['scripts/origin.ts', 'token', 'list', '--reveal', '--json'], {
    cwd: folder,
  });
  const tokens = [...new Set(stdout.match(/\b[0-9a-f]{40}\b/g))];
  expect(tokens.length).toBeGreaterThan(0);

  const files = await readdir(folder, { recursive: true });
  const places = files.filter(
    (file) => /^(dist|\.astro|\.sortiment)(\/|$)/.test(file) && !file.startsWith('.sortiment/origin'),
  );
  expect(places.length).toBeGreaterThan(100);
  for (const place of places) {
    const file = path.join(folder, place);
    if (!(await stat(file)).isFile()) continue;
    const bytes = await readFile(file);
    for (const token of tokens) expect(bytes.includes(token), place).toBe(false);
  }
  const printed = await readFile(inject('startFile').served, 'utf8');
  for (const token of tokens) expect(printed).not.toContain(token);
});
