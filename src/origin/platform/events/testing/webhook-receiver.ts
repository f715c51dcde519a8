import type { IncomingMessage, ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { startFakeServer, type TestServer } from '#client/testing/test-server.ts';
import type { OriginEvent } from '../announce.ts';

export const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

interface Received {
  id: string;
  event: { type: string; timestamp: string; data: { changes: OriginEvent[]; count: number } };
}

/** Takes only what the package can verify over the exact bytes. */
export interface Receiver {
  server: TestServer;
  url: string;
  taken: Received[];
  /** Ids of all attempts. */
  seen: string[];
  /** How the next attempts are answered; 204 when there is none left. */
  answers: { status: number; headers?: Record<string, string> }[];
}

export async function startReceiver(): Promise<Receiver> {
  const receiver = { taken: [], seen: [], answers: [] } as unknown as Receiver;
  receiver.server = await startFakeServer((request, response) => void receive(receiver, request, response));
  receiver.url = `${receiver.server.origin}/hook/s3cr3t-path`;
  return receiver;
}

export async function receive(receiver: Receiver, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const sent = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const event = new Webhook(SECRET).verify(Buffer.concat(chunks).toString(), sent) as Received['event'];
  const id = sent['webhook-id'] ?? '';
  receiver.seen.push(id);
  const { status, headers = {} } = receiver.answers.shift() ?? { status: 204 };
  if (status < 300) receiver.taken.push({ id, event });
  response.writeHead(status, headers).end();
}
