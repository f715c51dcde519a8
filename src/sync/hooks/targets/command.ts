import { spawn, type ChildProcess } from 'node:child_process';
import type { HookOptions } from '#config/hook-options.ts';
import type { SentMessage, Verdict } from './hook-target.ts';

type CommandHook = Extract<HookOptions, { type: 'command' }>;

export interface CommandPlace {
  /** Folder to run in. */
  folder: string;
  environment: NodeJS.ProcessEnv;
  /** Ends the program, with all that it has started. */
  signal?: AbortSignal | undefined;
}

/**
 * Runs a program with the event on its standard input and the message's id in SORTIMENT_MESSAGE_ID. Exit code 0 is a
 * delivery. What it prints is not read: it may hold anything. When its time is over, or this process ends, so does it.
 */
export function runHookCommand(
  { command: [program, ...words], timeoutSeconds }: CommandHook,
  { id, body }: SentMessage,
  { folder, environment, signal }: CommandPlace,
): Promise<Verdict> {
  // `npm run build` is three processes, and the next attempt must not meet the last of them: a group of its own ends as
  // one. Ctrl+C doesn't reach such a group, so somebody has to hand it on.
  const isGroup = signal !== undefined && process.platform !== 'win32';
  return new Promise<Verdict>((resolve) => {
    const child = spawn(program, words, {
      cwd: folder,
      env: { ...environment, SORTIMENT_MESSAGE_ID: id },
      shell: false,
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: isGroup,
    });
    const failed = (problem: string): void => resolve({ outcome: 'failed', problem });
    const kill = (): void => killAll(child, isGroup, 'SIGKILL');
    const timer = setTimeout(() => {
      kill();
      failed(`timed out after ${timeoutSeconds} s`);
    }, timeoutSeconds * 1000);
    // It may take its time, but nobody waits for it.
    const stop = (): void => {
      killAll(child, isGroup, 'SIGTERM');
      child.unref();
      timer.unref();
      failed('stopped');
    };
    const over = (): void => {
      clearTimeout(timer);
      process.removeListener('exit', kill);
      signal?.removeEventListener('abort', stop);
    };
    process.once('exit', kill);
    signal?.addEventListener('abort', stop, { once: true });
    child.once('error', (error) => {
      over();
      failed('code' in error ? String(error.code) : 'not started');
    });
    child.once('exit', (code, by) => {
      over();
      if (code === 0) resolve({ outcome: 'delivered' });
      else failed(code === null ? `ended by ${by}` : `exit code ${code}`);
    });
    // It need not read what it is told.
    child.stdin.on('error', () => undefined);
    child.stdin.end(body);
  }).catch((): Verdict => ({ outcome: 'failed', problem: 'not started' }));
}

function killAll(child: ChildProcess, isGroup: boolean, signal: NodeJS.Signals): void {
  try {
    if (isGroup && child.pid !== undefined) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // It has ended by itself.
  }
}
