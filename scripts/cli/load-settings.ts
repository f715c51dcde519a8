import path from 'node:path';
import type { Settings } from '#config/index.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/**
 * Loads the options and the environment of this project. Only loaded here, so that a mistake is reported like any other
 * error and doesn't delay the help.
 */
export async function loadSettings(): Promise<Settings> {
  const { resolveSettings } = await import('#config/index.ts');
  const { default: options } = await import('#sortiment.config.ts');
  return resolveSettings(ROOT, options);
}
