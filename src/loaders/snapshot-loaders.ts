import type { Loader } from 'astro/loaders';
import type { Options } from '#config/index.ts';
import { editedHead } from '#model/edited-head.ts';
import { mediaEntry, pageEntry, postEntry, familyEntry, languageEntry } from '#model/entries.ts';
import { episodeEntry, podcastEntry } from '#model/podcast.ts';
import { replaceEntries, type ProjectedEntry } from '#product-index/replace-entries.ts';
import { siteLanguages } from '#product-index/site-languages.ts';
import { withSnapshot, type LoaderSource } from '#product-index/with-snapshot.ts';
import { projectHeads } from '#projection/project-heads.ts';
import { projectMedia } from '#projection/project-media.ts';
import { projectPages } from '#projection/project-pages.ts';
import { projectEpisodes, projectPodcasts } from '#projection/project-podcast.ts';
import { projectPosts } from '#projection/project-posts.ts';
import { productLoader } from './product-loader.ts';
import { runLoaders } from './run-loaders.ts';

/** Loaders of the collections that come from the snapshot that a sync has committed, by the collections' names. */
export function snapshotLoaders(options: Options) {
  return {
    products: productLoader(options),
    families: familyLoader(options),
    posts: postLoader(options),
    pages: pageLoader(options),
    podcasts: podcastLoader(options),
    episodes: episodeLoader(options),
    heads: headLoader(options),
    media: mediaLoader(options),
    languages: languageLoader(options),
    ...runLoaders(options),
  };
}

/** Collection `media`: media of the publishing site, by their ids there. */
export function mediaLoader(options: Options) {
  return {
    name: 'sortiment-media',
    schema: mediaEntry,
    load: (context) => withSnapshot(context, options, (source) => replaceEntries(context, projectMedia(source))),
  } satisfies Loader;
}

/** Collection `pages`: pages of the publishing site, id `<language>/<slugs from the top>`. */
export function pageLoader(options: Options) {
  return {
    name: 'sortiment-pages',
    schema: pageEntry,
    load: (context) => withSnapshot(context, options, (source) => replaceEntries(context, projectPages(source))),
  } satisfies Loader;
}

/** Collection `posts`: posts of the publishing site, id `<language>/<slug>`. */
export function postLoader(options: Options) {
  return {
    name: 'sortiment-posts',
    schema: postEntry,
    load: (context) => withSnapshot(context, options, (source) => replaceEntries(context, projectPosts(source))),
  } satisfies Loader;
}

/** Collection `podcasts`: the podcast in each language that has episodes, by language. */
export function podcastLoader(options: Options) {
  return {
    name: 'sortiment-podcasts',
    schema: podcastEntry,
    load: (context) => withSnapshot(context, options, (source) => replaceEntries(context, projectPodcasts(source))),
  } satisfies Loader;
}

/** Collection `episodes`: episodes of the podcast, id `<language>/<slug>`. */
export function episodeLoader(options: Options) {
  return {
    name: 'sortiment-episodes',
    schema: episodeEntry,
    load: (context) => withSnapshot(context, options, (source) => replaceEntries(context, projectEpisodes(source))),
  } satisfies Loader;
}

/** Collection `heads`: what the publishing site wants heads of pages to say, by their paths. */
export function headLoader(options: Options) {
  return {
    name: 'sortiment-heads',
    schema: editedHead,
    load: (context) => withSnapshot(context, options, (source) => replaceEntries(context, projectHeads(source))),
  } satisfies Loader;
}

/** Collection `families`: the groups of the assortment, by their ids there. */
export function familyLoader(options: Options) {
  return {
    name: 'sortiment-families',
    schema: familyEntry,
    load: (context) => withSnapshot(context, options, (source) => replaceEntries(context, projectFamilies(source))),
  } satisfies Loader;
}

function projectFamilies({ snapshot }: LoaderSource): ProjectedEntry[] {
  return snapshot
    .families()
    .map(({ id, names, descriptions }, position) => ({ id, data: { names, descriptions, position } }));
}

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
