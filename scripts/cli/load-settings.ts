import path from 'node:path';
import { resolveSettings, type Settings } from '#config/index.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/**
 * The choices and the environment of this project. The choices are loaded only here, so that a mistake in them is an
 * error like any other.
 */
export async function loadSettings(): Promise<Settings> {
  const { default: options } = await import('#sortiment.config.ts');
  return resolveSettings(ROOT, options);
}
