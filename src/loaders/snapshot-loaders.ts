import type { Options } from '#config/index.ts';
import { editedHead } from '#model/edited-head.ts';
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

/** Loaders of the collections that come from the snapshot that a sync has committed, by the collections' names. */
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

/** Collection `pages`: pages of the publishing site, id `<language>/<slugs from the top>`. */
export function pageLoader(options: Options) {
  return projectedLoader(options, 'pages', pageEntry, projectPages);
}

/** Collection `posts`: posts of the publishing site, id `<language>/<slug>`. */
export function postLoader(options: Options) {
  return projectedLoader(options, 'posts', postEntry, projectPosts);
}

/** Collection `podcasts`: the podcast in each language that has episodes, by language. */
export function podcastLoader(options: Options) {
  return projectedLoader(options, 'podcasts', podcastEntry, projectPodcasts);
}

/** Collection `episodes`: episodes of the podcast, id `<language>/<slug>`. */
export function episodeLoader(options: Options) {
  return projectedLoader(options, 'episodes', episodeEntry, projectEpisodes);
}

/** Collection `heads`: what the publishing site wants heads of pages to say, by their paths. */
export function headLoader(options: Options) {
  return projectedLoader(options, 'heads', editedHead, projectHeads);
}

/** Collection `families`: the groups of the assortment, by their ids there. */
export function familyLoader(options: Options) {
  return projectedLoader(options, 'families', familyEntry, projectFamilies);
}

function projectFamilies({ snapshot }: LoaderSource): ProjectedEntry[] {
  return snapshot
    .families()
    .map(({ id, names, descriptions }, position) => ({ id, data: { names, descriptions, position } }));
}

/** Collection `languages`: what is built, by code. */
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
