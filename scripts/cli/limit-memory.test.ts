import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';

const OPTION = '--max-semi-space-size=8';

it.runIf(process.platform === 'linux').each([
  ['', '', [OPTION, '--no-deprecation'], '2'],
  ['--max-semi-space-size=32', '', ['--no-deprecation'], '2'],
  ['', '{ malloc: false }', [OPTION, '--no-deprecation'], null],
  ['--max-semi-space-size=32', '{ malloc: false }', ['--no-deprecation'], null],
])('restarts a program silently, with NODE_OPTIONS "%s" and %s', (options, argument, execArgv, arenas) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'limit-memory-'));
  const file = path.join(folder, 'program.ts');
  const module = JSON.stringify(import.meta.resolve('./limit-memory.ts'));
  writeFileSync(
    file,
    `import { limitMemory } from ${module};
     limitMemory(${argument});
     console.log(JSON.stringify([process.pid, process.execArgv, process.argv.slice(2), process.env.MALLOC_ARENA_MAX]));
     process.exitCode = 10;`,
  );
  const { MALLOC_ARENA_MAX: _, ...env } = process.env;
  const { pid, status, stdout, stderr } = spawnSync(process.execPath, ['--no-deprecation', file, '--json', 'a b'], {
    env: { ...env, NODE_OPTIONS: options },
    encoding: 'utf8',
  });
  rmSync(folder, { recursive: true });
  expect([status, stderr]).toEqual([10, '']);
  expect(JSON.parse(stdout)).toEqual([pid, execArgv, ['--json', 'a b'], arenas]);
});
