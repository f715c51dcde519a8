import type { Loader } from 'astro/loaders';
import type { Options } from '../config/index.ts';
import { languageEntry } from './entries.ts';
import { readingSnapshot, type LoaderSource } from './loader-source.ts';
import { replaceEntries, type ProjectedEntry } from './replace-entries.ts';
import { siteLanguages } from './site-languages.ts';

/** Collection `languages`: what is built, by code. */
export function languageLoader(options: Options) {
  return {
    name: 'sortiment-languages',
    schema: languageEntry,
    load: (context) => readingSnapshot(context, options, (source) => replaceEntries(context, projectLanguages(source))),
  } satisfies Loader;
}

function projectLanguages({ snapshot, options }: LoaderSource): ProjectedEntry[] {
  return siteLanguages(snapshot, options).map(({ code, name }, position) => ({
    id: code,
    data: { code, name, position, main: code === options.mainLanguage },
  }));
}
