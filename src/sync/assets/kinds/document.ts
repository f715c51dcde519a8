import { checkType, type AssetKind } from '../asset-kind.ts';

const WHAT = 'a PDF';

/** Of products, and what texts link to. What a declaration of performance was before stays available. */
export const DOCUMENT: AssetKind = {
  kind: 'document',
  what: WHAT,
  accept: 'application/pdf,*/*;q=0.1',
  whenLinked: () => 'asked about',
  check: (bytes) => checkType(bytes, WHAT, ['application/pdf']),
};
