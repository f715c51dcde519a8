import { createHash } from 'node:crypto';
import { summariseFacets } from '#catalogue/facets/summarise-facets.ts';
import type { Highlight } from '#catalogue/products/key-values.ts';
import { isCalculable } from '#catalogue/quantities/material-need.ts';
import type { ProductListEntry } from '#model/entries.ts';
import type { ProductIndex } from '#catalogue/port/product-index.ts';
import type { ListedGroup } from '#catalogue/port/listed-rows.ts';

/**
 * Summarises a product group, so that pages needn't read its products.
 * @param entries All entries of the group, at least one.
 * @param highlights Properties that lists show, the same in every language.
 */
export function describeGroup(
  productGroup: string,
  entries: readonly ProductListEntry[],
  highlights: readonly Highlight[],
  documentsOf: ProductIndex['documentsOf'],
): ListedGroup {
  const documents = createHash('sha1');
  for (const { gtin, name, item_number, slug, language, pageLanguage } of entries)
    documents.update(JSON.stringify([gtin, name, item_number, slug, language, documentsOf(pageLanguage, gtin)]));
  const first = entries.find(({ availability }) => availability === 'available') ?? entries[0];
  return {
    productGroup,
    count: entries.length,
    highlights,
    image: entries.find(({ imageAsset }) => imageAsset)?.imageAsset,
    firstGtin: first?.gtin ?? '',
    documentsDigest: documents.digest('base64url'),
    isMeasured: entries.some(isCalculable),
    facets: productGroup === '' ? [] : summariseFacets(entries),
  };
}
