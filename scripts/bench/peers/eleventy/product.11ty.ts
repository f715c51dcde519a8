import type { PageChrome, ProductFacts } from '../product-facts.ts';
import { productPage } from '../product-page.ts';

interface PageData {
  product: { path: string; read: () => ProductFacts };
  pageChromes: Record<string, PageChrome>;
}

export const data = {
  pagination: { data: 'pages', size: 1, alias: 'product', addAllPagesToCollections: false },
  permalink: ({ product }: PageData) => `${product.path}index.html`,
  eleventyExcludeFromCollections: true,
};

export function render({ product, pageChromes }: PageData): string {
  const facts = product.read();
  const pageChrome = pageChromes[facts.language];
  if (!pageChrome) throw new Error(`There is no page chrome for ${facts.language}.`);
  return productPage(pageChrome, facts);
}
