import { spawn } from 'node:child_process';
import type { HookOptions } from '../../../config/hook-options.ts';
import type { SentMessage, Verdict } from './hook-target.ts';

type CommandHook = Extract<HookOptions, { type: 'command' }>;

export interface CommandPlace {
  /** Folder to run in. */
  folder: string;
  environment: NodeJS.ProcessEnv;
}

/**
 * Runs a program with the event on its standard input and the message's id in SORTIMENT_MESSAGE_ID. Exit code 0 is a
 * delivery. What it prints is not read: it may hold anything.
 */
export function runHookCommand(
  { command: [program, ...words], timeoutSeconds }: CommandHook,
  { id, body }: SentMessage,
  { folder, environment }: CommandPlace,
): Promise<Verdict> {
  return new Promise<Verdict>((resolve) => {
    const child = spawn(program, words, {
      cwd: folder,
      env: { ...environment, SORTIMENT_MESSAGE_ID: id },
      shell: false,
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: timeoutSeconds * 1000,
      killSignal: 'SIGKILL',
    });
    const failed = (problem: string): void => resolve({ outcome: 'failed', problem });
    child.once('error', (error) => failed('code' in error ? String(error.code) : 'not started'));
    child.once('exit', (code, signal) => {
      if (code === 0) resolve({ outcome: 'delivered' });
      else if (code !== null) failed(`exit code ${code}`);
      else failed(child.killed ? `timed out after ${timeoutSeconds} s` : `ended by ${signal}`);
    });
    // It need not read what it is told.
    child.stdin.on('error', () => undefined);
    child.stdin.end(body);
  }).catch((): Verdict => ({ outcome: 'failed', problem: 'not started' }));
}
