import type { IncomingMessage } from 'node:http';
import { startFakeServer } from '#client/testing/test-server.ts';

export interface ReceivedRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: Record<string, string>;
  body: string;
  /** `webhook-id`. */
  id: string;
}

export interface TestReceiver {
  origin: string;
  /** Every request so far, the whole of it. */
  received: ReceivedRequest[];
  /** What it answers; may be replaced at any time. `undefined` answers nothing, ever. */
  answer: (request: ReceivedRequest) => ReceiverAnswer | undefined;
  close(): Promise<void>;
}

export interface ReceiverAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** For tests: a real server on loopback that takes whatever it is sent. */
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
