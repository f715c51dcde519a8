import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Delivery {
  id: string;
  /** The body, once its signature has been verified. */
  event: { type: string; data: Record<string, unknown> };
}

export interface HookReceiver {
  url: string;
  secret: string;
  deliveries: Delivery[];
  close(): void;
}

/** Starts a receiver of Standard Webhooks: rejects invalid signatures with 401 and doesn't count them. */
export async function startHookReceiver(): Promise<HookReceiver> {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const deliveries: Delivery[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    try {
      const event = new Webhook(secret).verify(Buffer.concat(chunks).toString(), headers) as Delivery['event'];
      deliveries.push({ id: headers['webhook-id'] ?? '', event });
      response.writeHead(204).end();
    } catch {
      response.writeHead(401).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, secret, deliveries, close: () => server.close() };
}
