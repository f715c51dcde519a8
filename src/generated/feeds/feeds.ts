import { z } from 'zod';
import { absoluteUrl } from '#catalogue/addresses/absolute-url.ts';
import { outputPath } from '#catalogue/addresses/base.ts';
import { feedFilePath, feedSchemaPath, feedsPath } from '#catalogue/addresses/shop-paths.ts';
import {
  FEED_SCHEMA_NAMES,
  FEED_SCHEMAS,
  type FeedDelta,
  type FeedProduct,
  type FeedIndex,
} from '#contracts/feed/feed-files.ts';
import { isHiddenChange } from '#projection/public-changes.ts';
import type { FileGenerator, GeneratorContext } from '../generator.ts';
import { composeFeedProduct } from './compose-feed-product.ts';
import { feedProductOptions } from './feed-product-options.ts';
import { findDeltas, type Delta } from './find-deltas.ts';
import { updateProducts } from './update-products.ts';

const INDEX = 'index.json';

const SUMS = 'sha256sums.txt';

const FORMATS = { ndjson: 'ndjson', csv: 'csv', json: 'json', xml: 'merchant' } as const;

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
      const present = files(feedFilePath(code, '').slice(1, -1));
      const paths = [
        ...updateProducts(context, code, present),
        ...writeDeltas(
          context,
          code,
          findDeltas(snapshot, digest, (change) => !isHiddenChange(change, settings.options.price, code)),
        ),
        ...indexPaths(code),
      ];
      const expected = new Set(paths.map((path) => outputPath(path)));
      for (const { file } of present) if (!expected.has(file)) remove(file);
      writeIndex(context, code);
    }
  },
};

/** Writes the JSON Schemas and the list of languages. */
function writeSchemas({ put, languages, settings }: GeneratorContext): void {
  const site = new URL(settings.siteUrl);
  for (const name of FEED_SCHEMA_NAMES) {
    const path = feedSchemaPath(name);
    const schema = FEED_SCHEMAS[name];
    const described = () => ({
      $id: absoluteUrl(path, site),
      ...z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }),
    });
    // Schemas depend only on the code.
    put(outputPath(path), () => `${JSON.stringify(described(), undefined, 2)}\n`, 'schema');
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
  const { productIndex, readProduct, overlays, digest = '', put } = context;
  const options = feedProductOptions(context, language);
  const read = new Map<string, FeedProduct>();
  const feedProductOf = (gtin: string): FeedProduct | undefined => {
    const listed = productIndex.product(language, gtin);
    if (!listed || listed.archived || overlays.isHidden(language, gtin)) return undefined;
    const known = read.get(gtin) ?? composeFeedProduct(readProduct(listed), options);
    read.set(gtin, known);
    return known;
  };
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

/** Returns the paths that `writeIndex` writes. */
function indexPaths(language: string): string[] {
  return [INDEX, SUMS].map((file) => feedFilePath(language, file));
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
      const extension = /^(?:products|merchant)(?:-\d+)?\.(ndjson|csv|json|xml)$/.exec(name)?.[1];
      if (!isFormat(extension)) return [];
      return { url, bytes, sha256, format: FORMATS[extension] };
    }),
    deltas: listed.flatMap(({ name, url, bytes, sha256 }) => {
      const since = /^delta\/(.+)\.json$/.exec(name)?.[1];
      return since === undefined ? [] : { url, bytes, sha256, since };
    }),
  };
  put(`${folder}${INDEX}`, `${JSON.stringify(index)}\n`);
  put(`${folder}${SUMS}`, listed.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''));
}

function isFormat(extension: string | undefined): extension is keyof typeof FORMATS {
  return extension !== undefined && Object.hasOwn(FORMATS, extension);
}
