import { readEnvironment } from '#config/index.ts';
import { ROOT } from './load-settings.ts';

/** A secret as it was given, else from the environment or `.env`; empty when it is nowhere. */
export function readSecret(given: string | undefined, name: string): string {
  readEnvironment(ROOT);
  return given ?? process.env[name] ?? '';
}
