import type { Options } from '../config/index.ts';
import { DOCUMENT_FIELDS, type ProductRecord } from '../contracts/product/index.ts';
import type { SnapshotReader } from '../snapshot/index.ts';
import { documentFileName, documentPath } from './document-path.ts';
import type { documentAsset } from './entries.ts';
import type { z } from 'zod';

/** The documents of a record, in the order they are offered. */
export function documentAssetsOf(
  snapshot: Pick<SnapshotReader, 'asset'>,
  record: ProductRecord,
  documents: Options['documents'],
): z.input<typeof documentAsset>[] {
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
