import { getEmbed, getProxiedEmbed, type Embed } from '#contracts/oembed.ts';
import { guardedFetch } from '#origin/platform/guarded-fetch/index.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import { item, type AnyCall, type RestError, type RouteRegistry } from '#origin/platform/http/transport/index.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { asXml } from './as-xml.ts';
import { discoverEmbed } from './discover-embed.ts';
import { findByAddress } from '#origin/platform/content/embeds/find-by-address.ts';
import { keepForADay } from './keep-for-a-day.ts';
import { embedPages } from './embed-pages.ts';
import { embedFile, isOfSite } from './embed-file.ts';
import { presentEmbed } from '#origin/platform/content/embeds/present-embed.ts';
import { readLength } from './read-length.ts';

function serveOembed(registry: RouteRegistry, read: typeof guardedFetch): void {
  const kept = keepForADay<Embed>();

  registry.serve(getEmbed, async (call) => {
    const own = await embedOwn(call, call.query.url, call.query.maxwidth);
    if (!own) throw notFound(call);
    return item(own);
  });

  registry.serve(
    getProxiedEmbed,
    async (call) => {
      const { url, maxwidth, maxheight, discover } = call.query;
      const own = await embedOwn(call, url, maxwidth);
      if (own) return item(own);
      if (isOfSite(url, call.addresses.site)) throw notFound(call);
      const file = embedFile(url);
      if (file) return item(file);
      if (!discover) throw notFound(call);
      const size = { maxWidth: readLength(maxwidth), maxHeight: readLength(maxheight ?? 0) };
      const found = await kept(JSON.stringify([url, size]), () => discoverEmbed(url, size, read));
      if (!found) throw notFound(call);
      return item(found);
    },
    {
      permit({ caller, refuse }) {
        if (!can(caller, 'edit_posts')) throw refuse('rest_forbidden', 'You may not embed other sites.');
      },
    },
  );
}

async function embedOwn(call: AnyCall, url: string, maxWidth: unknown): Promise<Embed | undefined> {
  const found = await findByAddress(call.context, call.addresses.site, url);
  return found && presentEmbed(found, readLength(maxWidth), call);
}

function notFound({ refuse }: AnyCall<'oembed_invalid_url'>): RestError {
  return refuse('oembed_invalid_url', 'Not Found');
}

/** @param read how other sites are read */
export const oembed = (read: typeof guardedFetch = guardedFetch): NamespaceModule => ({
  name: 'oembed',
  description: 'Cards of pages, of this site and of others, to be shown inside of other pages.',
  namespaces: ['oembed/1.0'],
  serve: (registry) => serveOembed(registry, read),
  forms: {
    [getEmbed.path]: (response, { url }) =>
      new URL(url).searchParams.get('format') === 'xml' ? asXml(response) : response,
  },
  pages: embedPages,
});
