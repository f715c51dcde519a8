import type { Crumb } from '../json-ld/breadcrumb-json-ld.ts';
import { familyPath, homePath, productPath, productsPath } from '../addresses/paths.ts';
import type { ProductView } from './product-view.ts';

export function productCrumbs(
  { product, family }: Pick<ProductView, 'product' | 'family'>,
  names: { home: string; products: string },
): Crumb[] {
  const language = product.pageLanguage;
  return [
    { name: names.home, path: homePath(language) },
    { name: names.products, path: productsPath(language) },
    ...(family ? [{ name: family.name, path: familyPath(language, family.id) }] : []),
    { name: product.name, path: productPath(language, product.slug) },
  ];
}
