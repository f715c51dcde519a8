import type { Options } from '../config/index.ts';
import { SortimentError } from '../contracts/index.ts';
import type { SnapshotReader } from '../snapshot/index.ts';
import { documentAssetsOf } from './document-assets.ts';
import { productEntry, type ListedEntry, type ProductEntry } from './entries.ts';
import { imageAssetOf } from './image-asset.ts';

/**
 * All that there is to know of a listed product.
 * @throws SortimentError SNAPSHOT_CHANGED when the snapshot no longer has it.
 */
export function readFullProduct(
  snapshot: Pick<SnapshotReader, 'product' | 'asset'>,
  { documents }: Pick<Options, 'documents'>,
  listed: ListedEntry,
): ProductEntry {
  const record = snapshot.product(listed.gtin, listed.storedAs)?.record;
  if (!record) {
    throw new SortimentError(
      'SNAPSHOT_CHANGED',
      `The snapshot no longer has ${listed.gtin} in ${listed.storedAs}, which it had when the build began.`,
      { hint: 'A sync has taken it away meanwhile: build again.' },
    );
  }
  const { name } = record;
  return {
    ...productEntry.parse({
      ...record,
      storedAs: listed.storedAs,
      pageLanguage: listed.pageLanguage,
      fallback: listed.fallback,
      translations: listed.translations,
      slug: listed.slug,
      slugs: listed.slugs,
      position: listed.position,
      documents: documentAssetsOf(snapshot, record, documents),
      bannerAsset: imageAssetOf(snapshot, record.banner, { alt: name }),
      changed: listed.changed,
    }),
    ...listed,
  };
}
