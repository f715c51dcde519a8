import { createHash, hash } from 'node:crypto';
import { summariseFacets } from '#catalogue/facets/summarise-facets.ts';
import { keyValues, type Highlight } from '#catalogue/products/key-values.ts';
import { isMeasured } from '#catalogue/quantities/material-need.ts';
import { GROUP_HEAD } from '#catalogue/site/product-groups.ts';
import type { ListedEntry } from '#model/entries.ts';
import type { ProductIndex } from '#catalogue/port/product-index.ts';
import type { ListedGroup } from '#catalogue/port/listed-rows.ts';

/**
 * What pages show of a product group which are not its own.
 * @param entries All that is on it, at least one.
 * @param highlights What its lists show of a product, the same in every language.
 */
export function describeGroup(
  productGroup: string,
  entries: readonly ListedEntry[],
  highlights: readonly Highlight[],
  { rowDigestOf, documentsOf }: Pick<ProductIndex, 'rowDigestOf' | 'documentsOf'>,
): ListedGroup {
  // What belongs to no family has no page of its own: all of it is shown.
  const head = productGroup === '' ? entries : entries.slice(0, GROUP_HEAD);
  const first = entries.find(({ availability }) => availability === 'available') ?? entries[0];
  const image = entries.find(({ imageAsset }) => imageAsset)?.imageAsset;
  const rows = [...head, ...(first ? [first] : [])].map((entry) => [rowDigestOf(entry), keyValues(entry, highlights)]);
  const summary = hash('sha1', JSON.stringify([entries.length, rows, image]), 'base64url');
  const documents = describeDocuments(entries, head.length, documentsOf);
  return {
    productGroup,
    count: entries.length,
    summary,
    highlights,
    image,
    firstGtin: first?.gtin ?? '',
    documents,
    isMeasured: entries.some(isMeasured),
    facets: productGroup === '' ? [] : summariseFacets(entries),
  };
}

function describeDocuments(
  entries: readonly ListedEntry[],
  shown: number,
  documentsOf: ProductIndex['documentsOf'],
): ListedGroup['documents'] {
  const all = createHash('sha1');
  let head = '';
  let count = 0;
  for (const [i, entry] of entries.entries()) {
    if (i === shown) head = all.copy().digest('base64url');
    const offered = documentsOf(entry.pageLanguage, entry.gtin);
    count += offered.documents.length;
    all.update(JSON.stringify([entry.gtin, entry.name, entry.item_number, entry.slug, entry.language, offered]));
  }
  const digest = all.digest('base64url');
  return { count, head: head || digest, all: digest };
}
