import type { BundleState } from './astro-internals.ts';

/**
 * True if a page contains an image that Astro resizes at build time. Elsewhere, its image services return the URL of an
 * on-demand endpoint.
 */
export function hasUnoptimizedImage(page: string, { imageEndpoint }: Pick<BundleState, 'imageEndpoint'>): boolean {
  // The leading slash is dropped, because slashes are frequent in a page.
  return page.includes(`${imageEndpoint.slice(1)}?href=`);
}
