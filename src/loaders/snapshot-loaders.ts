import type { Options } from '#config/index.ts';
import { headRecord } from '#contracts/synced/head-record.ts';
import { mediaEntry, pageEntry, postEntry, familyEntry, languageEntry, snapshotEntry } from '#model/entries.ts';
import { episodeEntry, podcastEntry } from '#model/podcast.ts';
import { type ProjectedEntry, replaceEntries } from '#product-index/project-products.ts';
import { siteLanguages, type LoaderSource, withSnapshot } from '#product-index/with-snapshot.ts';
import { projectHeads } from '#projection/project-heads.ts';
import { projectMedia } from '#projection/project-media.ts';
import { projectPages, projectPosts } from '#projection/articles.ts';
import { projectEpisodes, projectPodcasts } from '#projection/project-podcast.ts';
import { changeEntry } from '#model/change-entry.ts';
import { projectChanges } from '#projection/public-changes.ts';
import { listStaleSources } from '#projection/stale-sources.ts';
import type { Loader, LoaderContext } from 'astro/loaders';
import type { z } from 'zod';

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
  return projectedLoader(options, 'heads', headRecord, projectHeads);
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

/**
 * Loaders of the collections that every sync changes, by collection name. If no record has changed, a build runs only
 * these.
 */
export function runLoaders(options: Options) {
  return { snapshot: snapshotLoader(options), changes: changeLoader(options) };
}

/** Collection `changes`: the latest runs with changes, for the change feeds. */
export function changeLoader(options: Options) {
  return projectedLoader(options, 'changes', changeEntry, projectChanges);
}

/** Collection `snapshot`: the single entry `current`, which identifies the snapshot that pages are built from. */
export function snapshotLoader(options: Options) {
  return projectedLoader(options, 'snapshot', snapshotEntry, ({ snapshot }) => [
    {
      id: 'current',
      data: { digest: snapshot.digest(), taken: snapshot.takenAt(), stale: listStaleSources(snapshot) },
    },
  ]);
}

/**
 * Creates the loader of a collection that is derived from the snapshot.
 * @param project Derives its entries.
 */
export function projectedLoader<Schema extends z.ZodType>(
  options: Options,
  collection: string,
  schema: Schema,
  project: (source: LoaderSource) => Iterable<ProjectedEntry>,
) {
  return {
    name: `sortiment-${collection}`,
    schema,
    project,
    load: (context: LoaderContext) =>
      withSnapshot(context, options, (source) => replaceEntries(context, project(source))),
  } satisfies Loader & { project: unknown };
}
