import type { Frame, ProductFacts } from '../product-facts.ts';
import { productPage } from '../product-page.ts';

interface PageData {
  product: { path: string; read: () => ProductFacts };
  frames: Record<string, Frame>;
}

export const data = {
  pagination: { data: 'pages', size: 1, alias: 'product', addAllPagesToCollections: false },
  permalink: ({ product }: PageData) => `${product.path}index.html`,
  eleventyExcludeFromCollections: true,
};

export function render({ product, frames }: PageData): string {
  const facts = product.read();
  const frame = frames[facts.language];
  if (!frame) throw new Error(`There is no frame for ${facts.language}.`);
  return productPage(frame, facts);
}
