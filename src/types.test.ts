import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ASTRO_CHECK } from '#files/testing/audit-tools.ts';

const ROOT = path.dirname(import.meta.dirname);

test('pages, components and modules have no type errors', { timeout: 600_000 }, async () => {
  const args = [ASTRO_CHECK, '--root', ROOT, '--minimumSeverity', 'error'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }).catch(
    (error: unknown) => error as { stdout: string },
  );
  expect(stdout).toMatch(/Result \(\d{3,} files\)/);
  expect(stdout).toMatch(/\n- 0 errors/);
});
