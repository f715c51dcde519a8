import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RecordedRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingMessage['headers'];
}

export interface TestServer {
  /** `http://127.0.0.1:<port>`. */
  origin: string;
  /** Requests received so far. */
  seen: RecordedRequest[];
  /** Request handler; may be replaced at any time. */
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  close(): Promise<void>;
}

/** Starts an HTTP server on loopback that records its requests. */
export async function startFakeServer(answer: TestServer['answer']): Promise<TestServer> {
  const server = createServer((request, response) => {
    testServer.seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
    testServer.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const testServer: TestServer = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    answer,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return testServer;
}

export function sendJson(
  response: ServerResponse,
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

export function sendHtml(response: ServerResponse, status: number): void {
  response
    .writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
    .end('<!doctype html><title>Somewhere else</title>');
}

/** Announces 1000 bytes and closes the connection early. */
export function sendCutOff(response: ServerResponse, type = 'application/json'): void {
  response.writeHead(200, { 'content-type': type, 'content-length': '1000' });
  response.write('{"name":"DIFF');
  setTimeout(() => response.destroy(), 10);
}
