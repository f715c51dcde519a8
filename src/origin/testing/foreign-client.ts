import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const FOLDER = join(import.meta.dirname, '../../../.config/foreign-clients');

/** What to do where there are none; the name of a test that is left out. */
export const NO_FOREIGN_CLIENTS =
  'not tried: `npm ci --prefix .config/foreign-clients` installs what others have written';

/**
 * A client library of others. They are heavy, partly unmaintained and partly under the GPL, so they are installed apart.
 *
 * @param from whose copy of it: another of these libraries
 * @returns undefined where they are not installed
 */
export function foreignClient<T>(name: string, from?: string): T | undefined {
  if (!existsSync(join(FOLDER, 'node_modules', from ?? name))) return undefined;
  const require = createRequire(join(FOLDER, 'package.json'));
  return (from === undefined ? require : createRequire(require.resolve(from)))(name) as T;
}
