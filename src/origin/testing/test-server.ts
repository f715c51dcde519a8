import { request as httpRequest, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { requestListener } from '#origin/platform/http/transport/request-listener.ts';

export interface RawTestResponse {
  status: number;
  /** Headers by lower-case name. Repeated headers are joined, except `set-cookie`. */
  headers: Record<string, string>;
  cookies: string[];
  body: string;
}

export interface TestServer {
  /** Base address without a trailing slash. */
  url: string;
  /** Sends one request as is: no `Accept`, no followed redirect, no decoding. */
  ask(
    path: string,
    options?: { method?: string; headers?: Record<string, string>; body?: string },
  ): Promise<RawTestResponse>;
  close(): Promise<void>;
}

/** Serves an app on a free loopback port, as in production: node:http, then Hono. */
export async function startTestServer(app: {
  fetch(request: Request, env?: object): Response | Promise<Response>;
}): Promise<TestServer> {
  const server = createServer(requestListener(app.fetch));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    ask: (path, options) => exchange(port, path, options),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function exchange(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<RawTestResponse> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const { 'set-cookie': cookies = [], ...otherHeaders } = response.headers;
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(Object.entries(otherHeaders).map(([name, value]) => [name, String(value)])),
          cookies,
          body: Buffer.concat(chunks).toString('utf8'),
        });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}
