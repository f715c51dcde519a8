import { flushCompileCache } from 'node:module';

/** 128 plus the number of SIGINT, as in shells. */
const EXIT_INTERRUPTED = 130;
const POLL_MS = 500;

/**
 * Returns a signal that is aborted when npm exits. npm sends signals to the shell that runs a script, and some shells
 * exit without forwarding them. Without npm the parent is ignored.
 */
export function parentExitSignal(): AbortSignal {
  const controller = new AbortController();
  const parent = process.ppid;
  if (process.env['npm_lifecycle_event'] === undefined) return controller.signal;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    controller.abort();
  }, POLL_MS);
  timer.unref();
  return controller.signal;
}

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

/** Returns a signal that is aborted when the program is stopped: pending work leaves everything unchanged. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  exitInterrupted();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}

/** Sets the exit code 130 after Ctrl+C, regardless of pending work. For programs with their own signal handling. */
function exitInterrupted(): void {
  process.once('SIGINT', () => {
    process.once('exit', () => {
      process.exitCode = EXIT_INTERRUPTED;
    });
  });
}
