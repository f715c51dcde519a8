import { hash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Loader, LoaderContext } from 'astro/loaders';
import type { z } from 'zod';
import {
  changeEntry,
  familyEntry,
  languageEntry,
  mediaEntry,
  pageEntry,
  postEntry,
  snapshotEntry,
  episodeEntry,
  podcastEntry,
} from '#catalogue/entries/entries.ts';
import { headRecord } from '#contracts/synced/head-record.ts';
import { projectPages, projectPosts } from '#catalogue/read-model/articles.ts';
import { toImageAsset } from '#catalogue/read-model/assets.ts';
import { projectHeads } from '#catalogue/read-model/project-heads.ts';
import { projectEpisodes, projectPodcasts } from '#catalogue/read-model/project-podcast.ts';
import { projectChanges } from '#catalogue/read-model/public-changes.ts';
import {
  languageCodes,
  listStaleSources,
  LOADER_VERSION,
  siteLanguages,
  type LoaderSource,
  type ProjectedEntry,
} from '#catalogue/read-model/with-snapshot.ts';
import { resolveSettings, type Options } from '#config/index.ts';
import { openSnapshot } from '#snapshot/index.ts';

type EntrySchema = z.ZodType<Record<string, unknown>>;

/** Loaders of the collections derived from the snapshot, by collection name. */
export function snapshotLoaders(options: Options) {
  const loader = <Schema extends EntrySchema>(
    name: string,
    schema: Schema,
    project: (source: LoaderSource) => Iterable<ProjectedEntry>,
  ) =>
    ({
      name: `sortiment-${name}`,
      schema,
      project,
      load: (context: LoaderContext) =>
        withSnapshot(context, options, (source) => replaceEntries(context, schema, project(source))),
    }) satisfies Loader & { project: unknown };
  return {
    /** Product groups of the assortment, by id. */
    families: loader('families', familyEntry, projectFamilies),
    /** Posts of the publishing site, id `<language>/<slug>`. */
    posts: loader('posts', postEntry, projectPosts),
    /** Pages of the publishing site, id `<language>/<slugs from the root>`. */
    pages: loader('pages', pageEntry, projectPages),
    /** The podcast in each language with episodes, by language. */
    podcasts: loader('podcasts', podcastEntry, projectPodcasts),
    /** Episodes of the podcast, id `<language>/<slug>`. */
    episodes: loader('episodes', episodeEntry, projectEpisodes),
    /** Page heads edited at the publishing site, by path. */
    heads: loader('heads', headRecord, projectHeads),
    /** Media of the publishing site, by their ids there. */
    media: loader('media', mediaEntry, projectMedia),
    /** The languages that are built, by code. */
    languages: loader('languages', languageEntry, projectLanguages),
    /** The single entry `current`, which identifies the snapshot that pages are built from. */
    snapshot: loader('snapshot', snapshotEntry, ({ snapshot }) => [
      {
        id: 'current',
        data: { digest: snapshot.digest(), taken: snapshot.takenAt(), stale: listStaleSources(snapshot) },
      },
    ]),
    /** The latest runs with changes, for the change feeds. */
    changes: loader('changes', changeEntry, projectChanges),
  };
}

/** Collections that every sync changes. If no record has changed, a build loads only these. */
export const RUN_COLLECTIONS: ReadonlySet<string> = new Set(['snapshot', 'changes']);

function projectFamilies({ snapshot }: LoaderSource): ProjectedEntry[] {
  return snapshot
    .families()
    .map(({ id, names, descriptions }, position) => ({ id, data: { names, descriptions, position } }));
}

/** Languages that the interface doesn't list aren't built. */
function projectLanguages({ snapshot, options, warn }: LoaderSource): ProjectedEntry[] {
  const { languages, mainLanguage } = options;
  const listed = snapshot.languages().map(({ code }) => code);
  const unknown = new Set([mainLanguage, ...(languages === 'all' ? [] : languages)]).difference(new Set(listed));
  if (listed.length > 0 && unknown.size > 0)
    warn(
      `src/sortiment.config.ts names ${[...unknown].join(', ')}, which the product interface doesn't list (${listed.join(', ')}). These languages aren't built. Correct \`languages\` or \`mainLanguage\`.`,
    );
  return siteLanguages(snapshot, options).map(({ code, name }, position) => ({
    id: code,
    data: { code, name, position, main: code === mainLanguage },
  }));
}

/** Media with the fetched image, if there is one. */
function* projectMedia({ snapshot }: LoaderSource): Generator<ProjectedEntry> {
  for (const { id, title, url, mimeType, alt, caption } of snapshot.records('media')) {
    const bytes = snapshot.asset(url, 'image')?.bytes;
    const image = toImageAsset(snapshot, url, { alt, caption });
    yield { id: String(id), data: { title, url, mimeType, bytes, image } };
  }
}

/** Opens the project's snapshot for a loader, and closes it afterwards. */
export async function withSnapshot(
  context: LoaderContext,
  options: Options,
  load: (source: LoaderSource) => void | Promise<void>,
): Promise<void> {
  const { snapshotPath } = resolveSettings(fileURLToPath(context.config.root), options);
  const snapshot = openSnapshot(snapshotPath, { readOnly: true });
  try {
    const languages = languageCodes(snapshot, options);
    await load({ snapshot, options, languages, warn: (message) => context.logger.warn(message) });
  } finally {
    snapshot.close();
  }
}

/** An entry as Astro stores it. */
export interface StoredEntry {
  id: string;
  data: Record<string, unknown>;
  digest?: string | number;
}

/**
 * Validates projected entries. The digest of an entry covers everything that a page can show of it; if it is unchanged,
 * the previous entry is returned.
 */
export function createEntries(
  schema: EntrySchema,
  projected: Iterable<ProjectedEntry>,
  previous: (id: string) => StoredEntry | undefined,
): StoredEntry[] {
  return Array.from(projected, ({ id, data, digestInputs, html, derive }) => {
    const digest = hash('sha1', `${LOADER_VERSION} ${JSON.stringify([data, digestInputs])}`, 'base64url');
    const known = previous(id);
    if (known?.digest === digest) return known;
    const text = html?.();
    const fullData = { ...data, ...(text !== undefined && { html: text }), ...derive?.(text ?? '') };
    return { id, digest, data: schema.parse(fullData) };
  });
}

/** Replaces the entries of a collection in Astro's store. An invalid entry leaves the collection unchanged. */
function replaceEntries(
  { store, logger, collection }: LoaderContext,
  schema: EntrySchema,
  projected: Iterable<ProjectedEntry>,
): void {
  const entries = createEntries(schema, projected, (id) => store.get(id));
  const removed = new Set(store.keys()).difference(new Set(entries.map(({ id }) => id)));
  const written = entries.filter((entry) => store.set(entry));
  for (const id of removed) store.delete(id);
  logger
    .fork(`loader:${collection}`)
    .info(`${entries.length} entries, ${written.length} new or changed, ${removed.size} removed`);
}
