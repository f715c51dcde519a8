import path from 'node:path';
import type { Settings } from '#config/index.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/**
 * The choices and the environment of this project. They are loaded only here: so a mistake in them is an error like
 * any other, and the help doesn't wait for them.
 */
export async function loadSettings(): Promise<Settings> {
  const { resolveSettings } = await import('#config/index.ts');
  const { default: options } = await import('#sortiment.config.ts');
  return resolveSettings(ROOT, options);
}
