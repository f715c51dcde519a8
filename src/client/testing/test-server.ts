import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingMessage['headers'];
}

export interface TestServer {
  /** `http://127.0.0.1:<port>`. */
  origin: string;
  /** Every request so far. */
  seen: SeenRequest[];
  /** How it answers; may be replaced at any time. */
  answer: (request: IncomingMessage, response: ServerResponse) => void;
  close(): Promise<void>;
}

/** A real server on loopback that answers as a test says, and remembers what it was asked. */
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

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Answers with a page of HTML. */
export function sendHtml(response: ServerResponse, status: number): void {
  response
    .writeHead(status, { 'content-type': 'text/html; charset=utf-8' })
    .end('<!doctype html><title>Somewhere else</title>');
}

/** Announces a whole body and cuts the connection in the middle of it. */
export function sendCutOff(response: ServerResponse, type = 'application/json'): void {
  response.writeHead(200, { 'content-type': type, 'content-length': '1000' });
  response.write('{"name":"DIFF');
  setTimeout(() => response.destroy(), 10);
}
