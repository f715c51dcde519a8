import type { Loader } from 'astro/loaders';
import type { Options } from '#config/index.ts';
import { languageEntry } from '#model/entries.ts';
import { withSnapshot, type LoaderSource } from '#product-index/with-snapshot.ts';
import { replaceEntries, type ProjectedEntry } from '#product-index/replace-entries.ts';
import { siteLanguages } from '#product-index/site-languages.ts';

/** Collection `languages`: what is built, by code. */
export function languageLoader(options: Options) {
  return {
    name: 'sortiment-languages',
    schema: languageEntry,
    load: (context) =>
      withSnapshot(context, options, (source) => {
        warnOfUnknown(source);
        return replaceEntries(context, projectLanguages(source));
      }),
  } satisfies Loader;
}

function projectLanguages({ snapshot, options }: LoaderSource): ProjectedEntry[] {
  return siteLanguages(snapshot, options).map(({ code, name }, position) => ({
    id: code,
    data: { code, name, position, main: code === options.mainLanguage },
  }));
}

/** What the interface doesn't list isn't built, and texts fall back to what there is. */
function warnOfUnknown({ snapshot, options: { languages, mainLanguage }, warn }: LoaderSource): void {
  const listed = snapshot.languages().map(({ code }) => code);
  if (listed.length === 0) return;
  const named = new Set([mainLanguage, ...(languages === 'all' ? [] : languages)]);
  const unknown = [...named].filter((code) => !listed.includes(code));
  if (unknown.length > 0)
    warn(
      `src/sortiment.config.ts names ${unknown.join(', ')}, which the product interface doesn't list (${listed.join(', ')}), and so it isn't built. Correct \`languages\` or \`mainLanguage\`.`,
    );
}
