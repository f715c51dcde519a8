import { hash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Loader, LoaderContext } from 'astro/loaders';
import { z } from 'zod';
import {
  changeEntry,
  familyEntry,
  languageEntry,
  mediaEntry,
  pageEntry,
  postEntry,
  productEntry,
  snapshotEntry,
  episodeEntry,
  podcastEntry,
} from '#catalogue/entries/entries.ts';
import { headRecord } from '#contracts/synced/head-record.ts';
import { projectPages, projectPosts } from '#catalogue/read-model/articles.ts';
import { toImageAsset } from '#catalogue/read-model/assets.ts';
import { projectHeads } from '#catalogue/read-model/project-heads.ts';
import { projectEpisodes, projectPodcasts } from '#catalogue/read-model/project-podcast.ts';
import { openUpdatedReaders } from '#catalogue/read-model/product-readers.ts';
import { currencyOf } from '#catalogue/products/price.ts';
import { projectChanges } from '#catalogue/read-model/public-changes.ts';
import {
  languageCodes,
  listStaleSources,
  LOADER_VERSION,
  siteLanguages,
  type LoaderSource,
  type ProjectedEntry,
} from '#catalogue/read-model/with-snapshot.ts';
import { resolveSettings, type Options, type Settings } from '#config/index.ts';
import { openSnapshot, type ChangeCursor, type SnapshotReader } from '#snapshot/index.ts';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { renderContext, type CollectionEntries } from '#catalogue/site/render-context.ts';
import { replaceFile } from '#files/replace-file.ts';

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

/**
 * Creates a loader of all products, id `<language>/<gtin>`, for projects without the integration, which reads them on
 * demand.
 */
export function productLoader(options: Options) {
  return {
    name: 'sortiment-products',
    schema: productEntry,
    load: async (context: LoaderContext) => {
      using products = openUpdatedReaders(resolveSettings(fileURLToPath(context.config.root), options));
      const index = products.productIndex();
      const entries = [...index.columns()].flatMap(({ id, columns: { pageLanguage, gtin } }): ProjectedEntry[] => {
        const listed = index.product(pageLanguage, gtin);
        return listed ? [{ id, data: products.readProduct(listed) }] : [];
      });
      // Readers have already validated the records.
      replaceEntries(context, z.looseObject({}), entries);
    },
  } satisfies Loader;
}

/** Collections that every sync changes. If no record has changed, a build loads only these. */
const RUN_COLLECTIONS: ReadonlySet<string> = new Set(['snapshot', 'changes']);

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
  const built = siteLanguages(snapshot, options);
  // Throws for a language without a currency, before pages are rendered.
  for (const { code } of built) currencyOf(options.price, code);
  return built.map(({ code, name }, position) => ({
    id: code,
    data: { code, name, position, main: code === mainLanguage },
  }));
}

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
  const snapshotPath =
    renderContext.current?.snapshotPath ?? resolveSettings(fileURLToPath(context.config.root), options).snapshotPath;
  using snapshot = openSnapshot(snapshotPath, { readOnly: true });
  const languages = languageCodes(snapshot, options);
  await load({ snapshot, options, languages, warn: (message) => context.logger.warn(message) });
}

interface StoredEntry {
  id: string;
  data: Record<string, unknown>;
  digest?: string | number;
}

/**
 * Validates projected entries. The digest of an entry covers everything that a page can show of it; if it is unchanged,
 * the previous entry is returned.
 */
function createEntries(
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

/**
 * Returns the collections of the snapshot and the project. Loads those of the snapshot only if its records have
 * changed.
 */
export function currentCollections(
  settings: Settings,
  {
    snapshot,
    cursor,
    bundleFolder,
    projectCollections,
    warn,
  }: {
    snapshot: SnapshotReader;
    /** Current position in the snapshot's change log. */
    cursor: ChangeCursor;
    bundleFolder: string;
    projectCollections: ReadonlyMap<string, CollectionEntries>;
    warn: (message: string) => void;
  },
) {
  const { options } = settings;
  const cached = readCollections(bundleFolder);
  const current = cached && areCurrent(cached, snapshot) ? cached : undefined;
  const warnings = [...(current?.warnings ?? [])];
  const collections = new Map(current?.collections);
  const source: LoaderSource = {
    snapshot,
    options,
    languages: languageCodes(snapshot, options),
    warn: (message) => void warnings.push(message),
  };
  for (const [collection, { schema, project }] of Object.entries(snapshotLoaders(options))) {
    // Cached collections are still valid, except for those of runs.
    if (current && !RUN_COLLECTIONS.has(collection)) continue;
    const before = new Map(cached?.collections.get(collection)?.map((entry) => [entry.id, entry]));
    collections.set(
      collection,
      createEntries(schema, project(source), (id) => before.get(id)),
    );
  }
  for (const message of warnings) warn(message);
  const files = current?.files ?? snapshot.describeArticleFiles();
  return {
    loaded: { cursor, files, collections, warnings },
    /** All collections, as pages read them. */
    provided: new Map<string, CollectionEntries>([...collections, ...projectCollections]),
    digests: Object.fromEntries([...collections].map(([name, entries]) => [name, digestOf(entries)])),
    /** True if the snapshot's collections equal the cached ones, except for those that every run changes. */
    areCached: current !== undefined,
  };
}

function digestOf(entries: CollectionEntries): string {
  return hash('sha1', JSON.stringify(entries.map(({ id, data, digest }) => [id, digest ?? data])), 'base64url');
}

interface CachedCollections {
  /** Position in the snapshot's change log at which they were loaded. */
  cursor: ChangeCursor;
  collections: ReadonlyMap<string, readonly StoredEntry[]>;
  /** Files that posts, pages and media refer to, as described in entries. */
  files: string;
  warnings: readonly string[];
}

/** Stored in the bundle's folder, because it depends on the same sources. */
const fileIn = (bundleFolder: string): string => path.join(bundleFolder, 'collections.v8');

/** Caches the output of the loaders, so that the next build needn't read and sanitize it again. */
export async function cacheCollections(bundleFolder: string, collections: CachedCollections): Promise<void> {
  await replaceFile(fileIn(bundleFolder), serialize(collections));
}

/** Removes the cached collections of a bundle that comes from another snapshot. */
export function dropCollections(bundleFolder: string): void {
  rmSync(fileIn(bundleFolder), { force: true });
}

/** Returns the cached collections; undefined if missing or unreadable. */
function readCollections(bundleFolder: string): CachedCollections | undefined {
  try {
    return deserialize(readFileSync(fileIn(bundleFolder))) as CachedCollections;
  } catch {
    return undefined;
  }
}

/** True if the loaders would return the same for the current snapshot. */
function areCurrent({ cursor, files }: CachedCollections, snapshot: SnapshotReader): boolean {
  const { records, assets } = snapshot.changeCursor();
  if (cursor.records !== records || !snapshot.hasPassed(cursor)) return false;
  // Most often an image of a product has changed.
  return cursor.assets === assets || files === snapshot.describeArticleFiles();
}
