import { ARTICLE_TYPES, PAGE_TYPES } from '#contracts/seo/head-values.ts';
import type { HeadRecord } from '#contracts/synced/index.ts';
import { SITE_PREFIX } from '../entries/entries.ts';
import { absoluteUrl } from '../addresses/site-paths.ts';
import type { JsonLdNode } from '../json-ld/site-json-ld.ts';
import type { PageHead } from './head.ts';

/**
 * Merges the head of a page with its imported head by these rules:
 *
 * 1. Imported titles, descriptions, robots, Open Graph and Twitter values take precedence.
 * 2. Catalogue values fill gaps. Breadcrumbs always come from the catalogue, as visitors see them.
 * 3. A page is canonical unless it names another URL. Pages with `noindex` have no canonical URL.
 * 4. An imported JSON-LD node replaces the catalogue's node about the same thing. Nodes known only to the catalogue
 * (products, episodes, publisher) are preserved.
 * 5. The language is the catalogue's, because the imported site may have only one.
 * 6. Pages hidden by the catalogue stay hidden.
 *
 * @param number One-based page number in a list. Imported texts and nodes apply to the first page only.
 */
export function mergeHead(
  ours: PageHead,
  edited: HeadRecord | undefined,
  { origin, number = 1 }: { origin: URL; number?: number | undefined },
): PageHead {
  if (!edited) return ours;
  const isHiddenByCatalogue = ours.robots.includes('noindex');
  const robots = isHiddenByCatalogue || edited.robots.length === 0 ? ours.robots : edited.robots;
  const isHidden = robots.includes('noindex');
  const absolute = (address: string) => toAbsolute(address, origin);
  const address = number === 1 && edited.canonical !== '' ? absolute(edited.canonical) : ours.canonical;
  const canonical = isHidden ? undefined : address;
  // Only indexed pages have translations.
  const isUntranslated = isHidden || canonical !== ours.canonical;
  const head: PageHead = {
    ...ours,
    robots,
    canonical,
    alternates: isUntranslated ? [] : ours.alternates,
    openGraph: { ...ours.openGraph, ...(isUntranslated && { otherLocales: [] }) },
  };
  if (number > 1) return head;
  const { openGraph: og } = edited;
  const { image, ...twitter } = edited.twitter;
  const named = new Set(og.article.map(([property]) => property));
  const images = og.images.map(({ url, ...picture }) => {
    const src = absolute(url);
    const alt = ours.openGraph.images.find((image) => image.src === src)?.alt ?? picture.alt;
    return { ...picture, src, alt };
  });
  return {
    ...head,
    title: edited.title || ours.title,
    description: edited.description || ours.description,
    openGraph: {
      ...head.openGraph,
      title: og.title || edited.title || ours.openGraph.title,
      description: og.description || edited.description || ours.openGraph.description,
      type: og.type || ours.openGraph.type,
      url: canonical ?? ours.openGraph.url,
      images: images.length > 0 ? images : ours.openGraph.images,
      more: [
        ...og.article.map(([property, content]) => [property, absolute(content)] as const),
        ...ours.openGraph.more.filter(([property]) => !named.has(property)),
      ],
    },
    twitter: { ...ours.twitter, ...twitter, ...(image && { image: absolute(image) }) },
    metas: { ...ours.metas, ...(edited.author && { author: edited.author }) },
    graph: mergeGraph(ours.graph, absoluteNodes(edited.graph, absolute), {
      title: edited.title,
      description: edited.description || ours.description,
    }),
  };
}

function toAbsolute(address: string, origin: URL): string {
  return address.startsWith(SITE_PREFIX) ? absoluteUrl(address.slice(SITE_PREFIX.length), origin) : address;
}

function absoluteNodes(graph: HeadRecord['graph'], absolute: (address: string) => string): JsonLdNode[] {
  const map = (value: unknown): unknown => {
    if (typeof value === 'string') return absolute(value);
    if (Array.isArray(value)) return value.map((item: unknown) => map(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, map(member)]));
  };
  return graph.map((node) => map(node) as JsonLdNode);
}

/** Topics of which a page has one node, or that the imported head describes better, by type. */
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

/** Returns the imported nodes without duplicates, and the catalogue's nodes about other topics. */
function mergeGraph(
  ours: readonly JsonLdNode[],
  edited: readonly JsonLdNode[],
  { title, description }: { title: string; description: string | undefined },
): readonly JsonLdNode[] {
  const texts = { ...(title && { name: title }), ...(description && { description }) };
  const named = ours.map((node) => (isPage(node) ? { ...node, ...texts } : node));
  return edited.length === 0 ? named : joinGraphs(named, edited);
}

function joinGraphs(ours: readonly JsonLdNode[], edited: readonly JsonLdNode[]): readonly JsonLdNode[] {
  const ids = new Set<unknown>();
  const nodes = edited.filter((node) => {
    const id = node['@id'];
    const isKnown = id !== undefined && ids.has(id);
    ids.add(id);
    return !isKnown;
  });
  const roles = new Set(nodes.flatMap((node) => rolesOf(node)));
  // An imported page node also decides about articles and persons.
  if (roles.has('page')) for (const role of ['article', 'person']) roles.add(role);
  const remaining = ours.filter((node) => !ids.has(node['@id']) && !rolesOf(node).some((role) => roles.has(role)));
  const remainingIds = new Set(remaining.map((node) => node['@id']));
  const ourPage = ours.find(isPage) ?? {};
  const importedPage = nodes.find(isPage);
  // The imported page node gets the catalogue's links to nodes that only the catalogue has.
  const links = Object.fromEntries(
    Object.entries(ourPage).filter(
      ([name, value]) => TEXT_PROPERTIES.has(name) || (LINK_PROPERTIES.has(name) && remainingIds.has(idOf(value))),
    ),
  );
  const person = findProfileOwner(importedPage, nodes);
  const main = person === undefined ? links : { mainEntity: { '@id': person }, ...links };
  return [...nodes.map((node) => (node === importedPage ? { ...main, ...node } : node)), ...remaining];
}

/**
 * Returns the ID of the person on a profile page. Search engines read it from the page, but imported heads state it on
 * the person.
 */
function findProfileOwner(page: JsonLdNode | undefined, nodes: readonly JsonLdNode[]): unknown {
  if (!page || ![page['@type']].flat().includes('ProfilePage')) return undefined;
  return nodes.find((node) => rolesOf(node).includes('person') && idOf(node['mainEntityOfPage']) === page['@id'])?.[
    '@id'
  ];
}

const LINK_PROPERTIES = new Set(['mainEntity', 'breadcrumb']);
const TEXT_PROPERTIES = new Set(['name', 'description']);

function isPage(node: JsonLdNode): boolean {
  return rolesOf(node).includes('page');
}

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && '@id' in value ? value['@id'] : undefined;
}
