import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';

const load = (file: string) => `await import(${JSON.stringify(import.meta.resolve(file))})`;

it.each([
  [
    'a server',
    `const { onStop } = ${load('./on-stop.ts')}; onStop(async () => undefined); setInterval(() => 0, 1000);`,
  ],
  [
    'a command that leaves things as they were, and fails',
    `const { stopSignal } = ${load('./stop-signal.ts')}; const signal = stopSignal();
     const timer = setInterval(() => { if (signal.aborted) { clearInterval(timer); process.exitCode = 1; } }, 5);`,
  ],
])('%s ends with 130 after Ctrl+C', async (_, source) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', `${source} console.log('ready');`]);
  await once(child.stdout, 'data');
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([130, null]);
});
