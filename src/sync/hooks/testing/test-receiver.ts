import type { IncomingMessage } from 'node:http';
import { startFakeServer } from '#client/testing/test-server.ts';

export interface ReceivedRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: Record<string, string>;
  body: string;
  /** Value of `webhook-id`. */
  id: string;
}

export interface TestReceiver {
  origin: string;
  /** All requests so far. */
  received: ReceivedRequest[];
  /** Creates the response; replaceable at any time. `undefined` never responds. */
  answer: (request: ReceivedRequest) => ReceiverAnswer | undefined;
  close(): Promise<void>;
}

export interface ReceiverAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** Starts a server on loopback that accepts any request. Tests only. */
export async function startTestReceiver(): Promise<TestReceiver> {
  const server = await startFakeServer(async (request, response) => {
    const received = await readRequest(request);
    receiver.received.push(received);
    const answer = receiver.answer(received);
    if (answer) response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  const receiver: TestReceiver = {
    origin: server.origin,
    received: [],
    answer: () => ({ status: 204 }),
    close: server.close,
  };
  return receiver;
}

async function readRequest(request: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    headers,
    body: Buffer.concat(chunks).toString(),
    id: headers['webhook-id'] ?? '',
  };
}
