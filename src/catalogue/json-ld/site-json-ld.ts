import { toBcp47 } from '#contracts/product/index.ts';
import type { PostEntry } from '#catalogue/entries/entries.ts';
import { absoluteUrl, sitePath } from '../addresses/site-paths.ts';
import { archivePath, homePath, rootPath } from '../addresses/paths.ts';
import { pictureSources } from '../images/image-variants.ts';

export interface Publisher {
  name: string;
  address: readonly string[];
  /** ISO 3166-1. */
  country?: string | undefined;
  email: string;
}

/** Creates the reference to the publisher, which is the same on every page. */
export function organizationReference(name: string, site: URL): JsonLdNode {
  const url = absoluteUrl(rootPath(), site);
  return { '@type': 'Organization', '@id': `${url}#organization`, name, url };
}

/** Returns the ID of the site in one language. Each language is a separate `WebSite` node. */
export function websiteId(home: string, site: URL): string {
  return `${absoluteUrl(home, site)}#website`;
}

/**
 * Creates the nodes of the publisher and the site for home pages.
 * @param about Site and manufacturer, with profile URLs on other sites.
 * @param language Language of the page. Undefined on the language chooser.
 */
export function siteJsonLd(
  {
    name,
    description,
    maker,
    profiles = [],
  }: { name: string; description: string | undefined; maker: Publisher; profiles?: readonly string[] },
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

/** Creates the breadcrumb. @param crumbs From the home page to the page itself. @param url Absolute URL of the page. */
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

/** Creates the node of a page. `about` is the node of its topic. */
export function pageJsonLd(page: {
  type: string;
  url: string;
  name: string;
  description: string | undefined;
  inLanguage: string | undefined;
  /** Absolute URL. */
  image: string | undefined;
  /** `@id` of the `WebSite` node. */
  website: string;
  breadcrumb: JsonLdNode | undefined;
  about: JsonLdNode | undefined;
  /** True if `about` is its only topic. */
  isMain: boolean;
}): JsonLdNode {
  const { type, url, name, description, inLanguage, image, website, breadcrumb, about, isMain } = page;
  return {
    '@type': type,
    '@id': url,
    url,
    name,
    // The topic usually has the same description.
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
  /** Name if the item's page has no node. */
  name?: string;
}

/**
 * Creates the node of a list.
 * @param list Path of the page, its items, the number of items on earlier pages, and the total.
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

/** Creates the node of an author, identified by the author's archive. */
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

/** A JSON-LD node with the vocabulary https://schema.org/version/30.0. */
export type JsonLdNode = Readonly<Record<string, unknown>>;

/** Serialises the nodes of a page for a script element. Texts can't close the element. */
export function serializeJsonLd(graph: readonly JsonLdNode[]): string {
  return JSON.stringify({ '@context': 'https://schema.org', '@graph': graph })
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}
