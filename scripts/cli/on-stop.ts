import { flushCompileCache } from 'node:module';
import { parentExitSignal } from './parent-exit-signal.ts';
import { exitInterrupted } from './run-command.ts';

// Created when this file is loaded: npm may end while a program is still starting.
const npmGone = parentExitSignal();

/**
 * Runs a function once when the program is stopped (Ctrl+C, a process manager), then exits. Writes the compile cache
 * immediately, because not every exit leaves time for it.
 */
export function onStop(stop: () => Promise<void>): void {
  flushCompileCache();
  exitInterrupted();
  let stopping = false;
  const end = (): void => {
    if (stopping) return;
    stopping = true;
    stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  if (npmGone.aborted) end();
  else npmGone.addEventListener('abort', end, { once: true });
}
