import { toBcp47 } from '#contracts/product/index.ts';
import type { PostEntry } from '#model/entries.ts';
import { absoluteUrl } from '../addresses/absolute-url.ts';
import { sitePath } from '../addresses/base.ts';
import { archivePath, homePath, rootPath } from '../addresses/paths.ts';
import { pictureSources } from '../pictures/picture-sources.ts';
import type { JsonLdNode } from './json-ld.ts';

export interface SiteOwner {
  name: string;
  address: readonly string[];
  /** ISO 3166-1. */
  country?: string | undefined;
  email: string;
}

/** Who answers for the site and its products, by the name that stands for them on every page. */
export function organizationReference(name: string, site: URL): JsonLdNode {
  const url = absoluteUrl(rootPath(), site);
  return { '@type': 'Organization', '@id': `${url}#organization`, name, url };
}

/** The site in one language: each has one of its own to search engines, with its name and description. */
export function websiteId(home: string, site: URL): string {
  return `${absoluteUrl(home, site)}#website`;
}

/**
 * Who publishes the site, and the site: for its home pages.
 * @param about With addresses of the maker's profiles elsewhere.
 * @param language Of the page; undefined where one is chosen.
 */
export function siteJsonLd(
  {
    name,
    description,
    maker,
    profiles = [],
  }: { name: string; description: string | undefined; maker: SiteOwner; profiles?: readonly string[] },
  language: string | undefined,
  site: URL,
): JsonLdNode[] {
  const organization = organizationReference(maker.name, site);
  const home = language === undefined ? rootPath() : homePath(language);
  const { address, country } = maker;
  return [
    {
      ...organization,
      logo: absoluteUrl(sitePath('/favicon.svg'), site),
      email: maker.email,
      ...(profiles.length > 0 && { sameAs: profiles }),
      address: country
        ? { '@type': 'PostalAddress', streetAddress: address.join(', '), addressCountry: country }
        : address.join(', '),
    },
    {
      '@type': 'WebSite',
      '@id': websiteId(home, site),
      url: absoluteUrl(home, site),
      name,
      ...(description !== undefined && { description }),
      ...(language !== undefined && { inLanguage: toBcp47(language) }),
      publisher: { '@id': organization['@id'] },
    },
  ];
}

export interface Crumb {
  name: string;
  path: string;
}

/** @param crumbs From the home page to the page itself. @param url Of the page, absolute. */
export function breadcrumbJsonLd(crumbs: readonly Crumb[], url: string, site: URL): JsonLdNode {
  return {
    '@type': 'BreadcrumbList',
    '@id': `${url}#breadcrumb`,
    itemListElement: crumbs.map(({ name, path }, i) => ({
      '@type': 'ListItem',
      position: i + 1,
      name,
      item: absoluteUrl(path, site),
    })),
  };
}

/** The page itself, in its language; `about` is the node of what it is about. */
export function pageJsonLd(page: {
  type: string;
  url: string;
  name: string;
  description: string | undefined;
  inLanguage: string | undefined;
  /** Absolute. */
  image: string | undefined;
  /** `@id` of the site. */
  website: string;
  breadcrumb: JsonLdNode | undefined;
  about: JsonLdNode | undefined;
  /** Whether it is about nothing else. */
  isMain: boolean;
}): JsonLdNode {
  const { type, url, name, description, inLanguage, image, website, breadcrumb, about, isMain } = page;
  return {
    '@type': type,
    '@id': url,
    url,
    name,
    // What the page is about mostly says the same.
    ...(description && about?.['description'] !== description && { description }),
    ...(inLanguage && { inLanguage }),
    ...(image && { image: [image] }),
    isPartOf: { '@id': website },
    ...(breadcrumb && { breadcrumb: { '@id': breadcrumb['@id'] } }),
    ...(about && { [isMain ? 'mainEntity' : 'about']: { '@id': about['@id'] } }),
  };
}

interface ListedPage {
  path: string;
  /** Where the page doesn't say it of itself. */
  name?: string;
}

/**
 * The list that a page shows.
 * @param list The address of the page, what stands on it, how much stands on the pages before it, and how much on all.
 */
export function listJsonLd(
  list: { path: string; items: readonly ListedPage[]; before?: number; total?: number },
  site: URL,
): JsonLdNode {
  const { path, items, before = 0, total = items.length } = list;
  return {
    '@type': 'ItemList',
    '@id': `${absoluteUrl(path, site)}#list`,
    numberOfItems: total,
    itemListElement: items.map((item, i) => ({
      '@type': 'ListItem',
      position: before + i + 1,
      url: absoluteUrl(item.path, site),
      ...(item.name !== undefined && { name: item.name }),
    })),
  };
}

/** Who writes, by the page that lists what they wrote. */
export function personJsonLd(
  { author, authorSlug, language }: Pick<PostEntry, 'author' | 'authorSlug' | 'language'>,
  site: URL,
): JsonLdNode {
  const url = authorSlug && absoluteUrl(archivePath(language, 'author', authorSlug), site);
  return { '@type': 'Person', ...(url && { '@id': `${url}#person`, url }), name: author };
}

export function articleJsonLd(post: PostEntry, { site, maker }: { site: URL; maker: string }): JsonLdNode {
  const url = absoluteUrl(post.path, site);
  const publisher = organizationReference(maker, site);
  return {
    '@type': 'BlogPosting',
    '@id': `${url}#article`,
    mainEntityOfPage: { '@id': url },
    headline: post.title,
    ...(post.excerpt && { description: post.excerpt }),
    datePublished: post.published.toISOString(),
    dateModified: post.modified.toISOString(),
    inLanguage: toBcp47(post.language),
    author: post.author ? personJsonLd(post, site) : publisher,
    publisher,
    ...(post.featured && { image: [absoluteUrl(pictureSources(post.featured, 'banner').src, site)] }),
  };
}
