import type { Loader } from 'astro/loaders';
import { isReservedPath } from '#catalogue/addresses/paths.ts';
import type { Options } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import { withSnapshot } from '#product-index/with-snapshot.ts';
import { languageCheck } from './find-language.ts';

const FOLDER = 'content/pages/';

/**
 * Collection `localPages`: pages that are written here, id `<language>/<slug path>` as their files are named. Warns of
 * those that nobody gets to see.
 * @param files Reads the files.
 * @throws SortimentError PAGE_MISNAMED
 */
export function localPageLoader(options: Options, files: Loader): Loader {
  return {
    name: 'sortiment-local-pages',
    load: (context) =>
      withSnapshot(context, options, async (source) => {
        await files.load(context);
        const checkLanguage = languageCheck(source);
        for (const [id, { filePath }] of context.store.entries()) {
          const [language = '', ...rest] = id.split('/');
          const file = filePath ?? `${FOLDER}${id}.mdx`;
          if (!file.endsWith(`${FOLDER}${id}.mdx`)) throw misnamed(file, id);
          checkLanguage(file, language);
          if (isReservedPath(rest.join('/')))
            source.warn(`${file} is left out: its address belongs to the catalogue. Give it another name.`);
        }
      }),
  };
}

/** Search and links go by the name of the file. */
function misnamed(file: string, id: string): SortimentError {
  return new SortimentError('PAGE_MISNAMED', `${file} can't be a page by that name: its address would be another.`, {
    hint: `Name it ${id}.mdx; small letters, digits and hyphens stand in addresses as they are.`,
  });
}
