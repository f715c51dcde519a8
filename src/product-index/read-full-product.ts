import type { Options } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import { reviveProduct } from '#contracts/product/index.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import { borrowTexts } from './borrow-texts.ts';
import { documentAssetsOf, earlierDocumentsOf } from './document-assets.ts';
import type { ListedEntry, ProductEntry } from '#model/entries.ts';
import { imageAssetOf } from './image-asset.ts';
import { localTexts } from './localise-html.ts';

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
    documents: documentAssetsOf(snapshot, record, documents).map(({ modified, ...document }) => ({
      ...document,
      modified: modified === undefined ? undefined : new Date(modified),
    })),
    earlierDocuments: earlierDocumentsOf(
      snapshot,
      record,
      { page: listed.pageLanguage, storedAs: listed.storedAs },
      documents,
    ).map(({ replaced, ...document }) => ({ ...document, replaced: new Date(String(replaced)) })),
    bannerAsset: imageAssetOf(snapshot, record.banner, { alt: record.name }),
    ...listed,
  };
}

/** Whether the main language has a record of its own that is still offered, besides the one that is shown. */
function lendsTexts({ storedAs, translations }: ListedEntry, mainLanguage: string): boolean {
  return storedAs !== mainLanguage && translations.includes(mainLanguage);
}
