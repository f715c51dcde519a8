import type { Options } from '#config/index.ts';
import { headEntry } from '#model/head-entry.ts';
import { mediaEntry, pageEntry, postEntry, familyEntry, languageEntry } from '#model/entries.ts';
import { episodeEntry, podcastEntry } from '#model/podcast.ts';
import type { ProjectedEntry } from '#product-index/replace-entries.ts';
import { siteLanguages } from '#product-index/site-languages.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import { projectHeads } from '#projection/project-heads.ts';
import { projectMedia } from '#projection/project-media.ts';
import { projectPages } from '#projection/project-pages.ts';
import { projectEpisodes, projectPodcasts } from '#projection/project-podcast.ts';
import { projectPosts } from '#projection/project-posts.ts';
import { projectedLoader } from './projected-loader.ts';
import { runLoaders } from './run-loaders.ts';

/** Loaders of the collections derived from the snapshot, by collection name. */
export function snapshotLoaders(options: Options) {
  return {
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
  return projectedLoader(options, 'media', mediaEntry, projectMedia);
}

/** Collection `pages`: pages of the publishing site, id `<language>/<slugs from the root>`. */
export function pageLoader(options: Options) {
  return projectedLoader(options, 'pages', pageEntry, projectPages);
}

/** Collection `posts`: posts of the publishing site, id `<language>/<slug>`. */
export function postLoader(options: Options) {
  return projectedLoader(options, 'posts', postEntry, projectPosts);
}

/** Collection `podcasts`: the podcast in each language with episodes, by language. */
export function podcastLoader(options: Options) {
  return projectedLoader(options, 'podcasts', podcastEntry, projectPodcasts);
}

/** Collection `episodes`: episodes of the podcast, id `<language>/<slug>`. */
export function episodeLoader(options: Options) {
  return projectedLoader(options, 'episodes', episodeEntry, projectEpisodes);
}

/** Collection `heads`: page heads edited at the publishing site, by path. */
export function headLoader(options: Options) {
  return projectedLoader(options, 'heads', headEntry, projectHeads);
}

/** Collection `families`: product groups of the assortment, by id. */
export function familyLoader(options: Options) {
  return projectedLoader(options, 'families', familyEntry, projectFamilies);
}

function projectFamilies({ snapshot }: LoaderSource): ProjectedEntry[] {
  return snapshot
    .families()
    .map(({ id, names, descriptions }, position) => ({ id, data: { names, descriptions, position } }));
}

/** Collection `languages`: the languages that are built, by code. */
export function languageLoader(options: Options) {
  return projectedLoader(options, 'languages', languageEntry, (source) => {
    warnOfUnknown(source);
    return projectLanguages(source);
  });
}

function projectLanguages({ snapshot, options }: LoaderSource): ProjectedEntry[] {
  return siteLanguages(snapshot, options).map(({ code, name }, position) => ({
    id: code,
    data: { code, name, position, main: code === options.mainLanguage },
  }));
}

/** Languages that the interface doesn't list aren't built. */
function warnOfUnknown({ snapshot, options: { languages, mainLanguage }, warn }: LoaderSource): void {
  const listed = snapshot.languages().map(({ code }) => code);
  if (listed.length === 0) return;
  const named = new Set([mainLanguage, ...(languages === 'all' ? [] : languages)]);
  const unknown = [...named].filter((code) => !listed.includes(code));
  if (unknown.length > 0)
    warn(
      `src/sortiment.config.ts names ${unknown.join(', ')}, which the product interface doesn't list (${listed.join(', ')}). These languages aren't built. Correct \`languages\` or \`mainLanguage\`.`,
    );
}
