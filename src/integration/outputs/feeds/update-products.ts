import { hash } from 'node:crypto';
import { absoluteUrl } from '../../../catalogue/addresses/absolute-url.ts';
import { feedParts, type FeedPart } from '../../../catalogue/feeds/feed-parts.ts';
import { homePath } from '../../../catalogue/addresses/paths.ts';
import { feedFilePath, feedSchemaPath } from '../../../catalogue/addresses/shop-paths.ts';
import type { FeedDocument, FeedProduct } from '../../../contracts/feed/index.ts';
import { hashPlace, partsOf } from '../../../loaders/index.ts';
import { splitPlace } from '../../prerender/choose-scope.ts';
import type { OutputContext } from '../output.ts';
import { composeFeedProduct } from './compose-feed-product.ts';
import { composeMerchantFeed } from './compose-merchant-feed.ts';
import { feedProductOptions } from './feed-product-options.ts';
import { readKept } from './read-kept.ts';
import { writeCsv } from './write-csv.ts';

/** Google takes one file for each source of data, so these are few and large. */
const PRODUCTS_PER_MERCHANT_FILE = 5000;

type Writer = (products: readonly FeedProduct[]) => string;
type Reader = (part: FeedPart) => FeedProduct[];

/** Writes the parts that may be others. @returns Places of all that hold products of a language. */
export function updateProducts(context: OutputContext, language: string): string[] {
  const { settings, listing, files } = context;
  const formats = [
    {
      parts: feedParts(listing.count(language)),
      base: 'products',
      writers: { ndjson: writeNdjson, csv: writeCsv, json: writeDocument(context, language) },
    },
    // Buyers have to be shown the whole price.
    ...(settings.options.price.show === 'gross'
      ? [
          {
            parts: feedParts(listing.count(language), PRODUCTS_PER_MERCHANT_FILE),
            base: 'merchant',
            writers: { xml: writeMerchant(context, language) },
          },
        ]
      : []),
  ];
  const digests = new Map(files(feedFilePath(language, '').slice(1, -1)).map(({ file, digest }) => [file, digest]));
  const read = productsIn(context, language, digests);
  return formats.flatMap(({ parts, base, writers }) => {
    const placesOf = ({ fileName }: FeedPart) =>
      Object.keys(writers).map((extension) => feedFilePath(language, fileName(base, extension)));
    const places = parts.flatMap(placesOf);
    const isSameCut = places.every((place) => digests.has(place.slice(1)));
    const stale = isSameCut ? changedParts(context, language, parts) : parts;
    for (const part of stale) writePart(context, { language, part, base, writers, read });
    return places;
  });
}

function changedParts({ changes }: OutputContext, language: string, parts: readonly FeedPart[]): readonly FeedPart[] {
  if (!changes) return parts;
  const changed = [...changes.products].map(splitPlace).filter((place) => place.language === language);
  return partsOf(
    parts,
    changed.map(({ rest: gtin }) => hashPlace(gtin)),
  );
}

/** @param digests Of the files that were there before. @returns Gives the products of a part. */
function productsIn(context: OutputContext, language: string, digests: ReadonlyMap<string, string>): Reader {
  const { listing, readProduct } = context;
  const keptProduct = readKept(context, language, digests);
  return (part) => {
    const options = feedProductOptions(context, language);
    return listing
      .part(language, part)
      .map((listed) => keptProduct(listed.gtin) ?? composeFeedProduct(readProduct(listed), options));
  };
}

interface PartFiles {
  language: string;
  part: FeedPart;
  base: string;
  writers: Readonly<Record<string, Writer>>;
  read: Reader;
}

function writePart(context: OutputContext, { language, part, base, writers, read }: PartFiles): void {
  const { listing, snapshot, put } = context;
  const families = snapshot.families().map(({ id, names }) => [id, names]);
  const key = hash('sha1', JSON.stringify([families, listing.partDigests(language, part)]), 'base64url');
  let products: FeedProduct[] | undefined;
  for (const [extension, write] of Object.entries(writers)) {
    const file = feedFilePath(language, part.fileName(base, extension)).slice(1);
    put(file, () => write((products ??= read(part))), key);
  }
}

function writeNdjson(products: readonly FeedProduct[]): string {
  return products.map((product) => `${JSON.stringify(product)}\n`).join('');
}

function writeDocument({ settings }: OutputContext, language: string): Writer {
  const schema = absoluteUrl(feedSchemaPath('products'), new URL(settings.siteUrl));
  return (products) =>
    `${JSON.stringify({ $schema: schema, language, products: [...products] } satisfies FeedDocument)}\n`;
}

function writeMerchant({ settings }: OutputContext, language: string): Writer {
  const { site, maker } = settings.options;
  const channel = {
    title: site.name,
    link: absoluteUrl(homePath(language), new URL(settings.siteUrl)),
    description: site.description[language] ?? site.name,
    brand: maker.name,
  };
  return (products) => composeMerchantFeed(products, language, channel);
}
