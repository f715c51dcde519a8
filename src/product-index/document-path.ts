import path from 'node:path';
import { sitePath } from '#catalogue/addresses/base.ts';
import { documentFileName } from '#catalogue/documents/document-file-name.ts';
import type { StoredAsset } from '#snapshot/index.ts';

/** Path prefix of mirrored documents and other files. */
export const DOCUMENT_PREFIX = '/documents/';

/**
 * Returns the path of a mirrored document, `/documents/1a2b3c4d-hw-10110-tds-de.pdf`. Changed bytes get another
 * address. Undefined if only the source has the file.
 */
export function documentPath({
  url,
  digest,
  file,
  kind,
}: Pick<StoredAsset, 'url' | 'digest' | 'file' | 'kind'>): string | undefined {
  if (kind === 'image' || !digest || !file) return undefined;
  // The extension is detected from the bytes, not taken from the address.
  const name = safeName(documentFileName(url), kind === 'document' ? 'pdf' : path.extname(file).slice(1));
  return sitePath(`${DOCUMENT_PREFIX}${digest.slice(0, 8)}-${name}`);
}

function safeName(fileName: string, extension: string): string {
  const end = `.${extension}`;
  const bare = (fileName.toLowerCase().endsWith(end) ? fileName.slice(0, -end.length) : fileName)
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80);
  return `${bare || 'document'}${end}`;
}
