import { spawn, type ChildProcess } from 'node:child_process';
import type { HookOptions } from '#config/hook-options.ts';
import type { HookMessage, DeliveryResult } from './hook-target.ts';

type CommandHook = Extract<HookOptions, { type: 'command' }>;

export interface CommandContext {
  /** Working directory. */
  folder: string;
  environment: NodeJS.ProcessEnv;
  /** Stops the program and all processes that it started. */
  signal?: AbortSignal | undefined;
}

/**
 * Runs a program with the event on its standard input and the message ID in SORTIMENT_MESSAGE_ID. Exit code 0 means
 * delivered. Its output is ignored. It is killed after its timeout or when this process ends.
 */
export function runHookCommand(
  { command: [program, ...words], timeoutSeconds }: CommandHook,
  { id, body }: HookMessage,
  { folder, environment, signal }: CommandContext,
): Promise<DeliveryResult> {
  // `npm run build` starts three processes, and all must end before the next attempt. A process group ends as one.
  // Ctrl+C doesn't reach that group, so it is forwarded.
  const isGroup = signal !== undefined && process.platform !== 'win32';
  return new Promise<DeliveryResult>((resolve) => {
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
    // Don't wait for the program to stop.
    const stop = (): void => {
      killAll(child, isGroup, 'SIGTERM');
      child.unref();
      timer.unref();
      failed('stopped');
    };
    const cleanUp = (): void => {
      clearTimeout(timer);
      process.removeListener('exit', kill);
      signal?.removeEventListener('abort', stop);
    };
    process.once('exit', kill);
    signal?.addEventListener('abort', stop, { once: true });
    child.once('error', (error) => {
      cleanUp();
      failed('code' in error ? String(error.code) : 'not started');
    });
    child.once('exit', (code, killedBy) => {
      cleanUp();
      if (code === 0) resolve({ outcome: 'delivered' });
      else failed(code === null ? `ended by ${killedBy}` : `exit code ${code}`);
    });
    // The program need not read its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(body);
  }).catch((): DeliveryResult => ({ outcome: 'failed', problem: 'not started' }));
}

function killAll(child: ChildProcess, isGroup: boolean, signal: NodeJS.Signals): void {
  try {
    if (isGroup && child.pid !== undefined) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // Already ended.
  }
}
