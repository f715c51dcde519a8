import { toBcp47 } from '../../contracts/product/index.ts';
import { absoluteUrl } from '../addresses/absolute-url.ts';
import type { JsonLdNode } from './json-ld.ts';
import { homePath, ROOT_PATH } from '../addresses/paths.ts';

export interface SiteOwner {
  name: string;
  address: readonly string[];
  email: string;
}

/** The site, and who publishes it: for its home pages. @param language Of the page; undefined where one is chosen. */
export function siteJsonLd(
  { name, description, maker }: { name: string; description: string | undefined; maker: SiteOwner },
  language: string | undefined,
  site: URL,
): JsonLdNode[] {
  const organization = absoluteUrl(`${ROOT_PATH}#organization`, site);
  return [
    {
      '@type': 'WebSite',
      '@id': absoluteUrl(`${ROOT_PATH}#website`, site),
      url: absoluteUrl(language === undefined ? ROOT_PATH : homePath(language), site),
      name,
      ...(description !== undefined && { description }),
      ...(language !== undefined && { inLanguage: toBcp47(language) }),
      publisher: { '@id': organization },
    },
    {
      '@type': 'Organization',
      '@id': organization,
      name: maker.name,
      url: absoluteUrl(ROOT_PATH, site),
      logo: absoluteUrl('/favicon.svg', site),
      email: maker.email,
      address: maker.address.join(', '),
    },
  ];
}
