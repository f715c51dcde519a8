import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../../.config/foreign-clients');

/** Name of a skipped test, with instructions. */
export const FOREIGN_CLIENTS_MISSING =
  'skipped: run `npm ci --prefix .config/foreign-clients` to install the client libraries';

/**
 * Loads a third-party client library. They are large, partly unmaintained and partly GPL, so they are installed
 * separately.
 *
 * @param from library whose dependency is loaded
 * @returns undefined if they are not installed
 */
export function loadForeignClient<T>(name: string, from?: string): T | undefined {
  if (!existsSync(join(FOLDER, 'node_modules', from ?? name))) return undefined;
  const require = createRequire(join(FOLDER, 'package.json'));
  return (from === undefined ? require : createRequire(require.resolve(from)))(name) as T;
}
