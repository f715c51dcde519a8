import { hash } from 'node:crypto';
import { absoluteUrl } from '../../../catalogue/addresses/absolute-url.ts';
import { feedParts, type FeedPart } from '../../../catalogue/feeds/feed-parts.ts';
import { homePath } from '../../../catalogue/addresses/paths.ts';
import { feedFilePath, feedSchemaPath } from '../../../catalogue/addresses/shop-paths.ts';
import type { FeedProduct } from '../../../contracts/feed/index.ts';
import { hashPlace, partsOf } from '../../../loaders/index.ts';
import { splitPlace } from '../../prerender/choose-scope.ts';
import type { OutputContext, PutFile } from '../output.ts';
import { composeFeedProduct } from './compose-feed-product.ts';
import { csvFormat } from './csv-format.ts';
import type { FeedFormat, FeedPieces } from './feed-format.ts';
import { feedProductOptions } from './feed-product-options.ts';
import { documentFormat, ndjsonFormat } from './json-formats.ts';
import { merchantFormat } from './merchant-format.ts';

/** Google takes one file for each source of data, so these are few and large. */
const PRODUCTS_PER_MERCHANT_FILE = 5000;

/**
 * Writes the parts that may be others.
 * @param present The files that the feed of the language has now.
 * @returns Places of all that hold products of a language.
 */
export function updateProducts(context: OutputContext, language: string, present: readonly PutFile[]): string[] {
  const { settings, listing } = context;
  const schema = absoluteUrl(feedSchemaPath('products'), new URL(settings.siteUrl));
  const files: PartFiles[] = [
    {
      base: 'products',
      parts: feedParts(listing.count(language)),
      formats: [ndjsonFormat, csvFormat, documentFormat({ $schema: schema, language })],
    },
    // Buyers have to be shown the whole price.
    ...(settings.options.price.show === 'gross'
      ? [
          {
            base: 'merchant',
            parts: feedParts(listing.count(language), PRODUCTS_PER_MERCHANT_FILE),
            formats: [merchantFormatOf(context, language)],
          },
        ]
      : []),
  ];
  const digests = new Map(present.map(({ file, digest }) => [file, digest]));
  return files.flatMap(({ base, parts, formats }) => {
    const placeOf = (part: FeedPart, { extension }: FeedFormat) =>
      feedFilePath(language, part.fileName(base, extension));
    const places = parts.flatMap((part) => formats.map((format) => placeOf(part, format)));
    const changes = places.every((place) => digests.has(place.slice(1))) ? context.changes : undefined;
    const changed = [...(changes?.products ?? [])].map(splitPlace).filter((place) => place.language === language);
    const gtins = changed.map(({ rest: gtin }) => gtin);
    for (const part of changes ? partsOf(parts, gtins.map(hashPlace)) : parts) {
      const named = formats.map((format) => ({ file: placeOf(part, format).slice(1), format }));
      writePart(context, language, { part, files: named, changed: changes && new Set(gtins), digests });
    }
    return places;
  });
}

interface PartFiles {
  base: string;
  parts: readonly FeedPart[];
  formats: readonly FeedFormat[];
}

interface StalePart {
  part: FeedPart;
  files: readonly { file: string; format: FeedFormat }[];
  /** Products that may be others than in the files that are there; undefined where all may be. */
  changed: ReadonlySet<string> | undefined;
  /** Of the files, as they were written. */
  digests: ReadonlyMap<string, string>;
}

function writePart(context: OutputContext, language: string, { part, files, changed, digests }: StalePart): void {
  const { listing, snapshot, put, readPage } = context;
  const families = snapshot.families().map(({ id, names }) => [id, names]);
  const products = listing.partDigests(language, part);
  const key = hash('sha1', JSON.stringify([families, products]), 'base64url');
  const composed = composer(context, language);
  for (const { file, format } of files)
    put(
      file,
      () => {
        const kept = changed && splitKept(readPage(file), digests.get(file), format);
        const isKept = (gtin: string): boolean => kept !== undefined && !changed?.has(gtin);
        const others = products.map(({ gtin }) => gtin).filter((gtin) => !isKept(gtin));
        const made = format.compose(others.flatMap(composed));
        return format.join(products.flatMap(({ gtin }) => (isKept(gtin) ? kept : made)?.get(gtin) ?? []));
      },
      key,
    );
}

/** @param digest Of what was written there: nothing else is believed. */
function splitKept(file: string | undefined, digest: string | undefined, format: FeedFormat): FeedPieces | undefined {
  return file !== undefined && hash('sha256', file) === digest ? format.split(file) : undefined;
}

/** @returns Gives a product by its GTIN, to all formats the same. */
function composer(context: OutputContext, language: string): (gtin: string) => FeedProduct | [] {
  const { listing, readProduct } = context;
  const options = feedProductOptions(context, language);
  const composed = new Map<string, FeedProduct>();
  return (gtin) => {
    const listed = composed.has(gtin) ? undefined : listing.product(language, gtin);
    if (listed) composed.set(gtin, composeFeedProduct(readProduct(listed), options));
    return composed.get(gtin) ?? [];
  };
}

function merchantFormatOf({ settings }: OutputContext, language: string): FeedFormat {
  const { site, maker } = settings.options;
  return merchantFormat(language, {
    title: site.name,
    link: absoluteUrl(homePath(language), new URL(settings.siteUrl)),
    description: site.description[language] ?? site.name,
    brand: maker.name,
  });
}
