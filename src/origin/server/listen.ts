import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { portError } from '#contracts/index.ts';

/** Listens on a port, any free one for 0. @throws {SortimentError} PORT_TAKEN, PORT_REFUSED */
export async function listen(
  listener: RequestListener,
  host: string,
  port: number,
): Promise<{ server: Server; url: string }> {
  const server = createServer(listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(portError(error, host, port)));
    server.listen(port, host, resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return { server, url: `http://${nameOf(host)}:${actual}` };
}

/** Where to reach what listens on a host: on all of them means on this one too. */
function nameOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
