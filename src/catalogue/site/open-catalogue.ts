import { RENDER_CONTEXT } from '../port/render-context.ts';
import type { ProductIndex } from '../port/product-index.ts';
import { integrationMissing } from './integration-missing.ts';

/** The product index of the build, or of the dev server, that runs this code. @throws SortimentError INTEGRATION_MISSING */
export function openCatalogue(): ProductIndex {
  const productIndex = globalThis[RENDER_CONTEXT]?.productIndex?.();
  if (!productIndex) throw integrationMissing();
  return productIndex;
}
