import { hasPdfHeader } from '#files/media/has-pdf-header.ts';
import { describeFileType, detectFileType, type AssetKind } from '../asset-kind.ts';

const PDF = { mimeType: 'application/pdf', extension: 'pdf' };

/** Documents of products, and documents linked in texts. Earlier declarations of performance stay available. */
export const DOCUMENT: AssetKind = {
  kind: 'document',
  what: 'a PDF',
  accept: 'application/pdf,*/*;q=0.1',
  access: ({ documents }) => (documents === 'link' ? 'check' : 'fetch'),
  check: async (bytes) => {
    const found = (await detectFileType(bytes))?.mime;
    const isPdf = found === undefined ? hasPdfHeader(bytes) : found === PDF.mimeType;
    return isPdf ? { ok: true, ...PDF } : { ok: false, problem: `is not a PDF, but ${describeFileType(bytes, found)}` };
  },
};
