import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Options, Settings } from '#config/index.ts';
import { PACKAGE_FOLDER } from '#files/package-folder.ts';

const OPTIONS_FILE = 'src/sortiment.config.ts';

/** Folder of the project: a checkout of Sortiment, else the current folder. */
export const ROOT = existsSync(path.join(PACKAGE_FOLDER, OPTIONS_FILE)) ? PACKAGE_FOLDER : process.cwd();

/**
 * Loads the options and the environment of this project. Only loaded here, so that a mistake is reported like any other
 * error and doesn't delay the help.
 */
export async function loadSettings(): Promise<Settings> {
  const { resolveSettings } = await import('#config/index.ts');
  return resolveSettings(ROOT, await loadOptions());
}

/** @throws SortimentError CONFIG_MISSING if the project has no options. */
export async function loadOptions(): Promise<Options> {
  const file = path.join(ROOT, OPTIONS_FILE);
  if (!existsSync(file)) {
    const { SortimentError } = await import('#contracts/index.ts');
    throw new SortimentError('CONFIG_MISSING', `${ROOT} has no ${OPTIONS_FILE}.`, {
      hint: 'Change to the folder of your project, or create one with `npm create sortiment`.',
    });
  }
  const { default: options } = (await import(pathToFileURL(file).href)) as { default: Options };
  return options;
}
