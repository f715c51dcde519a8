import path from 'node:path';
import type { Options } from '#config/index.ts';
import { codeOf, SortimentError } from '#contracts/sortiment-error.ts';

type Origin = typeof import('#origin/server/load-origin.ts');

/**
 * Loads the embedded origin, a separate package.
 * @throws SortimentError ORIGIN_MISSING if it isn't installed.
 */
export async function importOrigin(): Promise<Origin> {
  try {
    return await import('#origin/server/load-origin.ts');
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new SortimentError('ORIGIN_MISSING', 'No upstreams are set, and the embedded origin is not installed.', {
      hint: 'Set PRODUCT_API_URL and PRODUCT_API_TOKEN, or run `npm install @sortiment/origin`.',
      cause: error,
    });
  }
}

/** Returns the options of the origin that follow from those of the catalogue. @param root Folder of the project. */
export function catalogueOptions({ publishing, mainLanguage, site, brand }: Options, root: string) {
  const { accent, logo, showsName } = brand;
  const inPublic = (file: string) => path.join(root, 'public', file);
  return {
    languageRules: { rules: publishing.language, main: mainLanguage },
    brand: {
      name: site.name,
      accent,
      logo: logo && { light: inPublic(logo.light), dark: inPublic(logo.dark) },
      showsName,
    },
  };
}
