import { decodeHtml } from '#contracts/html/index.ts';
import type { PageHead } from '#catalogue/seo/head.ts';

interface Comparison {
  /** The page's head without that of the server. */
  own: PageHead;
  /** Keys of texts that the server's built-in templates have made: there the page says its own. */
  builtIn: readonly string[];
  /** Returns the address on the site for one of the server. */
  here: (address: string) => string;
  /** Name of the publishing site, in whose place the site has its own. */
  siteName: string;
}

/**
 * Returns how a page's head differs from a server's: its title, description, robots, canonical address, Open Graph, and
 * its linked data node by node. What the server doesn't say isn't compared, nor are trails and forms for comments.
 */
export function compareHeads(
  json: Readonly<Record<string, unknown>>,
  head: PageHead,
  { own, builtIn, here, siteName }: Comparison,
): string[] {
  const owns: Readonly<Record<string, unknown>> = {
    title: own.title,
    description: own.description,
    og_title: own.openGraph.title,
    og_description: own.openGraph.description,
  };
  const og = head.openGraph;
  const more = new Map(og.more);
  const said: [name: string, value: unknown][] = [
    ['title', head.title],
    ['description', head.description],
    ['robots', head.robots],
    ['canonical', head.canonical],
    ['og_type', og.type],
    ['og_title', og.title],
    ['og_description', og.description],
    ['og_url', og.url],
    ['og_locale', og.locale],
    ['og_image', og.images.map(({ src }) => src)],
    ['article_published_time', more.get('article:published_time')],
    ['article_modified_time', more.get('article:modified_time')],
    ['author', head.metas['author']],
    ['twitter_card', head.twitter['card']],
  ];
  const found: string[] = [];
  const differ = (name: string, wanted: unknown, got: unknown) => {
    if (JSON.stringify(sorted(wanted)) !== JSON.stringify(sorted(got)))
      found.push(`${name}: ${JSON.stringify(wanted)} became ${JSON.stringify(got)}`);
  };
  for (const [name, got] of said) {
    const value = json[name];
    if (value === undefined) continue;
    if (name === 'robots') differ(name, Object.values(value as object), got);
    else if (name === 'og_image')
      differ(
        name,
        (value as { url: string }[]).map(({ url }) => here(url)),
        got,
      );
    else differ(name, builtIn.includes(name) ? owns[name] : translate(value, here), got);
  }
  const graph = (json['schema'] as { '@graph'?: Record<string, unknown>[] } | undefined)?.['@graph'] ?? [];
  for (const node of graph) {
    const type = String([node['@type']].flat()[0]);
    // Readers see the trail of the page.
    if (type === 'BreadcrumbList') differ('trail', trailsOf(own), trailsOf(head));
    if (type === 'BreadcrumbList' || (json['og_type'] === 'website' && type === 'CollectionPage')) continue;
    const { breadcrumb: _, ...wanted } = translate(node, here) as Record<string, unknown>;
    if (type === 'Person') delete wanted['image'];
    if (type === 'WebSite' && wanted['name'] === siteName) wanted['name'] = own.openGraph.siteName;
    if (type.endsWith('Page')) {
      wanted['name'] = builtIn.includes('title') ? own.openGraph.title : head.title;
      wanted['description'] = head.description;
    }
    wanted['potentialAction'] = actionsOf(wanted);
    const named = head.graph.filter((one) => one['@id'] === wanted['@id']);
    if (named.length !== 1) found.push(`${String(wanted['@id'])}: ${named.length} nodes`);
    else differ(String(wanted['@id']), wanted, withoutAddition(named[0] ?? {}, wanted));
  }
  return found;
}

const trailsOf = ({ graph }: PageHead) => graph.filter((node) => node['@type'] === 'BreadcrumbList');

function actionsOf({ potentialAction }: Readonly<Record<string, unknown>>): unknown {
  const actions = [potentialAction].flat().flatMap((action) => {
    const { 'query-input': _, ...rest } = { ...(action as Record<string, unknown> | undefined) };
    return rest['@type'] === undefined || rest['@type'] === 'CommentAction' ? [] : [rest];
  });
  return actions.length > 0 ? actions : undefined;
}

/** The page of a person names that person here, as search engines want it. */
function withoutAddition(got: Readonly<Record<string, unknown>>, wanted: Readonly<Record<string, unknown>>) {
  const { mainEntity, ...rest } = got;
  return mainEntity !== undefined && wanted['mainEntity'] === undefined && wanted['@type'] === 'ProfilePage'
    ? rest
    : got;
}

function translate(value: unknown, here: (address: string) => string): unknown {
  if (typeof value === 'string') return /^https?:/.test(value) ? here(value) : decodeHtml(value);
  if (Array.isArray(value)) return value.map((item: unknown) => translate(item, here));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, translate(member, here)]));
}

/** The order of members says nothing; and servers name the pictures of all people alike, which the site doesn't. */
function sorted(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/(#\/schema\/person\/image\/)[^/]+$/, '$1');
  if (Array.isArray(value)) return value.map((item: unknown) => sorted(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]): [string, unknown] => [name, sorted(member)])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
