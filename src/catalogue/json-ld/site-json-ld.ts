import { toBcp47 } from '#contracts/product/index.ts';
import { absoluteUrl } from '../addresses/absolute-url.ts';
import type { JsonLdNode } from './json-ld.ts';
import { sitePath } from '../addresses/base.ts';
import { homePath, rootPath } from '../addresses/paths.ts';

export interface SiteOwner {
  name: string;
  address: readonly string[];
  /** ISO 3166-1. */
  country?: string | undefined;
  email: string;
}

/** The site, and who publishes it: for its home pages. @param language Of the page; undefined where one is chosen. */
export function siteJsonLd(
  { name, description, maker }: { name: string; description: string | undefined; maker: SiteOwner },
  language: string | undefined,
  site: URL,
): JsonLdNode[] {
  const organization = absoluteUrl(`${rootPath()}#organization`, site);
  // Each language has a site of its own to search engines, with its name and description: one `@id` is one thing.
  const url = absoluteUrl(language === undefined ? rootPath() : homePath(language), site);
  const { address, country } = maker;
  return [
    {
      '@type': 'WebSite',
      '@id': `${url}#website`,
      url,
      name,
      ...(description !== undefined && { description }),
      ...(language !== undefined && { inLanguage: toBcp47(language) }),
      publisher: { '@id': organization },
    },
    {
      '@type': 'Organization',
      '@id': organization,
      name: maker.name,
      url: absoluteUrl(rootPath(), site),
      logo: absoluteUrl(sitePath('/favicon.svg'), site),
      email: maker.email,
      address: country
        ? { '@type': 'PostalAddress', streetAddress: address.join(', '), addressCountry: country }
        : address.join(', '),
    },
  ];
}
