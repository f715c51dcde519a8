import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type PreviewCard, type PreviewPath, SITE_PREVIEW } from '#catalogue/images/image-variants.ts';
import { runThreads, batchSource } from '#files/worker-pool.ts';
import { copyInto } from '../images/images.ts';
import { drawPreviews, previewFile, type PreviewResult, type PreviewTask } from './draw-preview.ts';
import { stripSitePath } from '#catalogue/addresses/site-paths.ts';
import { pickLocalized } from '#contracts/localized.ts';
import { productPreview, sitePreview } from '#components/preview-cards.ts';
import type { Options } from '#config/index.ts';
import type { ProductIndex } from '#catalogue/read-model/product-index.ts';
import type { SnapshotReader } from '#snapshot/index.ts';

interface ProducePreviewsOptions {
  places: readonly PreviewPath[];
  findCard: (place: PreviewPath) => PreviewCard | undefined;
  findOriginal: (digest: string) => string | undefined;
  imagesFolder: string;
  distFolder: string;
  /** Folder of the project. */
  root: string;
  onProgress?: (done: number, total: number) => void;
}

/** Starting a thread takes as long as rendering this many cards. */
const CARDS_WORTH_A_THREAD = 40;
const CARDS_AT_ONCE = 8;

/**
 * Adds the previews that pages refer to to `dist`. Renders missing previews on all cores.
 * @returns The number of previews that weren't cached, and those that can't be made.
 */
export async function producePreviews(options: ProducePreviewsOptions) {
  const { places, findCard, findOriginal, imagesFolder, distFolder, root, onProgress } = options;
  const failed: { path: string; reason: string }[] = [];
  const orders: PreviewTask[] = [];
  for (const place of places) {
    const file = previewFile(imagesFolder, place.path);
    if (existsSync(file)) continue;
    const card = findCard(place);
    const original = card?.picture === undefined ? undefined : findOriginal(card.picture);
    if (!card) failed.push({ path: place.path, reason: 'Its content is missing from the snapshot.' });
    else if (card.picture !== undefined && original === undefined)
      failed.push({ path: place.path, reason: 'The original of its image is missing from the snapshot.' });
    else orders.push({ path: place.path, file, card, original, root });
  }
  let done = 0;
  let made = 0;
  await renderAll(orders, ({ path: place, reason }) => {
    if (reason === undefined) made++;
    else failed.push({ path: place, reason });
    onProgress?.(++done, orders.length);
  });
  const failedPaths = new Set(failed.map((failure) => failure.path));
  for (const { path: place } of places) {
    if (!failedPaths.has(place)) await copyInto(distFolder, place, previewFile(imagesFolder, place));
  }
  failed.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { made, failed };
}

/** Renders on threads if there are enough cards. */
async function renderAll(orders: readonly PreviewTask[], onResult: (drawn: PreviewResult) => void): Promise<void> {
  const size = Math.min(availableParallelism(), Math.floor(orders.length / CARDS_WORTH_A_THREAD));
  if (size < 2) {
    for (const order of orders) for (const drawn of await drawPreviews([order])) onResult(drawn);
    return;
  }
  const file = new URL('./preview-worker.ts', import.meta.url);
  await runThreads({ size, start: () => new Worker(file), take: batchSource(orders, CARDS_AT_ONCE), onResult });
}

/**
 * Creates a function that finds the card of a preview path. The path contains the product and a digest of the card.
 * Create it once for many paths.
 * @returns Returns undefined if the card has changed.
 */
export function cardFinder(
  options: Pick<Options, 'site' | 'brand' | 'mainLanguage'>,
  { productIndex, snapshot }: { productIndex: ProductIndex; snapshot: Pick<SnapshotReader, 'families'> },
): (address: PreviewPath) => PreviewCard | undefined {
  const families = new Map(snapshot.families().map(({ id, names }) => [id, names]));
  const productGroups = new Map<string, ReadonlySet<string>>();
  const groupsOf = (language: string): ReadonlySet<string> => {
    const known =
      productGroups.get(language) ??
      new Set(productIndex.productGroups(language).map(({ productGroup }) => productGroup));
    productGroups.set(language, known);
    return known;
  };
  const familyName = (id: string, language: string): string | undefined => {
    const names = families.get(id);
    return names && groupsOf(language).has(id)
      ? (pickLocalized(names, language, options.mainLanguage) ?? id)
      : undefined;
  };
  const findPreview = ({ language, subject }: PreviewPath) => {
    if (subject === SITE_PREVIEW) return sitePreview(language, options);
    const product = productIndex.product(language, subject);
    return product && productPreview(product, familyName(product.family ?? '', language), options);
  };
  return (address) => {
    const found = findPreview(address);
    return found && stripSitePath(found.path) === address.path ? found.card : undefined;
  };
}
