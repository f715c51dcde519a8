import { exitInterrupted } from './run-command.ts';

/** Aborted when somebody ends the program: what is under way leaves things as they were. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  exitInterrupted();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}
