import { hash } from 'node:crypto';
import { absoluteUrl } from '#catalogue/addresses/absolute-url.ts';
import { outputPath } from '#catalogue/addresses/base.ts';
import { homePath } from '#catalogue/addresses/paths.ts';
import { feedFilePath, feedSchemaPath } from '#catalogue/addresses/shop-paths.ts';
import { csvLine } from '#catalogue/documents/csv-line.ts';
import { partitionFeed, type FeedPartition } from '#catalogue/feeds/change-feed.ts';
import { hasMerchantFeed } from '#catalogue/products/price.ts';
import { type FeedProduct, type FeedDocument, FEED_COLUMNS, type FeedColumn } from '#contracts/feed/feed-files.ts';
import { hashBucket, findParts } from '#files/hash-parts.ts';
import { splitGroupKey } from '#product-index/update-product-index.ts';
import type { GeneratorContext, GeneratedFile } from '../generator.ts';
import { composeFeedProduct } from './compose-feed-product.ts';
import type { FeedFile, FeedFormat, FeedItems } from './feed-format.ts';
import { feedProductOptions } from './feed-product-options.ts';
import { merchantFormat } from './merchant-format.ts';

/** Format of the products as CSV in UTF-8. */
export const csvFormat: FeedFormat = {
  compose: (products) => rowsOf(toCsv(products)),
  split: (file) => rowsOf(file.slice(HEADER.length)),
  files: [{ extension: 'csv', join: (rows) => `${HEADER}${rows.join('')}` }],
};

/** Boundary between rows. Quotes within a text are doubled. */
const BETWEEN = /(?<=\r\n)(?="\d{13}",)/;

const GTIN = { from: '"'.length, to: '"'.length + 13 };

const HEADER = csvLine(FEED_COLUMNS);

/** Start of every line. */
const START = '{"gtin":"';

/** Google reads one file per data source, so these are few and large. */
const PRODUCTS_PER_MERCHANT_FILE = 5000;

/**
 * Writes the product files that may have changed.
 * @param present Current files of the feed in this language.
 * @returns Paths of all product files of the language.
 */
export function updateProducts(
  context: GeneratorContext,
  language: string,
  present: readonly GeneratedFile[],
): string[] {
  const { settings, productIndex } = context;
  const schema = absoluteUrl(feedSchemaPath('products'), new URL(settings.siteUrl));
  const sets: FeedSet[] = [
    {
      base: 'products',
      parts: partitionFeed(productIndex.count(language)),
      formats: [jsonFormat({ $schema: schema, language }), csvFormat],
    },
    ...(hasMerchantFeed(settings.options.price, language)
      ? [
          {
            base: 'merchant',
            parts: partitionFeed(productIndex.count(language), PRODUCTS_PER_MERCHANT_FILE),
            formats: [merchantFormatOf(context, language)],
          },
        ]
      : []),
  ];
  const digests = new Map(present.map(({ file, digest }) => [file, digest]));
  return sets.flatMap(({ base, parts, formats }) => {
    const filePath = (part: FeedPartition, { extension }: FeedFile) =>
      feedFilePath(language, part.fileName(base, extension));
    const files = formats.flatMap((format) => format.files);
    const paths = parts.flatMap((part) => files.map((file) => filePath(part, file)));
    // With another number of parts, a file of the same name contains other products.
    const hasSameParts =
      paths.every((path) => digests.has(outputPath(path))) && paths.length === countFiles(present, language, base);
    const changes = hasSameParts ? context.changes : undefined;
    const changed = [...(changes?.products ?? [])]
      .map(splitGroupKey)
      .filter((product) => product.language === language);
    const gtins = changed.map(({ rest: gtin }) => gtin);
    for (const part of changes ? findParts(parts, gtins.map(hashBucket)) : parts)
      writePart(context, language, {
        part,
        formats,
        fileOf: (file) => outputPath(filePath(part, file)),
        changed: changes && new Set(gtins),
        digests,
      });
    return paths;
  });
}

function countFiles(present: readonly GeneratedFile[], language: string, base: string): number {
  const start = outputPath(feedFilePath(language, base));
  return present.filter(({ file }) => file.startsWith(start)).length;
}

/** Files with the same products in several formats. */
interface FeedSet {
  base: string;
  parts: readonly FeedPartition[];
  formats: readonly FeedFormat[];
}

