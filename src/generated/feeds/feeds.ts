import { z } from 'zod';
import { absoluteUrl, outputPath } from '#catalogue/addresses/site-paths.ts';
import { feedFilePath, feedSchemaPath, feedsPath } from '#catalogue/addresses/shop-paths.ts';
import {
  FEED_SCHEMA_NAMES,
  FEED_SCHEMAS,
  feedFields,
  type FeedDelta,
  type FeedIndex,
} from '#contracts/feed/feed-files.ts';
import { isHiddenChange, storedChange, type StoredChange } from '#catalogue/read-model/public-changes.ts';
import { declaredIn } from '#catalogue/products/product-fields.ts';
import type { Options } from '#config/index.ts';
import { pickText } from '#contracts/localized.ts';
import type { FieldType } from '#contracts/product/product-fields.ts';
import type { FileGenerator, GeneratorContext } from '../generator.ts';
import { feedProductReader } from './compose-feed-product.ts';
import { updateProducts } from './update-products.ts';
import type { SnapshotReader } from '#snapshot/index.ts';

/** Products that changed since a previous snapshot. */
interface Delta {
  since: string;
  /** GTINs of products that were added, changed or removed, in any language. */
  gtins: ReadonlySet<string>;
}

type DeltaSource = Pick<SnapshotReader, 'runs' | 'assetOwners'>;

/** Maximum number of deltas. Older clients load everything. */
const MAX_DELTAS = 10;
/** Number of runs to read, including those without changes. */
const RUNS_TO_READ = 50;

const storedReport = z.object({
  changes: z.array(storedChange),
  counts: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.number()))),
});

/**
 * Finds the previous snapshots whose changes up to the current one are known. Their runs are consecutive and list every
 * change of a product.
 * @param digest Digest of the current snapshot.
 * @param isShown Returns false for changes that the feed doesn't show, such as hidden prices.
 */
export function findDeltas(
  source: DeltaSource,
  digest: string | undefined,
  isShown: (change: StoredChange) => boolean = () => true,
): Delta[] {
  const deltas = new Map<string, Delta>();
  let gtins: ReadonlySet<string> = new Set();
  let next = digest;
  for (const run of source.runs(RUNS_TO_READ).filter(({ changed }) => changed)) {
    const changed = run.digest === next ? changedProducts(source, run.report, isShown) : undefined;
    if (!changed || run.previousDigest === undefined || deltas.size === MAX_DELTAS) break;
    gtins = new Set([...gtins, ...changed]);
    next = run.previousDigest;
    // A digest may occur twice. The older occurrence has all changes for both.
    if (next !== digest) deltas.set(next, { since: next, gtins });
  }
  return [...deltas.values()];
}

/** Returns the changed products of a report. Undefined if it is incomplete. */
function changedProducts(
  source: DeltaSource,
  stored: string | undefined,
  isShown: (change: StoredChange) => boolean,
): Set<string> | undefined {
  const report = stored === undefined ? undefined : storedReport.safeParse(JSON.parse(stored)).data;
  if (!report) return undefined;
  const counted = Object.values(report.counts)
    .flatMap((byLanguage) => Object.values(byLanguage))
    .flatMap((tally) => Object.values(tally))
    .reduce((sum, count) => sum + count, 0);
  if (report.changes.length < counted) return undefined;
  const gtins = new Set<string>();
  for (const change of report.changes) {
    const { kind, id, fields } = change;
    // These may affect any product.
    if (kind === 'family' || kind === 'language') return undefined;
    if (kind === 'product' && isShown(change)) gtins.add(id);
    if (kind === 'assortment') {
      for (const { field } of fields) for (const gtin of field.match(/\d{13}/g) ?? []) gtins.add(gtin);
    }
  }
  // Products that referenced a file only earlier have changed since, and are included already.
  const files = report.changes.filter(({ kind }) => kind === 'asset');
  for (const { id: url } of files)
    for (const kind of ['image', 'document'] as const)
      for (const gtin of source.assetOwners({ url, kind })) gtins.add(gtin);
  return gtins;
}

const INDEX = 'index.json';

const SUMS = 'sha256sums.txt';

/** Formats of product files by extension. */
const FORMATS: Partial<Record<string, FeedIndex['files'][number]['format']>> = {
  ndjson: 'ndjson',
  csv: 'csv',
  json: 'json',
  xml: 'merchant',
};

const ORDER = new Intl.Collator('en', { numeric: true });

/** Generates the product data for shops in each language. The README in this folder describes it. */
export const feeds: FileGenerator = {
  name: 'feeds',
  takesChanges: true,
  update: (context) => {
    const { languages, settings, digest, snapshot, files, remove } = context;
    if (!settings.options.shops.feeds) return;
    writeSchemas(context);
    for (const { code } of languages) {
      const present = files(outputPath(feedFilePath(code, '')).slice(0, -1));
      const paths = [
        ...updateProducts(context, code, present),
        ...writeDeltas(
          context,
          code,
          findDeltas(snapshot, digest, (change) => !isHiddenChange(change, settings.options.price, code)),
        ),
        ...[INDEX, SUMS].map((file) => feedFilePath(code, file)),
      ];
      const expected = new Set(paths.map((path) => outputPath(path)));
      for (const { file } of present) if (!expected.has(file)) remove(file);
      writeIndex(context, code);
    }
  },
};

