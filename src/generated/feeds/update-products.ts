import { hash } from 'node:crypto';
import { absoluteUrl, outputPath } from '#catalogue/addresses/site-paths.ts';
import { feedFilePath, feedSchemaPath } from '#catalogue/addresses/shop-paths.ts';
import { homePath } from '#catalogue/addresses/paths.ts';
import { csvLine } from '#catalogue/documents/document-csv.ts';
import { partitionFeed, type FeedPartition } from '#catalogue/feeds/change-feed.ts';
import { hasMerchantFeed } from '#catalogue/products/price.ts';
import { type FeedProduct, type FeedDocument, FEED_COLUMNS, type FeedColumn } from '#contracts/feed/feed-files.ts';
import { hashBucket, findParts } from '#files/hash-parts.ts';
import { changedGtins, type GeneratorContext, type GeneratedFile } from '../generator.ts';
import { feedFieldNames, feedFieldTexts, feedProductReader } from './compose-feed-product.ts';
import { shorten } from '#catalogue/languages/fold-text.ts';
import type { Availability } from '#contracts/product/index.ts';
import { classifyGtin, findSpans } from '#contracts/index.ts';
import { escapeXml } from '#contracts/html/html-text.ts';

interface MerchantChannel {
  title: string;
  link: string;
  description: string;
  brand: string;
  /** Returns details of a product in addition to its declared values. */
  detailsOf?: (product: FeedProduct) => FeedProduct['attributes'];
}

/** Items require an availability, so `unknown` is missing. */
const AVAILABILITY: Partial<Record<Availability, string>> = {
  available: 'in_stock',
  limited: 'in_stock',
  not_available: 'out_of_stock',
};

const MAX_TITLE = 150;
const MAX_DESCRIPTION = 5000;
const MAX_DETAILS = 100;
/** Characters of a value (help article 9218260). */
const MAX_DETAIL = 1000;

/** Unit names of the product data specification, by UN/CEFACT code. */
const UNITS: Record<string, string> = { MTR: 'm', MTK: 'sqm', MTQ: 'cbm', KGM: 'kg', LTR: 'l' };

/**
 * Format of Google Merchant Center: RSS 2.0 with the namespace `g` (product data specification, help article 7052112),
 * which other shopping services accept too. Products are excluded without a price, image, known availability, or text
 * in the language of the feed.
 */