interface StalePart {
  part: FeedPartition;
  formats: readonly FeedFormat[];
  fileOf: (file: FeedFile) => string;
  /** Products that may differ from the existing files. Undefined if all may. */
  changed: ReadonlySet<string> | undefined;
  /** Digests of the files as written. */
  digests: ReadonlyMap<string, string>;
}

function writePart(
  context: GeneratorContext,
  language: string,
  { part, formats, fileOf, changed, digests }: StalePart,
): void {
  const { productIndex, snapshot, put, readPage } = context;
  const families = snapshot.families().map(({ id, names }) => [id, names]);
  const products = productIndex.partDigests(language, part);
  const key = hash('sha1', JSON.stringify([families, products]), 'base64url');
  const compose = composer(context, language);
  for (const format of formats) {
    const composePieces = (): string[] => {
      const [first] = format.files.map(fileOf);
      const existing = changed && first ? splitExisting(readPage(first), digests.get(first), format) : undefined;
      const isUnchanged = (gtin: string): boolean => existing !== undefined && !changed?.has(gtin);
      const changedGtins = products.map(({ gtin }) => gtin).filter((gtin) => !isUnchanged(gtin));
      const composed = format.compose(changedGtins.flatMap(compose));
      return products.flatMap(({ gtin }) => (isUnchanged(gtin) ? existing : composed)?.get(gtin) ?? []);
    };
    let pieces: string[] | undefined;
    for (const file of format.files) put(fileOf(file), () => file.join((pieces ??= composePieces())), key);
  }
}

/** @param digest Digest as written. Modified files are ignored. */
function splitExisting(
  file: string | undefined,
  digest: string | undefined,
  format: FeedFormat,
): FeedItems | undefined {
  return file !== undefined && hash('sha256', file) === digest ? format.split(file) : undefined;
}

/** @returns Returns a product by its GTIN, the same object for all formats. */
function composer(context: GeneratorContext, language: string): (gtin: string) => FeedProduct | [] {
  const { productIndex, readProduct, overlays } = context;
  const options = feedProductOptions(context, language);
  const composed = new Map<string, FeedProduct>();
  return (gtin) => {
    const isKnown = composed.has(gtin) || overlays.isHidden(language, gtin);
    const listed = isKnown ? undefined : productIndex.product(language, gtin);
    if (listed) composed.set(gtin, composeFeedProduct(readProduct(listed), options));
    return composed.get(gtin) ?? [];
  };
}

function merchantFormatOf({ settings }: GeneratorContext, language: string): FeedFormat {
  const { site, maker } = settings.options;
  return merchantFormat(language, {
    title: site.name,
    link: absoluteUrl(homePath(language), new URL(settings.siteUrl)),
    description: site.description[language] ?? site.name,
    brand: maker.name,
  });
}

/** Formats of the products as NDJSON and as one JSON document. @param about Other members of the document. */
export function jsonFormat(about: Omit<FeedDocument, 'products'>): FeedFormat {
  const empty = `${JSON.stringify({ ...about, products: [] } satisfies FeedDocument)}\n`;
  const at = empty.lastIndexOf(']');
  return {
    compose: (products) => new Map(products.map((product) => [product.gtin, JSON.stringify(product)])),
    split: (file) => new Map(file.split('\n').flatMap((line) => (line === '' ? [] : [[gtinOf(line), line]]))),
    files: [
      { extension: 'ndjson', join: (lines) => lines.map((line) => `${line}\n`).join('') },
      { extension: 'json', join: (pieces) => `${empty.slice(0, at)}${pieces.join(',')}${empty.slice(at)}` },
    ],
  };
}

function gtinOf(line: string): string {
  return line.slice(START.length, line.indexOf('"', START.length));
}

function rowsOf(csv: string): FeedItems {
  return new Map(csv === '' ? [] : csv.split(BETWEEN).map((row) => [row.slice(GTIN.from, GTIN.to), row]));
}

function toCsv(products: readonly FeedProduct[]): string {
  return products.map((product) => csvLine(FEED_COLUMNS.map((column) => toCell(product[column])))).join('');
}

/** Serialises lists as JSON. */
function toCell(value: FeedProduct[FeedColumn]): string | number | boolean | null {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
