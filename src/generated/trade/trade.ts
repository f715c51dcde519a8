import { hash } from 'node:crypto';
import { outputPath } from '#catalogue/addresses/site-paths.ts';
import { feedFilePath } from '#catalogue/addresses/shop-paths.ts';
import { partitionFeed, type FeedPartition } from '#catalogue/feeds/change-feed.ts';
import { tradeParts, type TradePart } from '#catalogue/feeds/trade-files.ts';
import { currencyOf } from '#catalogue/products/price.ts';
import type { FeedProduct } from '#contracts/feed/feed-files.ts';
import type { TradeFormat } from '#contracts/feed/trade-formats.ts';
import { findParts, hashBucket } from '#files/hash-parts.ts';
import { encodeText } from '#files/page-writer.ts';
import { changedGtins, type FileGenerator, type GeneratorContext } from '../generator.ts';
import type { ComposeTradeFile } from './trade-format.ts';
import { composeBmecat } from './bmecat.ts';
import { composeDatanorm } from './datanorm.ts';
import { composeGaeb } from './gaeb.ts';
import { composeTenderTexts } from './tender.ts';
import { composeXlsx } from './xlsx.ts';

const COMPOSERS: Readonly<Record<TradeFormat, ComposeTradeFile>> = {
  xlsx: composeXlsx,
  tender: composeTenderTexts,
  bmecat: composeBmecat,
  datanorm: composeDatanorm,
  gaeb: composeGaeb,
};

/** Maximum number of products that a warning lists. */
const LISTED_PRODUCTS = 3;

/** Generates the products in the formats of the trade, from the NDJSON that `feeds` has written. */
export const trade: FileGenerator = {
  name: 'trade',
  takesChanges: true,
  update: async (context) => {
    const { languages, settings, productIndex, files, remove, changes, snapshot, warn } = context;
    const families = new Set(snapshot.families().map(({ id }) => id));
    for (const family of Object.keys(settings.options.shops.etim?.families ?? {}))
      if (!families.has(family))
        warn(`shops.etim names the family "${family}", which the assortment doesn't have. Correct or remove it.`);
    for (const { code } of languages) {
      const parts = tradeParts(code, productIndex.count(code), settings.options.shops);
      const expected = new Set(parts.flatMap((part) => part.files.map(({ path }) => outputPath(path))));
      const present = files(outputPath(feedFilePath(code, '')).slice(0, -1)).map(({ file }) => file);
      // With another number of parts, a file of the same name contains other products.
      const hasSameParts = present.length === expected.size && present.every((file) => expected.has(file));
      const changed = hasSameParts ? changedGtins(changes, code) : undefined;
      for (const part of changed ? findParts(parts, changed.map(hashBucket)) : parts)
        await writePart(context, code, part, parts.indexOf(part));
      for (const file of present) if (!expected.has(file)) remove(file);
    }
  },
};

async function writePart(context: GeneratorContext, language: string, part: TradePart, index: number): Promise<void> {
  const { productIndex, snapshot, settings, ui, put, keepFile, warn } = context;
  const families = snapshot.families().map(({ id, names }) => [id, names]);
  const key = hash('sha1', JSON.stringify([families, productIndex.partDigests(language, part)]), 'base64url');
  let products: FeedProduct[] | undefined;
  for (const { format, path } of part.files) {
    const file = outputPath(path);
    if (keepFile(file, key)) continue;
    const problems = new Map<string, string[]>();
    const content = await COMPOSERS[format]({
      id: index === 0 ? language : `${language}-${index}`,
      language,
      currency: currencyOf(settings.options.price, language),
      products: (products ??= readProducts(context, language, part)),
      settings,
      ui: ui(language),
      report: (problem, { gtin }) => void problems.set(problem, [...(problems.get(problem) ?? []), gtin]),
    });
    // The feed refers to the same images and documents, so that bytes needn't be searched for them.
    put(file, typeof content === 'string' ? encodeText(content) : content, key);
    for (const [problem, gtins] of problems) {
      const listed = gtins.slice(0, LISTED_PRODUCTS).join(', ');
      const rest = gtins.length > LISTED_PRODUCTS ? ` and ${gtins.length - LISTED_PRODUCTS} more` : '';
      warn(`${path}: ${listed}${rest}: ${problem}`);
    }
  }
}

/** Reads the feed, which takes a fraction of the time of composing its products again. */
function readProducts({ snapshot, productIndex, readPage }: GeneratorContext, language: string, part: FeedPartition) {
  const products = partitionFeed(productIndex.count(language))
    .filter(({ from, to }) => from >= part.from && to <= part.to)
    .map(({ fileName }) => readPage(outputPath(feedFilePath(language, fileName('products', 'ndjson')))) ?? '')
    .flatMap((lines) => lines.split('\n').filter((line) => line !== ''))
    .map((line) => JSON.parse(line) as FeedProduct);
  const position = new Map(snapshot.families().map(({ id }, index) => [id, index]));
  const order = new Intl.Collator(language, { numeric: true });
  const positionOf = ({ family }: FeedProduct) => position.get(family) ?? position.size;
  return products.toSorted(
    (a, b) =>
      positionOf(a) - positionOf(b) || order.compare(a.item_number, b.item_number) || (a.gtin < b.gtin ? -1 : 1),
  );
}
