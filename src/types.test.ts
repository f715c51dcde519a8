import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { AUDIT_FOLDER } from '#testing/audit-tools.ts';

const ROOT = path.dirname(import.meta.dirname);

test('pages, components and modules have no type errors', { timeout: 600_000 }, async () => {
  const check = path.join(AUDIT_FOLDER, 'node_modules/@astrojs/check/bin/astro-check.js');
  const args = [check, '--root', ROOT, '--minimumSeverity', 'error'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 }).catch(
    (error: unknown) => error as { stdout: string },
  );
  expect(stdout).toMatch(/Result \(\d{3,} files\)/);
  expect(stdout).toMatch(/\n- 0 errors/);
});
