import { z } from 'zod';

/** What is copied from another site, in the order in which it is written: most refer to what stands before them. */
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
/** Of these it is noticed when they are deleted at the source. */
export const followedKind = importKind.extract(['category', 'tag', 'media', 'page', 'post', 'episode']);

/** The site that records come from. */
export const importSource = z.strictObject({
  /** Its address, by which it is known again; without a slash at the end, like the others. */
  site: z.string(),
  /** Whatever its content may call it. */
  addresses: z.array(z.string()),
});
export type ImportSource = z.output<typeof importSource>;

/** A file that was fetched, waiting to be stored. */
export const stagedFile = z.strictObject({
  /** Its name in the folder that `import begin` returned. */
  staged: z.string().regex(/^[\w-]+$/),
  name: z.string(),
});
export type StagedFile = z.output<typeof stagedFile>;

export const importRecord = z.strictObject({
  id: z.int().positive(),
  /** Of what matters of it at the source: the same record has the same. */
  digest: z.string(),
  /** As the interface gave it, with `context=edit` where that was allowed. */
  wire: z.unknown(),
  /** Of posts and pages: the states they were in, with `context=edit`. */
  revisions: z.array(z.unknown()).optional(),
  /** Of media that are new. */
  file: stagedFile.optional(),
  /** Of a podcast, its shows and its episodes: audio, transcripts and covers, each with the address it has there. */
  files: z.array(stagedFile.extend({ address: z.string() })).optional(),
});
export type ImportRecord = z.output<typeof importRecord>;

/**
 * What became of a record. `met`: it was here already, under the same name, and stands for it from now on. `kept`:
 * it was changed at the source and here, and ours stays. `refused`: it can't be kept here.
 */
export const importOutcome = z.object({
  id: z.int(),
  outcome: z.enum(['added', 'updated', 'met', 'unchanged', 'kept', 'refused']),
  /** Why it was kept or refused, or what of it couldn't come over as it was. */
  note: z.string().optional(),
});
export type ImportOutcome = z.output<typeof importOutcome>;

/** Settings of a site that are copied. */
export const importSettings = z.strictObject({
  title: z.string(),
  description: z.string(),
  timezone: z.string().optional(),
  /** Its id at the source. */
  default_category: z.int().optional(),
});
export type ImportSettings = z.output<typeof importSettings>;

/** A product in one language, as it is to be kept here: links to files that come along are paths below `media/`. */
export const importProduct = z.strictObject({
  gtin: z.string(),
  language: z.string(),
  record: z.unknown(),
  files: z.array(stagedFile.omit({ name: true }).extend({ path: z.string() })).default([]),
});
export type ImportProduct = z.output<typeof importProduct>;

/** What became of a product in one language. */
export const importedProduct = importOutcome.omit({ id: true }).extend({ gtin: z.string(), language: z.string() });
export type ImportedProduct = z.output<typeof importedProduct>;

/** Files of products that are taken, by the ends of their names: what a browser would run isn't among them. */
export const PRODUCT_FILE_NAME = /^[\w.-]+\.(?:pdf|jpe?g|png|webp|avif|gif|tiff?|zip|dwg|dxf|ifc)$/i;

/** Why a record is not taken. */
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
  takes: T,
  answers: A,
) => ({
  name,
  takes: z.strictObject(takes),
  answers: z.object(answers),
});

const source = importSource;
const ofProduct = z.object({ gtin: z.string(), language: z.string() });

/** The commands of the origin that an import consists of: what each takes, and what it answers beside its message. */
export const IMPORT_STEPS = {
  /** Returns the folder in which fetched files must be left. */
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
  /** Resolves references to records imported later; returns those still open. */
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
    { source, kind: followedKind, seen: z.array(z.int()) },
    { absent: z.array(z.object({ id: z.int(), slug: z.string() })) },
  ),
  /** Returns records that are new or differ. */
  productCheck: step('import product-check', { records: z.array(importProduct) }, { different: z.array(ofProduct) }),
  productPut: step('import product-put', { records: z.array(importProduct) }, { outcomes: z.array(importedProduct) }),
} as const;

export type ImportCommand = (typeof IMPORT_STEPS)[keyof typeof IMPORT_STEPS]['name'];
