import type { Loader } from 'astro/loaders';
import type { Options } from '#config/index.ts';
import { checkOverlays } from './check-overlays.ts';
import { overlayReferences } from '#model/overlay-entry.ts';
import { withSnapshot } from '#product-index/with-snapshot.ts';

/**
 * Collection `overlays`: what is written to products, checked against the products that there are.
 * @param files Reads the files.
 */
export function overlayLoader(options: Options, files: Loader): Loader {
  return {
    name: 'sortiment-overlays',
    load: (context) =>
      withSnapshot(context, options, async (source) => {
        await files.load(context);
        const overlays = context.store.entries().map(([id, { data, body = '', filePath }]) => {
          const { successor, accessories = [], variants = [] } = overlayReferences.parse(data);
          return {
            id,
            file: filePath ?? `content/products/${id}.mdx`,
            successor,
            accessories,
            variants: typeof variants === 'string' ? [] : variants,
            hasText: body.trim() !== '',
          };
        });
        checkOverlays(source, overlays);
      }),
  };
}