export function merchantFormat(language: string, channel: MerchantChannel): FeedFormat {
  const head = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">
<channel>
${element('title', channel.title)}
${element('link', channel.link)}
${element('description', channel.description)}
`;
  return {
    compose: (products) =>
      new Map(
        products
          .filter((product) => product.language === language && product.image !== '')
          .flatMap((product) => {
            const item = composeItem(product, channel);
            return item === undefined ? [] : [[product.gtin, item]];
          }),
      ),
    split: (file) =>
      new Map(
        findSpans(file, ITEM, ITEM_END).map(({ opening, start, end }) => [opening[1] ?? '', file.slice(start, end)]),
      ),
    files: [{ extension: 'xml', join: (items) => `${head}${items.join('')}</channel>\n</rss>\n` }],
  };
}

/** Escaped texts can't contain these tags. */
const ITEM = /<item>\n<g:id>(\d+)<\/g:id>/;
const ITEM_END = /<\/item>\n/;

function composeItem(product: FeedProduct, { brand, detailsOf }: MerchantChannel): string | undefined {
  const availability = AVAILABILITY[product.availability];
  if (product.price === null || availability === undefined) return undefined;
  const description = product.intro || product.application_short || product.erp_description || product.name;
  // Google rejects demonstration numbers and company-internal numbers.
  const gtin = classifyGtin(product.gtin) === 'regular' ? product.gtin : '';
  const lines = [
    element('g:id', product.gtin),
    element('g:title', shorten(product.name, MAX_TITLE)),
    element('g:description', shorten(description, MAX_DESCRIPTION)),
    element('g:link', product.url),
    element('g:image_link', product.image_1600),
    element('g:availability', availability),
    element('g:price', `${product.price} ${product.price_currency}`),
    element('g:condition', 'new'),
    element('g:brand', brand),
    element('g:gtin', gtin),
    element('g:mpn', product.item_number),
    element('g:product_type', product.family_name),
    element('g:item_group_id', product.variant_group),
    ...unitPricing(product),
    ...[...product.attributes, ...(detailsOf?.(product) ?? [])]
      // Google requires both.
      .filter(({ name, value }) => name.trim() !== '' && value.trim() !== '')
      .slice(0, MAX_DETAILS)
      .map(
        ({ name, norm, value }) =>
          `<g:product_detail>${element('g:section_name', norm)}${element('g:attribute_name', name)}${element(
            'g:attribute_value',
            value,
          )}</g:product_detail>`,
      ),
  ];
  return `<item>\n${lines.filter((line) => line !== '').join('\n')}\n</item>\n`;
}

function unitPricing({ unit_price_unit: code, unit_price_measure: measure }: FeedProduct): string[] {
  const unit = UNITS[code];
  if (unit === undefined || measure === '') return [];
  return [element('g:unit_pricing_measure', `${measure} ${unit}`), element('g:unit_pricing_base_measure', `1 ${unit}`)];
}

function element(name: string, text: string): string {
  return text === '' ? '' : `<${name}>${escapeXml(text)}</${name}>`;
}

/** Format of the products as CSV in UTF-8. @param fields Names of further columns. */
export function csvFormat(fields: readonly string[]): FeedFormat {
  const header = csvLine([...FEED_COLUMNS, ...fields.map((field) => `fields.${field}`)]);
  const lineOf = (product: FeedProduct): string =>
    csvLine([
      ...FEED_COLUMNS.map((column) => toCell(product[column])),
      ...fields.map((field) => toCell(product.fields?.[field] ?? null)),
    ]);
  return {
    compose: (products) => rowsOf(products.map(lineOf).join('')),
    split: (file) => rowsOf(file.slice(header.length)),
    files: [{ extension: 'csv', join: (rows) => `${header}${rows.join('')}` }],
  };
}

/** Boundary between rows. Quotes within a text are doubled. */
const BETWEEN = /(?<=\r\n)(?="\d{13}",)/;

const GTIN = { from: '"'.length, to: '"'.length + 13 };

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
  const count = productIndex.count(language);
  // Files with the same products in several formats.
  const sets = [
    {
      base: 'products',
      parts: partitionFeed(count),
      formats: [jsonFormat({ $schema: schema, language }), csvFormat(feedFieldNames(settings.options))],
    },
    ...(hasMerchantFeed(settings.options.price, language)
      ? [
          {
            base: 'merchant',
            parts: partitionFeed(count, PRODUCTS_PER_MERCHANT_FILE),
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
    const changed = hasSameParts ? changedGtins(context.changes, language) : undefined;
    for (const part of changed ? findParts(parts, changed.map(hashBucket)) : parts)
      writePart(context, language, {
        part,
        formats,
        fileOf: (file) => outputPath(filePath(part, file)),
        changed: changed && new Set(changed),
        digests,
      });
    return paths;
  });
}

function countFiles(present: readonly GeneratedFile[], language: string, base: string): number {
  const start = outputPath(feedFilePath(language, base));
  return present.filter(({ file }) => file.startsWith(start)).length;
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
  const feedProductOf = feedProductReader(context, language);
  for (const format of formats) {
    const composePieces = (): string[] => {
      const [first] = format.files.map(fileOf);
      const existing = changed && first ? splitExisting(readPage(first), digests.get(first), format) : undefined;
      const isUnchanged = (gtin: string): boolean => existing !== undefined && !changed?.has(gtin);
      const stale = products.map(({ gtin }) => gtin).filter((gtin) => !isUnchanged(gtin));
      const composed = format.compose(stale.flatMap((gtin) => feedProductOf(gtin) ?? []));
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

function merchantFormatOf({ settings, ui }: GeneratorContext, language: string): FeedFormat {
  const { site, maker } = settings.options;
  const texts = ui(language);
  const fields = feedFieldTexts(settings.options, language, texts);
  return merchantFormat(language, {
    title: site.name,
    link: absoluteUrl(homePath(language), new URL(settings.siteUrl)),
    description: site.description[language] ?? site.name,
    brand: maker.name,
    detailsOf: (product) =>
      fields.map(({ name, unit, textsOf }) => ({
        norm: texts.t('product.fields'),
        name,
        value: shorten(textsOf(product, unit).join(', '), MAX_DETAIL),
      })),
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

/** Serialises lists as JSON. */
function toCell(
  value: NonNullable<FeedProduct['fields']>[string] | FeedProduct[FeedColumn],
): string | number | boolean | null {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

/** Parts of a file, by the GTINs of their products. */
type FeedItems = ReadonlyMap<string, string>;

/**
 * A file format made of one part per product. After a change of one product, files are composed of existing parts and a
 * new one, which halves the time.
 */
interface FeedFormat {
  /** Returns the parts of products. Products that the format excludes have none. */
  compose(products: readonly FeedProduct[]): FeedItems;
  /** Splits a file that the first of `files` has joined. */
  split(file: string): FeedItems;
  files: readonly FeedFile[];
}

interface FeedFile {
  extension: string;
  join(pieces: readonly string[]): string;
}
