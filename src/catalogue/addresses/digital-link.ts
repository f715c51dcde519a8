import { toGtin14 } from '#contracts/index.ts';

import { sitePath } from './base.ts';

/** Address of a product by GS1 Digital Link, uncompressed and without a slash at its end. */
export function digitalLink(gtin: string, site: URL): string {
  return site.origin + sitePath(`/01/${toGtin14(gtin)}`);
}
