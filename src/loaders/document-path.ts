import { sitePath } from '../catalogue/addresses/base.ts';
import { documentFileName } from '../catalogue/documents/document-file-name.ts';
import type { StoredAsset } from '../snapshot/index.ts';

/** The place of mirrored documents in the site. */
export const DOCUMENT_PREFIX = '/documents/';

/**
 * Path of a mirrored document, `/documents/1a2b3c4d-hw-10110-tds-de.pdf`: other bytes get another address. Undefined
 * where only the source has it.
 */
export function documentPath({
  url,
  digest,
  file,
  kind,
}: Pick<StoredAsset, 'url' | 'digest' | 'file' | 'kind'>): string | undefined {
  if (kind !== 'document' || !digest || !file) return undefined;
  return sitePath(`${DOCUMENT_PREFIX}${digest.slice(0, 8)}-${safeName(documentFileName(url))}`);
}

function safeName(fileName: string): string {
  const bare = fileName
    .replace(/\.pdf$/i, '')
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80);
  return `${bare || 'document'}.pdf`;
}