/** Types of the values of `product.fields`. */
const FEED_TYPES: Readonly<Record<FieldType, z.core.JSONSchema.BaseSchema>> = {
  text: { type: ['string', 'null'] },
  number: { type: ['number', 'null'] },
  boolean: { type: ['boolean', 'null'] },
  date: { type: ['string', 'null'], format: 'date' },
  url: { type: ['string', 'null'], format: 'uri' },
  choice: { type: ['string', 'null'] },
  list: { type: ['array', 'null'], items: { type: 'string' } },
};

function describeFields({ mainLanguage, product }: Options): Record<string, z.core.JSONSchema.BaseSchema> {
  return Object.fromEntries(
    declaredIn(product.fields, 'feeds').map(([name, { label, type, unit, values = {} }]) => [
      name,
      {
        ...FEED_TYPES[type],
        ...(type === 'choice' && { enum: [...Object.keys(values), null] }),
        description: pickText(label, mainLanguage, mainLanguage) ?? name,
        ...(unit !== undefined && { unit }),
      },
    ]),
  );
}

function writeSchemas({ put, languages, settings }: GeneratorContext): void {
  const site = new URL(settings.siteUrl);
  const properties = describeFields(settings.options);
  for (const name of FEED_SCHEMA_NAMES) {
    const path = feedSchemaPath(name);
    const schema = FEED_SCHEMAS[name];
    const described = () => ({
      $id: absoluteUrl(path, site),
      ...z.toJSONSchema(schema, {
        io: 'output',
        unrepresentable: 'any',
        override: ({ zodSchema, jsonSchema }) => {
          if (zodSchema === feedFields) jsonSchema.properties = properties;
        },
      }),
    });
    put(
      outputPath(path),
      () => `${JSON.stringify(described(), undefined, 2)}\n`,
      `schema ${JSON.stringify(properties)}`,
    );
  }
  const listed = languages.map(({ code, name }) => ({
    language: code,
    name,
    index: absoluteUrl(feedFilePath(code, 'index.json'), site),
  }));
  put(`${outputPath(feedsPath())}index.json`, `${JSON.stringify({ languages: listed })}\n`);
}

/** Writes a delta file for each previous snapshot. @returns Paths of the files. */
function writeDeltas(context: GeneratorContext, language: string, deltas: readonly Delta[]): string[] {
  const { digest = '', put } = context;
  const feedProductOf = feedProductReader(context, language);
  return deltas.map(({ since, gtins }) => {
    const sorted = [...gtins].toSorted();
    const delta: FeedDelta = {
      language,
      since,
      digest,
      put: sorted.flatMap((gtin) => feedProductOf(gtin) ?? []),
      remove: sorted.filter((gtin) => !feedProductOf(gtin)),
    };
    const path = feedFilePath(language, `delta/${since}.json`);
    put(outputPath(path), `${JSON.stringify(delta)}\n`);
    return path;
  });
}

/** Writes the list of files with checksums, as JSON and in the format of `sha256sum -c`. */
function writeIndex(context: GeneratorContext, language: string): void {
  const { settings, productIndex, overlays, digest = '', files, put } = context;
  const hidden = overlays.hideable().filter((gtin) => {
    const listed = productIndex.product(language, gtin);
    return listed && !listed.archived && overlays.isHidden(language, gtin);
  });
  const site = new URL(settings.siteUrl);
  const folder = outputPath(feedFilePath(language, ''));
  const listed = files(folder.slice(0, -1))
    .map(({ file, bytes, digest: sha256 }) => ({ name: file.slice(folder.length), bytes, sha256 }))
    .filter(({ name }) => name !== INDEX && name !== SUMS)
    .map((file) => ({ ...file, url: absoluteUrl(feedFilePath(language, file.name), site) }))
    .toSorted((a, b) => ORDER.compare(a.name, b.name));
  const index: FeedIndex = {
    language,
    digest,
    products: productIndex.count(language) - hidden.length,
    schema: absoluteUrl(feedSchemaPath('product'), site),
    files: listed.flatMap(({ name, url, bytes, sha256 }) => {
      const format = FORMATS[/^(?:products|merchant)(?:-\d+)?\.(ndjson|csv|json|xml)$/.exec(name)?.[1] ?? ''];
      return format ? { url, bytes, sha256, format } : [];
    }),
    deltas: listed.flatMap(({ name, url, bytes, sha256 }) => {
      const since = /^delta\/(.+)\.json$/.exec(name)?.[1];
      return since === undefined ? [] : { url, bytes, sha256, since };
    }),
  };
  put(`${folder}${INDEX}`, `${JSON.stringify(index)}\n`);
  put(`${folder}${SUMS}`, listed.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''));
}
