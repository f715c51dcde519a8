import type { Loader } from 'astro/loaders';
import type { Options } from '../config/index.ts';
import { languageEntry } from './entries.ts';
import { withSnapshot, type LoaderSource } from './with-snapshot.ts';
import { replaceEntries, type ProjectedEntry } from './replace-entries.ts';
import { siteLanguages } from './site-languages.ts';

/** Collection `languages`: what is built, by code. */
export function languageLoader(options: Options) {
  return {
    name: 'sortiment-languages',
    schema: languageEntry,
    load: (context) => withSnapshot(context, options, (source) => replaceEntries(context, projectLanguages(source))),
  } satisfies Loader;
}

function projectLanguages({ snapshot, options }: LoaderSource): ProjectedEntry[] {
  return siteLanguages(snapshot, options).map(({ code, name }, position) => ({
    id: code,
    data: { code, name, position, main: code === options.mainLanguage },
  }));
}
