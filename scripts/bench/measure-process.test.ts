import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { measureProcess } from './measure-process.ts';

/** Holds 150 MB for some time. */
const HOLD = `const held = Buffer.alloc(150 * 2 ** 20, 1); setTimeout(() => held, 400);`;
/** Takes processor time. */
const WORK = `while (process.cpuUsage().user < 300_000) for (let n = 0; n < 1_000_000; n++);`;

function run(script: string, signal?: AbortSignal) {
  return measureProcess({ file: process.execPath, args: ['-e', script], cwd: tmpdir(), env: process.env }, signal);
}

it('counts the time and memory of all processes that a program starts', async () => {
  const inner = JSON.stringify(HOLD + WORK);
  const { seconds, cpuSeconds, megabytes } = await run(
    `${HOLD}; require('node:child_process').spawn(process.execPath, ['-e', ${inner}]).once('exit', () => held)`,
  );
  expect(seconds).toBeGreaterThan(0.4);
  if (!existsSync('/proc/self/stat')) return;
  expect(cpuSeconds).toBeGreaterThan(0.5);
  expect(megabytes).toBeGreaterThan(320);
});

it('tells what a program that fails has said', async () => {
  await expect(run(`console.error('no room'); process.exit(3)`)).rejects.toThrow(/ended with 3:\nno room/);
});

it('ends the program when it is stopped', async () => {
  const stop = AbortSignal.timeout(200);
  await expect(run('setInterval(() => 0, 1000)', stop)).rejects.toMatchObject({ code: 'STOPPED' });
});
