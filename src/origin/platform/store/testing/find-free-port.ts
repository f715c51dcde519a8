import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** For a program that doesn't choose one by itself. */
export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}
