import { existsSync } from 'node:fs';
import path from 'node:path';
import { basePath, setBasePath } from '#catalogue/addresses/site-paths.ts';
import type { Settings } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';
import { redirectsFile } from '#generated/hosts/hosts.ts';
import { startSiteServer, type SiteServer } from '#build/serve/start-site-server.ts';
import { readBuildFile } from './build-file.ts';
import { hasStore, isOriginPath } from '#build/upstreams/demo-start.ts';
import { openUpstreams, type OpenOrigin, type OpenUpstreams } from '#build/upstreams/ensure-snapshot.ts';

export interface ServeSiteOptions {
  port: number;
  host: string;
  /** Upstreams that are already open; closed together with the server. */
  opened?: OpenUpstreams | undefined;
  log: (line: string) => void;
}

export interface ServedSite extends SiteServer {
  /** The embedded interfaces served with the site, if any. */
  origin: OpenOrigin | undefined;
}

/**
 * Serves the built site and, without configured upstreams, both interfaces at the same address.
 *
 * @throws SortimentError SITE_MISSING, PORT_TAKEN
 */
export async function serveSite(settings: Settings, options: ServeSiteOptions): Promise<ServedSite> {
  const { port, host, log } = options;
  if (!existsSync(path.join(settings.distFolder, 'index.html'))) {
    throw new SortimentError('SITE_MISSING', `There is no built site in ${settings.distFolder}.`, {
      hint: 'Run `npm run build` first, or `npm start` for everything at once.',
    });
  }
  // Astro's configuration may have another base path than SITE_URL.
  setBasePath(readBuildFile(settings.distFolder)?.base ?? settings.base, settings.options.path);
  // The interfaces have no content if there is no store.
  const embedded = settings.upstreams === 'embedded' && !settings.offline && hasStore(settings);
  const opened = options.opened ?? (embedded ? await openUpstreams(settings, log) : undefined);
  const origin = opened?.origin;
  try {
    const server = await startSiteServer({
      distFolder: settings.distFolder,
      siteUrl: settings.siteUrl,
      redirectsFile: redirectsFile(settings),
      port,
      host,
      services: origin
        ? [{ claims: (pathname) => isOriginPath(pathname, origin.restRoot), listener: origin.listener }]
        : [],
    });
    const close = async (): Promise<void> => {
      await server.close();
      await opened?.close();
    };
    return { url: server.url, origin, close };
  } catch (error) {
    if (!options.opened) await opened?.close();
    throw error;
  }
}

/** Describes a served site: its URLs, and the base URL of links if it differs. */
export function formatServedSite({ siteUrl, options }: Settings, { url, origin }: ServedSite): string {
  const base = basePath().slice(0, -1);
  const rows: [string, string][] = [['Site', url + basePath()]];
  if (origin) {
    rows.push(
      ['Product interface', `${url}/${PRODUCT_ROOT}`],
      ['  its documentation', `${url}/${PRODUCT_ROOT}docs/`],
      ['  a token', 'npm run origin -- token list --reveal'],
      ['Publishing interface', `${url}/${origin.restRoot}/`],
      ['Sign in', `${url}/admin/`],
      ['  edit heads', `${url}/admin/seo`],
      ['  an account', 'npm run origin -- user create <login> --email=<email>'],
    );
  }
  const width = Math.max(...rows.map(([name]) => name.length));
  const table = rows.map(([name, place]) => `  ${name.padEnd(width)}  ${place}`);
  const lines = [`${options.site.name} is served. Ctrl+C stops it.\n`, ...table];
  if (siteUrl !== url + base)
    lines.push(`\nLinks point to ${siteUrl}. Set SITE_URL=${url}${base} to make them point here.`);
  return lines.join('\n');
}
