/** A JSON-LD node with the vocabulary https://schema.org/version/30.0. */
export type JsonLdNode = Record<string, unknown>;

/** Removes empty texts, empty lists and values that are undefined. */
export function dropEmpty<T extends object>(values: T): T {
  const isEmpty = (value: unknown) => value === undefined || value === '' || (Array.isArray(value) && !value.length);
  return Object.fromEntries(Object.entries(values).filter(([, value]) => !isEmpty(value))) as T;
}

/** Creates a node without empty values. */
export function createNode(type: string | readonly string[], id: string | undefined, values: object): JsonLdNode {
  return dropEmpty({ '@type': type, '@id': id, ...values });
}

export const nodeReference = (id: string) => ({ '@id': id });

/** Returns the ID of a site. Each language is a separate `WebSite` node. @param home absolute URL of its home page */
export const websiteId = (home: string): string => `${home}#website`;
export const breadcrumbId = (url: string): string => `${url}#breadcrumb`;

/** Describes a company. @param home absolute URL of the home page, which identifies it on every page */
export function organizationNode({ home, name, ...more }: { home: string; name: string } & JsonLdNode): JsonLdNode {
  return createNode('Organization', `${home}#organization`, { name, url: home, ...more });
}

interface WebsiteNode extends JsonLdNode {
  /** Absolute URL of the home page. */
  home: string;
  name: string;
  description: string | undefined;
  /** BCP 47 tag. */
  inLanguage: string | undefined;
  /** ID of the publisher. */
  publisherId: string | undefined;
}

export function websiteNode({ home, publisherId, ...values }: WebsiteNode): JsonLdNode {
  const publisher = publisherId === undefined ? undefined : nodeReference(publisherId);
  return createNode('WebSite', websiteId(home), { url: home, ...values, publisher });
}

interface PageNode extends JsonLdNode {
  type: string | readonly string[];
  url: string;
  name: string;
  description: string | undefined;
  inLanguage: string | undefined;
  /** Absolute URL of the home page of the site. */
  home: string;
  hasBreadcrumb: boolean;
}

export function pageNode({ type, url, home, hasBreadcrumb, ...values }: PageNode): JsonLdNode {
  const breadcrumb = hasBreadcrumb ? nodeReference(breadcrumbId(url)) : undefined;
  return createNode(type, url, { url, ...values, isPartOf: nodeReference(websiteId(home)), breadcrumb });
}

/** Lists the breadcrumbs of a page, from the home page to the page itself. Addresses are absolute. */
export function breadcrumbNode(url: string, crumbs: readonly { name: string; url?: string | undefined }[]): JsonLdNode {
  return createNode('BreadcrumbList', breadcrumbId(url), {
    itemListElement: crumbs.map(({ name, url: item }, i) =>
      createNode('ListItem', undefined, { position: i + 1, name, item }),
    ),
  });
}

interface ArticleNode extends JsonLdNode {
  type: string | readonly string[];
  /** Absolute URL of its page. */
  url: string;
  headline: string;
  datePublished: string;
  dateModified: string | undefined;
  inLanguage: string;
  author: object | undefined;
  publisher: object | undefined;
}

export function articleNode({ type, url, ...values }: ArticleNode): JsonLdNode {
  return createNode(type, `${url}#article`, { mainEntityOfPage: nodeReference(url), ...values });
}

/** Wraps the nodes of a page. */
export function linkedData(graph: readonly JsonLdNode[]) {
  return { '@context': 'https://schema.org', '@graph': [...graph] };
}

/** Serializes linked data for a script element. Texts can't close the element. */
export function serializeLinkedData(data: object): string {
  return JSON.stringify(data)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('>', String.raw`\u003e`)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`);
}
