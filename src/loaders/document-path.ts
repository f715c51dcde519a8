import { sitePath } from '../catalogue/addresses/base.ts';
import { documentFileName } from '../catalogue/documents/document-file-name.ts';
import type { StoredAsset } from '../snapshot/index.ts';

<<<<<<< HEAD
/** The place of mirrored documents in the site. */
=======
/** Where mirrored documents and other files stand in the site. */
>>>>>>> bf601b5 (Keep what carries meaning in the HTML of upstreams, play its media and open its files from the site, and forget what is withdrawn)
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
<<<<<<< HEAD
  if (kind !== 'document' || !digest || !file) return undefined;
  return sitePath(`${DOCUMENT_PREFIX}${digest.slice(0, 8)}-${safeName(documentFileName(url))}`);
=======
  if (kind === 'image' || !digest || !file) return undefined;
  return `${DOCUMENT_PREFIX}${digest.slice(0, 8)}-${safeName(documentFileName(url), kind === 'document' ? 'pdf' : extensionOf(file))}`;
>>>>>>> bf601b5 (Keep what carries meaning in the HTML of upstreams, play its media and open its files from the site, and forget what is withdrawn)
}

/** As its bytes say, whatever its address ends with. */
function extensionOf(file: string): string {
  return file.slice(file.lastIndexOf('.') + 1);
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
