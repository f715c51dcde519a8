import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildPaths } from '#config/build-paths.ts';
import type { Settings, Options } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import { parseTranscript, type Cue } from '#contracts/podcast/transcript.ts';
import { reviveProduct } from '#contracts/product/index.ts';
import { describeSnapshotFiles, openSnapshot, readDigest, type SnapshotReader } from '#snapshot/index.ts';
import { TRANSCRIPT_FILES } from '../addresses/paths.ts';
import type { ProductListEntry, ProductEntry } from '../entries/entries.ts';
import type { RenderContext } from '../site/render-context.ts';
import { toFieldValue } from '../products/product-fields.ts';
import { listDocumentAssets, listEarlierDocuments, toImageAsset } from './assets.ts';
import { openProductIndex } from './product-index.ts';
import { fallbackTexts, localTexts } from './project-products.ts';
import { updateProductIndex, type ProductIndexChanges } from './update-product-index.ts';

export interface ProductReaders extends Required<
  Pick<RenderContext, 'productIndex' | 'readProduct' | 'readTranscript'>
> {
  close(): void;
}

/**
 * Updates the product index for a build, and keeps it and the snapshot open.
 * @param warn Reports invalid values.
 * @param openedSnapshot An open snapshot to use; the caller closes it.
 */
export function openUpdatedReaders(
  settings: Settings,
  warn?: (message: string) => void,
  openedSnapshot?: SnapshotReader,
): ProductReaders & Disposable & { changes: ProductIndexChanges } {
  const { snapshotPath, options, root } = settings;
  const file = buildPaths(settings).productIndexFile;
  const changes = updateProductIndex(file, snapshotPath, options, { openedSnapshot, root, warn });
  return { ...openReaders(settings, openedSnapshot), changes };
}

/**
 * Opens readers for a build thread, on first use. The product index must be up to date.
 * @param openedSnapshot An open snapshot to use; the caller closes it.
 */
export function openReaders(settings: Settings, openedSnapshot?: SnapshotReader): ProductReaders & Disposable {
  const { snapshotPath, options } = settings;
  let index: ReturnType<typeof openProductIndex> | undefined;
  let ownSnapshot: ReturnType<typeof openSnapshot> | undefined;
  const close = () => {
    index?.close();
    ownSnapshot?.close();
    index = ownSnapshot = undefined;
  };
  return {
    productIndex: () => (index ??= openProductIndex(buildPaths(settings).productIndexFile)),
    readProduct: (listed) =>
      readFullProduct(
        openedSnapshot ?? (ownSnapshot ??= openSnapshot(snapshotPath, { readOnly: true })),
        options,
        listed,
      ),
    readTranscript: createTranscriptReader(settings.assetsFolder),
    close,
    [Symbol.dispose]: close,
  };
}

/** Opens readers for a dev server. The snapshot may be replaced at any time. @param warn Reports invalid values. */
export function openDevReaders(settings: Settings, warn?: (message: string) => void): ProductReaders {
  const { snapshotPath } = settings;
  let current: { digest: string | undefined; readers: ProductReaders } | undefined;
  let lastState = '';
  const readers = (): ProductReaders => {
    const state = describeSnapshotFiles(snapshotPath);
    // Reading the digest takes longer, and a page may read thousands of products.
    if (current && lastState === state) return current.readers;
    lastState = state;
    const digest = readDigest(snapshotPath);
    if (current && current.digest === digest) return current.readers;
    current?.readers.close();
    current = undefined;
    current = { digest, readers: openUpdatedReaders(settings, warn) };
    return current.readers;
  };
  return {
    productIndex: () => readers().productIndex(),
    readProduct: (listed) => readers().readProduct(listed),
    readTranscript: createTranscriptReader(settings.assetsFolder),
    close: () => {
      current?.readers.close();
      current = undefined;
    },
  };
}

/**
 * Reads all data of a listed product.
 * @throws SortimentError SNAPSHOT_CHANGED if the snapshot no longer contains it.
 */
export function readFullProduct(
  snapshot: Pick<SnapshotReader, 'product' | 'asset' | 'earlierDocuments'>,
  options: Pick<Options, 'documents' | 'documentKinds' | 'mainLanguage'>,
  listed: ProductListEntry,
): ProductEntry {
  const { documents, mainLanguage } = options;
  const record = snapshot.product(listed.gtin, listed.storedAs)?.record;
  if (!record) {
    throw new SortimentError(
      'SNAPSHOT_CHANGED',
      `Product ${listed.gtin} in ${listed.storedAs} was removed from the snapshot during the build.`,
      { hint: 'Run the build again.' },
    );
  }
  const canBorrow = listed.storedAs !== mainLanguage && listed.translations.includes(mainLanguage);
  const main = canBorrow ? snapshot.product(listed.gtin, mainLanguage)?.record : undefined;
  const borrowed = fallbackTexts(record, main);
  return {
    ...reviveProduct(record),
    ...borrowed,
    ...localTexts({ ...record, ...borrowed }, snapshot, documents),
    documents: listDocumentAssets(snapshot, record, options),
    earlierDocuments: listEarlierDocuments(
      snapshot,
      record,
      { page: listed.pageLanguage, storedAs: listed.storedAs },
      options,
    ),
    bannerAsset: toImageAsset(snapshot, record.banner, { alt: record.name }),
    fields: Object.fromEntries((listed.fieldViews ?? []).map((view) => [view.field, toFieldValue(view)])),
    extra: record.extra ?? {},
    ...listed,
  };
}

/**
 * Returns a function that reads a stored transcript by digest. The result is empty if the file is missing or invalid.
 */
export function createTranscriptReader(assetsFolder: string): (digest: string) => readonly Cue[] {
  return (digest) => {
    for (const { extension, format } of TRANSCRIPT_FILES) {
      const file = path.join(assetsFolder, digest.slice(0, 2), `${digest.slice(2)}.${extension}`);
      if (!existsSync(file)) continue;
      const parsed = parseTranscript(format, readFileSync(file, 'utf8'));
      return parsed.ok ? parsed.value : [];
    }
    return [];
  };
}
