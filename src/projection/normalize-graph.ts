import { PAGE_TYPES } from '#contracts/seo/head-values.ts';

type Node = Record<string, unknown>;

export interface NormalizeGraphOptions {
  /** Name of the publishing site, unless its editors chose another one for linked data. */
  publishingName: string;
  /** This site in the language of the page. */
  site: { name: string; description: string | undefined };
  /** True for images that heads may show. */
  isOwnPicture: (address: string) => boolean;
}

/**
 * Removes from the publishing site's linked data whatever doesn't apply to this site. This covers breadcrumbs, names
 * and descriptions of pages, comment forms and images of foreign hosts.
 */
export function normalizeGraph(graph: readonly Node[], options: NormalizeGraphOptions): Node[] {
  const foreign = new Set(
    graph.flatMap((node) => (isImage(node) && !hasSiteImages(node, options) ? [node['@id']] : [])),
  );
  return graph.flatMap((node) => {
    if (hasType(node, BREADCRUMBS) || foreign.has(node['@id'])) return [];
    const filtered = withSiteImages(
      node,
      (value) => !isReference(value, foreign) && hasSiteImages(value, options),
    ) as Node;
    return [withSiteTexts(withActions(filtered), options)];
  });
}

const BREADCRUMBS = new Set(['BreadcrumbList']);
const WEBSITE = new Set(['WebSite']);
const PAGES: ReadonlySet<string> = new Set(PAGE_TYPES);
const IMAGE_PROPERTIES = new Set([
  'image',
  'logo',
  'photo',
  'primaryImageOfPage',
  'screenshot',
  'thumbnail',
  'thumbnailUrl',
]);

function hasType(node: Node, types: ReadonlySet<string>): boolean {
  return [node['@type']].flat().some((type) => types.has(String(type)));
}

function isImage(node: Node): boolean {
  return hasType(node, new Set(['ImageObject']));
}

function isReference(value: unknown, ids: ReadonlySet<unknown>): boolean {
  return typeof value === 'object' && value !== null && '@id' in value && ids.has(value['@id']);
}

/** @param value An address, or a node with addresses. */
function hasSiteImages(value: unknown, { isOwnPicture }: NormalizeGraphOptions): boolean {
  if (typeof value === 'string') return isOwnPicture(value);
  if (typeof value !== 'object' || value === null) return true;
  return ['url', 'contentUrl'].every((name) => {
    const address = (value as Node)[name];
    return typeof address !== 'string' || isOwnPicture(address);
  });
}

/** Removes images that aren't the site's, both as members and in lists. */
function withSiteImages(value: unknown, isAllowed: (picture: unknown) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withSiteImages(item, isAllowed));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
      if (!IMAGE_PROPERTIES.has(name)) return [[name, withSiteImages(member, isAllowed)]];
      if (!Array.isArray(member)) return isAllowed(member) ? [[name, member]] : [];
      const filtered = member.filter((item: unknown) => isAllowed(item));
      return filtered.length > 0 ? [[name, filtered]] : [];
    }),
  );
}

/** Removes comment forms, which pages don't have, and the obsolete `query-input` of search forms. */
function withActions({ potentialAction, ...node }: Node): Node {
  const actions = [potentialAction].flat().flatMap((action): Node[] => {
    if (typeof action !== 'object' || action === null || hasType(action as Node, COMMENT)) return [];
    const { 'query-input': _, ...rest } = action as Node;
    return [rest];
  });
  return actions.length > 0 ? { ...node, potentialAction: actions } : node;
}

const COMMENT = new Set(['CommentAction']);

function withSiteTexts(node: Node, { publishingName, site }: NormalizeGraphOptions): Node {
  if (hasType(node, PAGES)) {
    const { name: _name, description: _description, breadcrumb: _breadcrumb, ...page } = node;
    return page;
  }
  if (!hasType(node, WEBSITE)) return node;
  const name = node['name'] === publishingName ? site.name : node['name'];
  return { ...node, name, ...(site.description !== undefined && { description: site.description }) };
}
