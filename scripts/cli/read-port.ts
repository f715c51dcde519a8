import { readEnvironment } from '#config/index.ts';
import { ROOT } from './load-settings.ts';
import { UsageError } from './usage-error.ts';

const DEFAULT_PORT = 4321;

/** `--port`, else PORT, else 4321. */
export function readPort(given: string | undefined): number {
  if (given === undefined) return readEnvironment(ROOT).PORT ?? DEFAULT_PORT;
  const port = Number(given);
  if (/^\d+$/.test(given) && port <= 65_535) return port;
  throw new UsageError(`"${given}" is not a port.`, 'Give --port a number up to 65535.');
}
