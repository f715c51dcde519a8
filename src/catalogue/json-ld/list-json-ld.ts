import { toBcp47 } from '#contracts/product/index.ts';
import { absoluteUrl } from '../addresses/absolute-url.ts';
import type { JsonLdNode } from './json-ld.ts';

export interface ListedPage {
  path: string;
  /** Where the page doesn't say it of itself. */
  name?: string;
}

/**
 * A page that lists others.
 * @param list Its own address and name, what stands on it, how much stands on the pages before it, and how much on all.
 */
export function listJsonLd(
  list: {
    path: string;
    name: string;
    language: string;
    items: readonly ListedPage[];
    before?: number;
    total?: number;
  },
  site: URL,
): JsonLdNode {
  const { path, name, language, items, before = 0, total = items.length } = list;
  return {
    '@type': 'CollectionPage',
    url: absoluteUrl(path, site),
    name,
    inLanguage: toBcp47(language),
    mainEntity: {
      '@type': 'ItemList',
      numberOfItems: total,
      itemListElement: items.map((item, i) => ({
        '@type': 'ListItem',
        position: before + i + 1,
        url: absoluteUrl(item.path, site),
        ...(item.name !== undefined && { name: item.name }),
      })),
    },
  };
}
