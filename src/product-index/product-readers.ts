import type { RenderContext } from '#catalogue/port/render-context.ts';
import { buildPaths } from '#config/build-paths.ts';
import type { Settings, Options } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import { reviveProduct } from '#contracts/product/index.ts';
import type { ListedEntry, ProductEntry } from '#model/entries.ts';
import { openSnapshot, type Snapshot, type SnapshotReader } from '#snapshot/index.ts';
import { describeWritten, readDigest } from '#snapshot/read-digest.ts';
import { borrowTexts } from './borrow-texts.ts';
import { documentAssetsOf, earlierDocumentsOf } from './document-assets.ts';
import { imageAssetOf } from './image-asset.ts';
import {
  openEmptyProductIndex,
  openProductIndex,
  updateProductIndex,
  type ProductIndexChanges,
  type OpenProductIndex,
} from './index.ts';
import { noGroups, type ReadGroups } from './read-product-index.ts';
import { localTexts } from './localise-html.ts';
import { transcriptReader } from './read-transcript.ts';

type Reading = Required<Pick<RenderContext, 'productIndex' | 'readProduct' | 'readTranscript'>>;

/** What pages read products from. */
export interface ProductReaders extends Reading {
  close(): void;
}

/**
 * For a build: brings the product index up to date, and keeps it and the snapshot open.
 * @param openedSnapshot The snapshot, where it is open already; it stays so.
 */
export function openUpdatedReaders(
  settings: Settings,
  openedSnapshot?: Snapshot,
): ProductReaders & { changes: ProductIndexChanges } {
  const { snapshotPath, options } = settings;
  const groups = noGroups();
  const file = buildPaths(settings).productIndexFile;
  const changes = updateProductIndex(file, snapshotPath, options, { openedSnapshot, groups });
  return { ...openReaders(settings, openedSnapshot, groups), changes };
}

/** For a build that renders nothing. */
export function openEmptyReaders(): ProductReaders {
  const productIndex = openEmptyProductIndex();
  return {
    productIndex: () => productIndex,
    readProduct: ({ gtin }) => {
      throw new Error(`There is no ${gtin} in an empty catalogue.`);
    },
    readTranscript: () => [],
    close: () => productIndex.close(),
  };
}

/**
 * For a thread of a build, whose product index is up to date.
 * @param openedSnapshot As for `openUpdatedReaders`.
 * @param groups What was read of the product index as it is.
 */
export function openReaders(settings: Settings, openedSnapshot?: Snapshot, groups?: ReadGroups): ProductReaders {
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
    readTranscript: transcriptReader(settings.assetsFolder),
    close: () => {
      open?.productIndex.close();
      if (!openedSnapshot) open?.snapshot.close();
      open = undefined;
    },
  };
}

/** For a dev server, under which the snapshot may be replaced at any time. */
export function openDevReaders(settings: Settings): ProductReaders {
  const { productIndexFile } = buildPaths(settings);
  const { snapshotPath, options } = settings;
  let current: { digest: string | undefined; productIndex: OpenProductIndex; snapshot: Snapshot } | undefined;
  let written = '';
  const close = (): void => {
    current?.productIndex.close();
    current?.snapshot.close();
    current = undefined;
  };
  const readers = () => {
    const writtenNow = describeWritten(snapshotPath);
    // Reading the digest takes longer, and a page may read thousands of products.
    if (current && written === writtenNow) return current;
    written = writtenNow;
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
    readTranscript: transcriptReader(settings.assetsFolder),
    close,
  };
}

/**
 * All that there is to know of a listed product.
 * @throws SortimentError SNAPSHOT_CHANGED when the snapshot no longer has it.
 */
export function readFullProduct(
  snapshot: Pick<SnapshotReader, 'product' | 'asset' | 'earlierDocuments'>,
  { documents, mainLanguage }: Pick<Options, 'documents' | 'mainLanguage'>,
  listed: ListedEntry,
): ProductEntry {
  const record = snapshot.product(listed.gtin, listed.storedAs)?.record;
  if (!record) {
    throw new SortimentError(
      'SNAPSHOT_CHANGED',
      `The snapshot no longer has ${listed.gtin} in ${listed.storedAs}, which it had when the build began.`,
      { hint: 'A sync removed it during the build: build again.' },
    );
  }
  const main = lendsTexts(listed, mainLanguage) ? snapshot.product(listed.gtin, mainLanguage)?.record : undefined;
  const borrowed = borrowTexts(record, main);
  return {
    ...reviveProduct(record),
    ...borrowed,
    ...localTexts({ ...record, ...borrowed }, snapshot, documents),
    documents: documentAssetsOf(snapshot, record, documents),
    earlierDocuments: earlierDocumentsOf(
      snapshot,
      record,
      { page: listed.pageLanguage, storedAs: listed.storedAs },
      documents,
    ),
    bannerAsset: imageAssetOf(snapshot, record.banner, { alt: record.name }),
    ...listed,
  };
}

/** Whether the main language has a record of its own that is still offered, besides the one that is shown. */
function lendsTexts({ storedAs, translations }: ListedEntry, mainLanguage: string): boolean {
  return storedAs !== mainLanguage && translations.includes(mainLanguage);
}
