import { PAGE_TYPES } from '#contracts/seo/head-values.ts';

type Node = Record<string, unknown>;

export interface NormalizeGraphOptions {
  /** Name that the publishing site goes by unless its editors named it otherwise in linked data. */
  publishingName: string;
  /** This site in the language of the page. */
  site: { name: string; description: string | undefined };
  /** True for pictures that heads may show. */
  isOwnPicture: (address: string) => boolean;
}

/**
 * Leaves out of the publishing site's linked data what doesn't hold for this site: its trails, as pages show others; the
 * names and descriptions of pages, which their heads have; forms for comments; and pictures of foreign hosts.
 */
export function normalizeGraph(graph: readonly Node[], options: NormalizeGraphOptions): Node[] {
  const foreign = new Set(
    graph.flatMap((node) => (isPicture(node) && !hasOwnPicture(node, options) ? [node['@id']] : [])),
  );
  return graph.flatMap((node) => {
    if (hasType(node, TRAIL) || foreign.has(node['@id'])) return [];
    const own = withOwnPictures(node, (value) => !isReference(value, foreign) && hasOwnPicture(value, options)) as Node;
    return [withOwnTexts(withActions(own), options)];
  });
}

const TRAIL = new Set(['BreadcrumbList']);
const WEBSITE = new Set(['WebSite']);
const PAGES: ReadonlySet<string> = new Set(PAGE_TYPES);
const PICTURES = new Set(['image', 'logo', 'photo', 'primaryImageOfPage', 'screenshot', 'thumbnail', 'thumbnailUrl']);

function hasType(node: Node, types: ReadonlySet<string>): boolean {
  return [node['@type']].flat().some((type) => types.has(String(type)));
}

function isPicture(node: Node): boolean {
  return hasType(node, new Set(['ImageObject']));
}

function isReference(value: unknown, ids: ReadonlySet<unknown>): boolean {
  return typeof value === 'object' && value !== null && '@id' in value && ids.has(value['@id']);
}

/** @param value An address, or a node with addresses. */
function hasOwnPicture(value: unknown, { isOwnPicture }: NormalizeGraphOptions): boolean {
  if (typeof value === 'string') return isOwnPicture(value);
  if (typeof value !== 'object' || value === null) return true;
  return ['url', 'contentUrl'].every((name) => {
    const address = (value as Node)[name];
    return typeof address !== 'string' || isOwnPicture(address);
  });
}

/** Leaves out members that are pictures, and pictures in lists, where they aren't the site's own. */
function withOwnPictures(value: unknown, isOwn: (picture: unknown) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withOwnPictures(item, isOwn));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
      if (!PICTURES.has(name)) return [[name, withOwnPictures(member, isOwn)]];
      if (!Array.isArray(member)) return isOwn(member) ? [[name, member]] : [];
      const own = member.filter((item: unknown) => isOwn(item));
      return own.length > 0 ? [[name, own]] : [];
    }),
  );
}

/** Pages have no form for comments; and nothing reads what a search form is called any more. */
function withActions({ potentialAction, ...node }: Node): Node {
  const actions = [potentialAction].flat().flatMap((action): Node[] => {
    if (typeof action !== 'object' || action === null || hasType(action as Node, COMMENT)) return [];
    const { 'query-input': _, ...rest } = action as Node;
    return [rest];
  });
  return actions.length > 0 ? { ...node, potentialAction: actions } : node;
}

const COMMENT = new Set(['CommentAction']);

function withOwnTexts(node: Node, { publishingName, site }: NormalizeGraphOptions): Node {
  if (hasType(node, PAGES)) {
    const { name: _name, description: _description, breadcrumb: _breadcrumb, ...page } = node;
    return page;
  }
  if (!hasType(node, WEBSITE)) return node;
  const name = node['name'] === publishingName ? site.name : node['name'];
  return { ...node, name, ...(site.description !== undefined && { description: site.description }) };
}
