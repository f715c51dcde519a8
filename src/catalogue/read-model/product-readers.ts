import type { RenderContext } from '#catalogue/site/render-context.ts';
import { buildPaths } from '#config/build-paths.ts';
import type { Settings, Options } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import { reviveProduct } from '#contracts/product/index.ts';
import type { ProductListEntry, ProductEntry } from '#catalogue/entries/entries.ts';
import { openSnapshot, type Snapshot, type SnapshotReader } from '#snapshot/index.ts';
import { describeSnapshotFiles, readDigest } from '#snapshot/read-digest.ts';
import { fallbackTexts, localTexts } from './project-products.ts';
import { listDocumentAssets, listEarlierDocuments, toImageAsset } from './assets.ts';
import {
  openEmptyProductIndex,
  openProductIndex,
  type OpenProductIndex,
  createGroupCache,
  type GroupCache,
} from './read-product-index.ts';
import { updateProductIndex, type ProductIndexChanges } from './update-product-index.ts';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseTranscript, type Cue, type TranscriptFormat } from '#contracts/podcast/transcript.ts';

type ReaderFunctions = Required<Pick<RenderContext, 'productIndex' | 'readProduct' | 'readTranscript'>>;

/** Read access to products for pages. */
export interface ProductReaders extends ReaderFunctions {
  close(): void;
}

/**
 * Updates the product index for a build, and keeps it and the snapshot open.
 * @param openedSnapshot An open snapshot to use; the caller closes it.
 */
export function openUpdatedReaders(
  settings: Settings,
  openedSnapshot?: Snapshot,
): ProductReaders & { changes: ProductIndexChanges } {
  const { snapshotPath, options } = settings;
  const groups = createGroupCache();
  const file = buildPaths(settings).productIndexFile;
  const changes = updateProductIndex(file, snapshotPath, options, { openedSnapshot, groups });
  return { ...openReaders(settings, openedSnapshot, groups), changes };
}

/** Readers for a build without products. */
export function openEmptyReaders(): ProductReaders {
  const productIndex = openEmptyProductIndex();
  return {
    productIndex: () => productIndex,
    readProduct: ({ gtin }) => {
      throw new Error(`The catalogue is empty and has no product ${gtin}.`);
    },
    readTranscript: () => [],
    close: () => productIndex.close(),
  };
}

/**
 * Opens readers for a build thread. The product index must be up to date.
 * @param openedSnapshot An open snapshot to use; the caller closes it.
 * @param groups Cache of product groups read from this index.
 */
export function openReaders(settings: Settings, openedSnapshot?: Snapshot, groups?: GroupCache): ProductReaders {
  const { snapshotPath, options } = settings;
  let open: { productIndex: OpenProductIndex; snapshot: Snapshot } | undefined;
  const readers = () => {
    open ??= {
      productIndex: openProductIndex(buildPaths(settings).productIndexFile, groups),
      snapshot: openedSnapshot ?? openSnapshot(snapshotPath, { readOnly: true }),
    };
    return open;
  };
  return {
    productIndex: () => readers().productIndex,
    readProduct: (listed) => readFullProduct(readers().snapshot, options, listed),
    readTranscript: createTranscriptReader(settings.assetsFolder),
    close: () => {
      open?.productIndex.close();
      if (!openedSnapshot) open?.snapshot.close();
      open = undefined;
    },
  };
}

/** Opens readers for a dev server. The snapshot may be replaced at any time. */
export function openDevReaders(settings: Settings): ProductReaders {
  const { productIndexFile } = buildPaths(settings);
  const { snapshotPath, options } = settings;
  let current: { digest: string | undefined; productIndex: OpenProductIndex; snapshot: Snapshot } | undefined;
  let lastState = '';
  const close = (): void => {
    current?.productIndex.close();
    current?.snapshot.close();
    current = undefined;
  };
  const readers = () => {
    const state = describeSnapshotFiles(snapshotPath);
    // Reading the digest takes longer, and a page may read thousands of products.
    if (current && lastState === state) return current;
    lastState = state;
    const digest = readDigest(snapshotPath);
    if (current && current.digest === digest) return current;
    close();
    updateProductIndex(productIndexFile, snapshotPath, options);
    const snapshot = openSnapshot(snapshotPath, { readOnly: true });
    current = { digest, productIndex: openProductIndex(productIndexFile), snapshot };
    return current;
  };
  return {
    productIndex: () => readers().productIndex,
    readProduct: (listed) => readFullProduct(readers().snapshot, options, listed),
    readTranscript: createTranscriptReader(settings.assetsFolder),
    close,
  };
}

/**
 * Reads all data of a listed product.
 * @throws SortimentError SNAPSHOT_CHANGED if the snapshot no longer contains it.
 */
export function readFullProduct(
  snapshot: Pick<SnapshotReader, 'product' | 'asset' | 'earlierDocuments'>,
  { documents, mainLanguage }: Pick<Options, 'documents' | 'mainLanguage'>,
  listed: ProductListEntry,
): ProductEntry {
  const record = snapshot.product(listed.gtin, listed.storedAs)?.record;
  if (!record) {
    throw new SortimentError(
      'SNAPSHOT_CHANGED',
      `Product ${listed.gtin} in ${listed.storedAs} was removed from the snapshot during the build.`,
      { hint: 'Run the build again.' },
    );
  }
  const main = canBorrowTexts(listed, mainLanguage) ? snapshot.product(listed.gtin, mainLanguage)?.record : undefined;
  const borrowed = fallbackTexts(record, main);
  return {
    ...reviveProduct(record),
    ...borrowed,
    ...localTexts({ ...record, ...borrowed }, snapshot, documents),
    documents: listDocumentAssets(snapshot, record, documents),
    earlierDocuments: listEarlierDocuments(
      snapshot,
      record,
      { page: listed.pageLanguage, storedAs: listed.storedAs },
      documents,
    ),
    bannerAsset: toImageAsset(snapshot, record.banner, { alt: record.name }),
    ...listed,
  };
}

/** True if another record is shown and the main language has an offered record. */
function canBorrowTexts({ storedAs, translations }: ProductListEntry, mainLanguage: string): boolean {
  return storedAs !== mainLanguage && translations.includes(mainLanguage);
}

/** File extension -> transcript format. */
const FORMATS: Readonly<Record<string, TranscriptFormat>> = { vtt: 'webvtt', srt: 'srt', json: 'json_podcastindex' };

/**
 * Returns a function that reads a stored transcript by digest. The result is empty if the file is missing or invalid.
 */
export function createTranscriptReader(assetsFolder: string): (digest: string) => readonly Cue[] {
  return (digest) => {
    for (const [extension, format] of Object.entries(FORMATS)) {
      const file = path.join(assetsFolder, digest.slice(0, 2), `${digest.slice(2)}.${extension}`);
      if (!existsSync(file)) continue;
      const parsed = parseTranscript(format, readFileSync(file, 'utf8'));
      return parsed.ok ? parsed.value : [];
    }
    return [];
  };
}
