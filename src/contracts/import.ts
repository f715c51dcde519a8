import { z } from 'zod';
import { playerConfig, playerTheme } from './player/config.ts';
import { chapterItem, MAX_CHAPTERS } from './podcast/chapter.ts';
import { episode, INTERNAL_EPISODE_FIELDS } from './podcast/episode.ts';
import { episodePage } from './podcast/episode-routes.ts';
import { podcast, podcastShow } from './podcast/record.ts';

/** A podcast and its player. */
export const podcastImport = z.object({
  podcast: podcast.omit({ _version: true, link: true, feeds: true }),
  player: z
    .object({
      configs: z.record(z.string(), playerConfig),
      themes: z.record(z.string(), playerTheme),
      templates: z.record(z.string(), z.string()),
    })
    .optional(),
});
export type PodcastImport = z.output<typeof podcastImport>;

export const showImport = z.object({ show: podcastShow });
export type ShowImport = z.output<typeof showImport>;

/** An episode with its page, which carries its status and date. */
export const episodeImport = z.object({
  episode: episode.omit({
    ...INTERNAL_EPISODE_FIELDS,
    title: true,
    publicationDate: true,
    poster: true,
    link: true,
    audio: true,
    files: true,
  }),
  page: episodePage,
  chapters: z.array(chapterItem).max(MAX_CHAPTERS),
  /** Enabled files with their URLs. */
  media: z.array(z.object({ asset: z.string(), url: z.string(), size: z.int() })),
});
export type EpisodeImport = z.output<typeof episodeImport>;

/** Kinds of imported records, in import order. Later kinds refer to earlier ones. */
export const IMPORT_KINDS = [
  'user',
  'category',
  'tag',
  'media',
  'page',
  'post',
  'podcast',
  'show',
  'episode',
  'comment',
] as const;
export const importKind = z.enum(IMPORT_KINDS);
export type ImportKind = z.output<typeof importKind>;
/** Kinds whose deletions at the source are detected. */
export const trackedKind = importKind.extract(['category', 'tag', 'media', 'page', 'post', 'episode']);

/** The source site of an import. */
export const importSource = z.strictObject({
  /** Identifying URL of the site, without a trailing slash, like the others. */
  site: z.string(),
  /** All URLs by which its content may refer to it. */
  addresses: z.array(z.string()),
});
export type ImportSource = z.output<typeof importSource>;

/** A fetched file, to be stored. */
export const stagedFile = z.strictObject({
  /** File name in the folder returned by `import begin`. */
  staged: z.string().regex(/^[\w-]+$/),
  name: z.string(),
});
export type StagedFile = z.output<typeof stagedFile>;

export const importRecord = z.strictObject({
  id: z.int().positive(),
  /** Digest of the relevant fields at the source; equal for unchanged records. */
  digest: z.string(),
  /** The record of the interface, with `context=edit` if permitted. */
  wire: z.unknown(),
  /** Revisions of a post or page, with `context=edit`. */
  revisions: z.array(z.unknown()).optional(),
  /** File of a new media item. */
  file: stagedFile.optional(),
  /** Files of a podcast, show or episode: audio, transcripts and covers, with their URLs at the source. */
  files: z.array(stagedFile.extend({ address: z.string() })).optional(),
});
export type ImportRecord = z.output<typeof importRecord>;

/**
 * Result of the import of a record. `met`: linked to an existing record of the same name. `kept`: changed on both
 * sides; the local version was preserved. `refused`: could not be stored.
 */
export const importOutcome = z.object({
  id: z.int(),
  outcome: z.enum(['added', 'updated', 'met', 'unchanged', 'kept', 'refused']),
  /** Reason for `kept` or `refused`, or changes made during the import. */
  note: z.string().optional(),
});
export type ImportOutcome = z.output<typeof importOutcome>;

export const importSettings = z.strictObject({
  title: z.string(),
  description: z.string(),
  timezone: z.string().optional(),
  /** Id at the source. */
  default_category: z.int().optional(),
});
export type ImportSettings = z.output<typeof importSettings>;

/** A product in one language, ready to be stored. Links to imported files are paths below `media/`. */
export const importProduct = z.strictObject({
  gtin: z.string(),
  language: z.string(),
  record: z.unknown(),
  files: z.array(stagedFile.omit({ name: true }).extend({ path: z.string() })).default([]),
});
export type ImportProduct = z.output<typeof importProduct>;

/** Result of the import of a product in one language. */
export const importProductResult = importOutcome.omit({ id: true }).extend({ gtin: z.string(), language: z.string() });

/** Accepted extensions of product files. File types that browsers execute are excluded. */
export const PRODUCT_FILE_NAME = /^[\w.-]+\.(?:pdf|jpe?g|png|webp|avif|gif|tiff?|zip|dwg|dxf|ifc)$/i;

/** Errors of rejected records. */
export const IMPORT_ERRORS = {
  import_unreadable: 400,
  import_file_type: 400,
  import_no_file: 400,
  rest_term_invalid: 400,
  rest_upload_image_type_not_supported: 400,
  rest_upload_image_too_large: 400,
} as const;

const step = <const N extends string, T extends z.ZodRawShape, A extends z.ZodRawShape>(
  name: N,
  input: T,
  output: A,
) => ({
  name,
  takes: z.strictObject(input),
  answers: z.object(output),
});

const source = importSource;
const productKey = z.object({ gtin: z.string(), language: z.string() });

/** Commands of the origin for an import, with their input and output. */
export const IMPORT_COMMANDS = {
  /** Returns the folder for fetched files. */
  begin: step('import begin', {}, { folder: z.string() }),
  /** Finds existing records: skip `unchanged` ones; `known` ones were imported before. */
  check: step(
    'import check',
    { source, kind: importKind, records: z.array(importRecord.pick({ id: true, digest: true })) },
    { unchanged: z.array(z.int()), known: z.array(z.int()) },
  ),
  put: step(
    'import put',
    { source, kind: importKind, records: z.array(importRecord) },
    { outcomes: z.array(importOutcome) },
  ),
  settings: step(
    'import settings',
    { source, settings: importSettings },
    { outcome: importOutcome.shape.outcome, note: importOutcome.shape.note },
  ),
  /** Resolves references to records imported later; returns unresolved ones. */
  settle: step(
    'import settle',
    { source },
    {
      settled: z.int(),
      open: z.array(z.object({ kind: z.string(), id: z.int(), to: z.record(z.string(), z.int()) })),
    },
  ),
  /** Lists imported records that were not found at the source this time. */
  absent: step(
    'import absent',
    { source, kind: trackedKind, seen: z.array(z.int()) },
    { absent: z.array(z.object({ id: z.int(), slug: z.string() })) },
  ),
  /** Returns records that are new or differ. */
  productCheck: step('import product-check', { records: z.array(importProduct) }, { different: z.array(productKey) }),
  productPut: step(
    'import product-put',
    { records: z.array(importProduct) },
    { outcomes: z.array(importProductResult) },
  ),
} as const;

export type ImportCommand = (typeof IMPORT_COMMANDS)[keyof typeof IMPORT_COMMANDS]['name'];
