import { z } from 'zod';
import { getSiteIndex, namespaceIndex } from '#contracts/core/index.ts';
import { route, toWirePath, type Namespace } from '#contracts/index.ts';
import { authorizationPath } from '#origin/platform/accounts/index.ts';
import { escapeHtml } from '#origin/platform/render/escape-html.ts';
import { addCuries } from '#origin/platform/content/link-row.ts';
import { loadSite, offsetHours } from '#origin/platform/site/index.ts';
import { themeAddress } from '#origin/namespaces/core/site-resources/themes.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import { item, type Addresses, type RouteRegistry, type ServedPath } from '#origin/platform/http/transport/index.ts';
import { describePath, describePathFully, type PathDescription } from './describe-path.ts';

type RouteMap = Record<string, PathDescription>;

/** Serves the index of the site, and after all rooms have come the index of each of their namespaces. */
export function serveSiteIndex(registry: RouteRegistry): void {
  registry.serve(getSiteIndex, async (call) => {
    const site = await loadSite(call);
    const { addresses, query } = call;
    return item({
      name: escapeHtml(site.name),
      description: escapeHtml(site.description),
      url: addresses.site,
      home: addresses.site,
      gmt_offset: offsetHours(new Date(), site.timezone),
      timezone_string: site.timezone,
      page_for_posts: 0,
      page_on_front: 0,
      show_on_front: 'posts',
      namespaces: registry.servedNamespaces.map((name) => wireName(registry, name)),
      authentication: {
        'application-passwords': {
          endpoints: { authorization: `${addresses.site}${authorizationPath(registry.namespaces)}` },
        },
      },
      routes: call.fields.wants('routes') ? routeMap(registry, inOrder(registry), addresses, query.context) : {},
      site_logo: 0,
      site_icon: 0,
      site_icon_url: '',
      _links: addCuries({
        help: [{ href: 'https://developer.wordpress.org/rest-api/' }],
        ...(can(call.caller, 'edit_posts') ? { 'wp:active-theme': [{ href: themeAddress(call, site.theme) }] } : {}),
      }),
    });
  });
}

/** Serves the index of every namespace that has a route. */
export function serveNamespaceIndexes(registry: RouteRegistry): void {
  for (const namespace of registry.servedNamespaces) {
    const name = wireName(registry, namespace);
    const declaration = route({
      method: 'GET',
      path: namespace,
      summary: `Routes of ${namespace}`,
      access: 'public',
      query: z.object({ namespace: z.unknown().default(name), context: z.unknown().default('view') }),
      response: namespaceIndex,
    });
    registry.serve(declaration, ({ addresses, query }) => {
      const own = inOrder(registry).filter((served) => served.namespace === namespace);
      return item({
        namespace: name,
        routes: routeMap(registry, own, addresses, query.context),
        _links: { up: [{ href: addresses.rest('') }] },
      });
    });
  }
}

function routeMap(
  registry: RouteRegistry,
  paths: readonly ServedPath[],
  addresses: Addresses,
  context: unknown,
): RouteMap {
  const describe = context === 'help' ? describePathFully : describePath;
  return Object.fromEntries(
    paths.map((served) => [
      served.pattern,
      describe(served, wireName(registry, served.namespace), (path) => addresses.rest(path)),
    ]),
  );
}

/** The root's own routes first, then namespace by namespace, each led by its index. */
function inOrder(registry: RouteRegistry): ServedPath[] {
  const rank = ({ namespace, path }: ServedPath) =>
    (namespace === '' ? 0 : 1 + registry.servedNamespaces.indexOf(namespace)) * 2 + (path === namespace ? 0 : 1);
  return registry.paths.toSorted((a, b) => rank(a) - rank(b));
}

function wireName(registry: RouteRegistry, namespace: Namespace | ''): string {
  return toWirePath(namespace, registry.namespaces);
}
