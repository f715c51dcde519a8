import { imageVariants } from '#catalogue/pictures/image-variants.ts';
import { productPath } from '#catalogue/addresses/paths.ts';
import { SEARCHED_FIELDS } from '#catalogue/products/searched-fields.ts';
import { toBcp47 } from '#contracts/product/index.ts';
import type { ProductEntry } from '#model/entries.ts';
import { htmlText } from '#contracts/html/index.ts';
import type { SearchRecord } from './search-record.ts';

type Searched = Pick<
  ProductEntry,
  (typeof SEARCHED_FIELDS)[number] | 'gtin' | 'slug' | 'pageLanguage' | 'fallback' | 'imageAsset'
>;

/** @param family Its name, in the language of the page. */
export function productRecord(product: Searched, family: string | undefined): SearchRecord {
  const { name, gtin, item_number, intro, application_short, attributes, materials, imageAsset } = product;
  const image =
    imageAsset && imageVariants({ ...imageAsset, role: 'thumbnail' }).find(({ format }) => format === 'webp');
  const line = application_short || intro;
  return {
    kind: 'product',
    path: productPath(product.pageLanguage, product.slug),
    meta: {
      title: name,
      ...(line && { text: line }),
      ...(item_number && { item_number }),
      gtin,
      ...(family && { family }),
      ...(image && { image: image.path }),
      ...(product.fallback && { lang: toBcp47(product.language) }),
    },
    text: [
      name,
      family,
      item_number,
      item_number.replaceAll(/[^\p{L}\p{N}]/gu, ''),
      gtin,
      intro,
      application_short,
      ...attributes.map((attribute) => [attribute.name, attribute.norm, attribute.value].filter(Boolean).join(' ')),
      ...materials.map((material) => `${material.name}: ${material.value}`),
      ...[product.application, product.advantages, product.substrate].map(htmlText),
    ]
      .filter(Boolean)
      .join('. '),
  };
}
