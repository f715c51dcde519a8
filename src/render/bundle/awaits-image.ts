import type { BundleState } from './astro-internals.ts';

/**
 * Whether a page shows an image that Astro makes smaller where it builds. Elsewhere, its image services give the address
 * at which a server would make it.
 */
export function awaitsImage(page: string, { imageEndpoint }: Pick<BundleState, 'imageEndpoint'>): boolean {
  // Without its slash, which is all over a page.
  return page.includes(`${imageEndpoint.slice(1)}?href=`);
}
