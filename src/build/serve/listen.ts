import { createServer, type Server } from 'node:http';
import { portError } from '#contracts/index.ts';

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
