import { absoluteUrl } from '../addresses/absolute-url.ts';
import type { JsonLdNode } from './json-ld.ts';

export interface Crumb {
  name: string;
  path: string;
}

/** @param crumbs From the home page to the page itself. */
export function breadcrumbJsonLd(crumbs: readonly Crumb[], site: URL): JsonLdNode {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: crumbs.map(({ name, path }, i) => ({
      '@type': 'ListItem',
      position: i + 1,
      name,
      item: absoluteUrl(path, site),
    })),
  };
}
