import { checkType, type AssetKind } from '../asset-kind.ts';

const WHAT = 'a PDF';

/** Documents of products and those that texts link to. Earlier declarations of performance stay available. */
export const DOCUMENT: AssetKind = {
  kind: 'document',
  what: WHAT,
  accept: 'application/pdf,*/*;q=0.1',
  access: ({ documents }) => (documents === 'link' ? 'asked about' : 'fetched'),
  check: (bytes) => checkType(bytes, WHAT, ['application/pdf']),
};
