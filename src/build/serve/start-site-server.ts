import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { requireOneHost } from '#contracts/user-info.ts';
import { sendUnavailable } from './send-file.ts';
import { serveStatic, type ServeStaticOptions } from './serve-static.ts';
import { portError } from '#contracts/index.ts';

export interface SiteServerOptions extends ServeStaticOptions {
  distFolder: string;
  port: number;
  /** @default 'localhost' */
  host?: string;
  /** Further services at the same address; the first that claims a path handles it. */
  services?: readonly SiteService[];
}

export interface SiteService {
  claims: (pathname: string) => boolean;
  listener: RequestListener;
}

export interface SiteServer {
  url: string;
  close: () => Promise<void>;
}

/**
 * Serves the static site, and both interfaces if they are embedded.
 *
 * @throws SortimentError PORT_TAKEN
 */
export async function startSiteServer(options: SiteServerOptions): Promise<SiteServer> {
  const { port, host = 'localhost', services = [] } = options;
  const site = serveStatic(options.distFolder, options);
  const handleRequest: RequestListener = (req, res) => {
    const [pathname = '/'] = (req.url ?? '/').split('?', 1);
    const listener = services.find(({ claims }) => claims(pathname))?.listener ?? site;
    try {
      listener(req, res);
    } catch {
      // A rebuild may remove a file between two checks.
      sendUnavailable(res);
    }
  };
  const server = createServer(requireOneHost(handleRequest));
  await listen(server, host, port);
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), 2000).unref();
      }),
  };
}

/** @throws SortimentError PORT_TAKEN, PORT_REFUSED */
export function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(portError(error, host, port)));
    server.listen(port, host, resolve);
  });
}

/** Checks a port before long work that would end without a port to serve on. */
export async function assertPortFree(host: string, port: number): Promise<void> {
  const server = createServer();
  await listen(server, host, port);
  await new Promise((resolve) => server.close(resolve));
}
