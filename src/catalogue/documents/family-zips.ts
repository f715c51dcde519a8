import { hash } from 'node:crypto';
import { sitePath } from '../addresses/site-paths.ts';
import type { DocumentAsset, ProductListEntry } from '../entries/entries.ts';

/** Limit of the documents in one ZIP. Larger files are refused by some static hosts. */
export const MAX_ZIP_BYTES = 25_000_000;

/** The current documents of one type of a family's products. */
export interface FamilyZip {
  /** Key of their kind. */
  field: string;
  count: number;
  bytes: number;
  /** Digest of the content and everything in the file names that is not a text of the site. */
  digest: string;
}

export interface FamilyDocument {
  product: Pick<ProductListEntry, 'gtin' | 'item_number' | 'name'>;
  document: DocumentAsset;
}

/** Lists the ZIPs of a family. A type is omitted if the site lacks one of its documents, or has only one. */
export function listFamilyZips(documents: readonly FamilyDocument[]): FamilyZip[] {
  return [...Map.groupBy(documents, ({ document }) => document.field)].flatMap(([field, found]) => {
    const isMirrored = ({ document: { href, digest } }: FamilyDocument) =>
      digest !== undefined && href.startsWith(sitePath('/'));
    if (found.length < 2 || !found.every(isMirrored)) return [];
    const parts = found.map(({ product: { gtin, item_number, name }, document: { digest, language } }) =>
      JSON.stringify([gtin, item_number, name, digest, language]),
    );
    const bytes = found.reduce((sum, { document }) => sum + (document.bytes ?? 0), 0);
    return { field, count: found.length, bytes, digest: hash('sha1', parts.join(), 'base64url') };
  });
}
