import { flushCompileCache } from 'node:module';
import { parentGone } from './parent-gone.ts';
import { exitInterrupted } from './run-command.ts';

// From when this file is loaded: npm may end while a program still starts.
const npmGone = parentGone();

/**
 * Runs once when somebody ends the program (Ctrl+C, a process manager), then lets it end. What was compiled is kept for
 * the next start at once, as not every end is one that leaves time for it.
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
