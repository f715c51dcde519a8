import { sitePath } from './site-paths.ts';
import { toGtin14 } from '#contracts/index.ts';

/** Returns the GS1 Digital Link of a product, uncompressed and without a trailing slash. */
export function digitalLink(gtin: string, site: URL): string {
  return site.origin + sitePath(`/01/${toGtin14(gtin)}`);
}
