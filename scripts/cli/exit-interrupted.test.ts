import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFailed } from 'vitest';

const run = (source: string, env: NodeJS.ProcessEnv = process.env) =>
  spawn(process.execPath, ['--input-type=module', '-e', source], { env });

const load = (file: string) => `await import(${JSON.stringify(import.meta.resolve(file))})`;

it.each([
  ['a server', `const { onStop } = ${load('./stop.ts')}; onStop(async () => undefined); setInterval(() => 0, 1000);`],
  [
    'a command that leaves things as they were, and fails',
    `const { stopSignal } = ${load('./stop.ts')}; const signal = stopSignal();
     const timer = setInterval(() => { if (signal.aborted) { clearInterval(timer); process.exitCode = 1; } }, 5);`,
  ],
])('%s ends with 130 after Ctrl+C', async (_, source) => {
  const child = run(`${source} console.log('ready');`);
  await once(child.stdout, 'data');
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([130, null]);
});

/** Simulates the shell in which npm runs a script; the program writes to the same pipe. */
const shellAround = (program: string) =>
  `const { spawn } = await import('node:child_process');
   spawn(process.execPath, ['--input-type=module', '-e', ${JSON.stringify(program)}], { stdio: 'inherit' });`;

it.skipIf(process.platform === 'win32').each([
  ['has just ended', `while (process.ppid === parent) await new Promise((resolve) => setTimeout(resolve, 5));`],
  ['was seen to have ended', `await new Promise((resolve) => gone.addEventListener('abort', resolve));`],
])('a server whose npm %s during its start ends', async (_, wait) => {
  // The process ID is printed last: the test ends the parent as soon as it reads it.
  const program = `const { onStop, parentExitSignal } = ${load('./stop.ts')};
    const parent = process.ppid; const gone = parentExitSignal(); setInterval(() => 0, 1000);
    console.log(process.pid); ${wait} onStop(async () => undefined);`;
  const shell = run(shellAround(program), { ...process.env, npm_lifecycle_event: 'start' });
  const [pid] = await once(shell.stdout, 'data');
  onTestFailed(() => void process.kill(Number(pid)));
  shell.kill('SIGKILL');
  // Waits until the program has closed the pipe as well.
  await once(shell, 'close');
});

it('a command that ends by itself is not kept from it', async () => {
  const child = run(`${load('./stop.ts')};`, { ...process.env, npm_lifecycle_event: 'start' });
  expect(await once(child, 'close')).toEqual([0, null]);
});
