import { toBcp47 } from '#contracts/product/index.ts';
import type { PostEntry } from '#model/entries.ts';
import { absoluteUrl } from '../addresses/absolute-url.ts';
import { sitePath } from '../addresses/base.ts';
import { homePath, rootPath } from '../addresses/paths.ts';
import { pictureSources } from '../pictures/picture-sources.ts';
import type { JsonLdNode } from './json-ld.ts';

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

interface ListedPage {
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

export function articleJsonLd(post: PostEntry, { site, maker }: { site: URL; maker: string }): JsonLdNode {
  const url = absoluteUrl(post.path, site);
  const publisher = { '@type': 'Organization', name: maker };
  return {
    '@type': 'BlogPosting',
    '@id': `${url}#article`,
    mainEntityOfPage: url,
    headline: post.title,
    ...(post.excerpt && { description: post.excerpt }),
    datePublished: post.published.toISOString(),
    dateModified: post.modified.toISOString(),
    inLanguage: toBcp47(post.language),
    author: post.author ? { '@type': 'Person', name: post.author } : publisher,
    publisher,
    ...(post.featured && { image: [absoluteUrl(pictureSources(post.featured, 'banner').src, site)] }),
  };
}
