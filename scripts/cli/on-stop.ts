import { parentGone } from './parent-gone.ts';

/** Runs once when somebody ends the program (Ctrl+C, a process manager), then lets it end. */
export function onStop(stop: () => Promise<void>): void {
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
  parentGone().addEventListener('abort', end, { once: true });
}
