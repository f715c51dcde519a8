import type { Site } from './load-site.ts';

/** How large the range is, counted, not claimed. */
export function rangeNumbers(site: Pick<Site, 'products' | 'shelves' | 'languages'>, language: string) {
  const products = site.products(language);
  const documents = new Set(products.flatMap(({ documentHrefs }) => documentHrefs));
  return {
    products: products.length,
    families: site.shelves(language).filter(({ family }) => family).length,
    documents: documents.size,
    languages: site.languages.length,
  };
}
