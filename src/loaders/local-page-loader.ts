import type { Loader } from 'astro/loaders';
import { isReservedPath } from '#catalogue/addresses/paths.ts';
import type { Options } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import { withSnapshot, type LoaderSource } from '#product-index/with-snapshot.ts';
import path from 'node:path';

const FOLDER = 'content/pages/';

/**
 * Collection `localPages`: pages written in this project, with the id `<language>/<slug path>` from their file names.
 * Warns about pages that are never shown.
 * @param files Reads the files.
 * @throws SortimentError PAGE_MISNAMED
 */
export function localPageLoader(options: Options, files: Loader): Loader {
  return {
    name: 'sortiment-local-pages',
    load: (context) =>
      withSnapshot(context, options, async (source) => {
        await files.load(context);
        const checkLanguage = createLanguageCheck(source);
        for (const [id, { filePath }] of context.store.entries()) {
          const [language = '', ...rest] = id.split('/');
          const file = filePath ?? `${FOLDER}${id}.mdx`;
          if (!file.endsWith(`${FOLDER}${id}.mdx`)) throw misnamed(file, id);
          checkLanguage(file, language);
          if (isReservedPath(rest.join('/')))
            source.warn(`${file} is skipped: its address is reserved for the catalogue. Rename it.`);
        }
      }),
  };
}

/** Search and links rely on the file name. */
function misnamed(file: string, id: string): SortimentError {
  return new SortimentError('PAGE_MISNAMED', `${file}: the file name doesn't match the address of its page.`, {
    hint: `Rename it to ${id}.mdx. Use only lowercase letters, digits and hyphens.`,
  });
}

/**
 * Creates a check for files in a language folder. It returns false, with one warning per folder, if the site has no
 * such language. Known languages that aren't built pass.
 */
export function createLanguageCheck({
  snapshot,
  languages,
  warn,
}: Pick<LoaderSource, 'snapshot' | 'languages' | 'warn'>): (file: string, language: string) => boolean {
  const known = new Set([...languages, ...snapshot.languages().map(({ code }) => code)]);
  const reported = new Set<string>();
  return (file, language) => {
    if (known.has(language)) return true;
    if (!reported.has(language)) {
      reported.add(language);
      const folders = languages.map((code) => `${code}/`).join(', ');
      warn(
        `${path.posix.dirname(file)}/: "${language}" isn't a language of the site, so its files aren't shown. Move them to ${folders}, or delete them.`,
      );
    }
    return false;
  };
}
