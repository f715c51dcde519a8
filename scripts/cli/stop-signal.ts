import { exitInterrupted } from './run-command.ts';

/** Returns a signal that is aborted when the program is stopped: pending work leaves everything unchanged. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  exitInterrupted();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}
