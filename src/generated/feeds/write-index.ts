import { fileAt } from '#catalogue/addresses/base.ts';
import { absoluteUrl } from '#catalogue/addresses/absolute-url.ts';
import { feedFilePath, feedSchemaPath } from '#catalogue/addresses/shop-paths.ts';
import type { FeedIndex } from '#contracts/feed/index.ts';
import type { GeneratorContext } from '../generator.ts';

const INDEX = 'index.json';
const SUMS = 'sha256sums.txt';

/** Where `writeIndex` writes. */
export function indexPlaces(language: string): string[] {
  return [INDEX, SUMS].map((file) => feedFilePath(language, file));
}

const FORMATS = { ndjson: 'ndjson', csv: 'csv', json: 'json', xml: 'merchant' } as const;

const ORDER = new Intl.Collator('en', { numeric: true });

/** What there is, with checksums: for programs, and in the form that `sha256sum -c` reads. */
export function writeIndex(context: GeneratorContext, language: string): void {
  const { settings, productIndex, digest = '', files, put } = context;
  const site = new URL(settings.siteUrl);
  const folder = fileAt(feedFilePath(language, ''));
  const listed = files(folder.slice(0, -1))
    .map(({ file, bytes, digest: sha256 }) => ({ name: file.slice(folder.length), bytes, sha256 }))
    .filter(({ name }) => name !== INDEX && name !== SUMS)
    .map((file) => ({ ...file, url: absoluteUrl(feedFilePath(language, file.name), site) }))
    .toSorted((a, b) => ORDER.compare(a.name, b.name));
  const index: FeedIndex = {
    language,
    digest,
    products: productIndex.count(language),
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
  return extension !== undefined && extension in FORMATS;
}
