import type { Options } from '../config/index.ts';
import { DOCUMENT_FIELDS, type ProductRecord } from '../contracts/product/index.ts';
import type { SnapshotReader } from '../snapshot/index.ts';
import { documentFileName, documentPath } from './document-path.ts';
import type { DocumentAsset } from './entries.ts';

/** A document before the day when it last changed has been read. */
export type RecordDocument = Omit<DocumentAsset, 'modified'> & { modified: string | undefined };

/** The documents of a record, in the order they are offered. */
export function documentAssetsOf(
  snapshot: Pick<SnapshotReader, 'asset'>,
  record: ProductRecord,
  documents: Options['documents'],
): RecordDocument[] {
  return DOCUMENT_FIELDS.flatMap((field) => {
    const url = record[field];
    if (!url) return [];
    const asset = snapshot.asset(url);
    const mirrored = documents === 'mirror' && asset ? documentPath(asset) : undefined;
    return {
      field,
      href: mirrored ?? url,
      fileName: documentFileName(url),
      language: record.language,
      mimeType: asset?.mimeType ?? 'application/pdf',
      bytes: asset?.bytes,
      modified: asset?.lastModified,
      reachable: asset?.reachable ?? true,
    };
  });
}
