import { ARTICLE_TYPES, PAGE_TYPES } from '#contracts/seo/head-values.ts';
import { OWN_ADDRESS, type EditedHead } from '#model/edited-head.ts';
import { absoluteUrl } from '../addresses/absolute-url.ts';
import type { JsonLdNode } from '../json-ld/json-ld.ts';
import { pictureSources } from '../pictures/picture-sources.ts';
import type { HeadImage, PageHead } from './head.ts';

/**
 * The head of a page that the publishing site has a head for, too. In this order:
 *
 * 1. What editors there wrote, or the templates they chose made, stands: title, description, robots, Open Graph, Twitter.
 * 2. Where they say nothing, what the catalogue says stands; its trails always do, as readers see them.
 * 3. A page is its own canonical one, unless it names another; what is kept from search engines names none.
 * 4. A node of the server's linked data stands for that of the catalogue about the same thing; what only the catalogue
 *    knows (products, episodes, who answers for the site) stays.
 * 5. The language of a page is the catalogue's: a server has one, a site may have several.
 * 6. What the catalogue keeps from search engines stays so, whatever editors say.
 *
 * @param number Of a list that is cut into pages, counted from 1: the texts and the linked data are those of the first.
 */
export function mergeHead(
  own: PageHead,
  edited: EditedHead | undefined,
  { origin, number = 1 }: { origin: URL; number?: number | undefined },
): PageHead {
  if (!edited) return own;
  const isHiddenByUs = own.robots.includes('noindex');
  const robots = isHiddenByUs || edited.robots.length === 0 ? own.robots : edited.robots;
  const isHidden = robots.includes('noindex');
  const absolute = (address: string) => toAbsolute(address, origin);
  const stands = number === 1 && edited.canonical !== undefined ? absolute(edited.canonical) : own.canonical;
  const canonical = isHidden ? undefined : stands;
  // Translations are of pages that search engines may show.
  const isAlone = isHidden || canonical !== own.canonical;
  const head: PageHead = {
    ...own,
    robots,
    canonical,
    alternates: isAlone ? [] : own.alternates,
    openGraph: { ...own.openGraph, ...(isAlone && { otherLocales: [] }) },
  };
  if (number > 1) return head;
  const { openGraph: og } = edited;
  const { image, ...twitter } = edited.twitter;
  const named = new Set(og.article.map(([property]) => property));
  const images = og.images.map((picture) => toImage(picture, own.openGraph.images, absolute));
  return {
    ...head,
    title: edited.title || own.title,
    description: edited.description || own.description,
    openGraph: {
      ...head.openGraph,
      title: og.title || edited.title || own.openGraph.title,
      description: og.description || edited.description || own.openGraph.description,
      type: og.type || own.openGraph.type,
      url: canonical ?? own.openGraph.url,
      images: images.length > 0 ? images : own.openGraph.images,
      more: [
        ...og.article.map(([property, content]) => [property, absolute(content)] as const),
        ...own.openGraph.more.filter(([property]) => !named.has(property)),
      ],
    },
    twitter: { ...own.twitter, ...twitter, ...(image && { image: absolute(image) }) },
    metas: { ...own.metas, ...(edited.author && { author: edited.author }) },
    graph: mergeGraph(own.graph, absoluteNodes(edited.graph, absolute), {
      title: edited.title,
      description: edited.description || own.description,
    }),
  };
}

function toAbsolute(address: string, origin: URL): string {
  return address.startsWith(OWN_ADDRESS) ? absoluteUrl(address.slice(OWN_ADDRESS.length), origin) : address;
}

function toImage(
  { asset, url, width, height, type }: EditedHead['openGraph']['images'][number],
  own: readonly HeadImage[],
  absolute: (address: string) => string,
): HeadImage {
  if (!asset) return { src: url, width, height, type };
  const source = pictureSources(asset, 'banner');
  const src = absolute(OWN_ADDRESS + source.src);
  const alt = own.find((image) => image.src === src)?.alt ?? (asset.alt || undefined);
  return { src, width: source.width, height: source.height, alt, type: 'image/jpeg' };
}

function absoluteNodes(graph: EditedHead['graph'], absolute: (address: string) => string): JsonLdNode[] {
  const map = (value: unknown): unknown => {
    if (typeof value === 'string') return absolute(value);
    if (Array.isArray(value)) return value.map((item: unknown) => map(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, map(member)]));
  };
  return graph.map((node) => map(node) as JsonLdNode);
}

/** Things of which a page has one, or that the server knows better, by their types. */
const ROLES: ReadonlyMap<string, string> = new Map([
  ...PAGE_TYPES.map((type) => [type, 'page'] as const),
  ...ARTICLE_TYPES.map((type) => [type, 'article'] as const),
  ['BreadcrumbList', 'trail'],
  ['WebSite', 'site'],
  ['Person', 'person'],
  ['Organization', 'organization'],
]);

function rolesOf(node: JsonLdNode): string[] {
  return [node['@type']].flat().flatMap((type) => ROLES.get(String(type)) ?? []);
}

/** The server's nodes, each thing once, and those of ours that are about something else. */
function mergeGraph(
  own: readonly JsonLdNode[],
  edited: readonly JsonLdNode[],
  { title, description }: { title: string; description: string | undefined },
): readonly JsonLdNode[] {
  const texts = { ...(title && { name: title }), ...(description && { description }) };
  const named = own.map((node) => (isPage(node) ? { ...node, ...texts } : node));
  return edited.length === 0 ? named : joinGraphs(named, edited);
}

function joinGraphs(own: readonly JsonLdNode[], edited: readonly JsonLdNode[]): readonly JsonLdNode[] {
  const ids = new Set<unknown>();
  const nodes = edited.filter((node) => {
    const id = node['@id'];
    const isKnown = id !== undefined && ids.has(id);
    ids.add(id);
    return !isKnown;
  });
  const roles = new Set(nodes.flatMap((node) => rolesOf(node)));
  // Where the server describes the page, it has said whether it is an article, and whose.
  if (roles.has('page')) for (const role of ['article', 'person']) roles.add(role);
  const kept = own.filter((node) => !ids.has(node['@id']) && !rolesOf(node).some((role) => roles.has(role)));
  const keptIds = new Set(kept.map((node) => node['@id']));
  const ownPage = own.find(isPage) ?? {};
  const pageOfServer = nodes.find(isPage);
  // What only we know of is named by the page as ours would name it.
  const led = Object.fromEntries(
    Object.entries(ownPage).filter(([name, value]) => TEXTS.has(name) || (LEADS.has(name) && keptIds.has(idOf(value)))),
  );
  const person = personOf(pageOfServer, nodes);
  const main = person === undefined ? led : { mainEntity: { '@id': person }, ...led };
  return [...nodes.map((node) => (node === pageOfServer ? { ...main, ...node } : node)), ...kept];
}

/** Whose profile a page is: search engines want the page to say it, and servers let the person say it. */
function personOf(page: JsonLdNode | undefined, nodes: readonly JsonLdNode[]): unknown {
  if (!page || ![page['@type']].flat().includes('ProfilePage')) return undefined;
  return nodes.find((node) => rolesOf(node).includes('person') && idOf(node['mainEntityOfPage']) === page['@id'])?.[
    '@id'
  ];
}

const LEADS = new Set(['mainEntity', 'breadcrumb']);
const TEXTS = new Set(['name', 'description']);

function isPage(node: JsonLdNode): boolean {
  return rolesOf(node).includes('page');
}

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && '@id' in value ? value['@id'] : undefined;
}
