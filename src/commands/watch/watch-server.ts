import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listen } from '#build/serve/start-site-server.ts';
import { requireOneHost } from '#contracts/user-info.ts';
import { formatMetrics, METRICS_TYPE, type Health, type Metric } from './list-metrics.ts';
import type { VerifyWebhook } from './verify-webhook.ts';
import type { WebhookResult } from './watch-event.ts';

interface WatchServerOptions {
  host: string;
  /** 0 selects a free port. */
  port: number;
  verify: VerifyWebhook;
  report: (result: WebhookResult, reason?: string) => void;
  health: () => Health;
  metrics: () => Metric[];
}

const REQUEST_TIMEOUT_MS = 15_000;
const HOOK_PATH = '/hooks/changed';
const MAX_BYTES = 64 * 1024;

/**
 * Serves `POST /hooks/changed`, `GET /healthz` and `GET /metrics`.
 *
 * @throws SortimentError PORT_TAKEN, PORT_REFUSED
 */
export async function startWatchServer(options: WatchServerOptions) {
  const { host, port } = options;
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: REQUEST_TIMEOUT_MS },
    requireOneHost((request, response) => {
      response.setHeader('cache-control', 'no-store');
      response.setHeader('x-content-type-options', 'nosniff');
      respond(options, request, response).catch(() => sendText(response, 500, 'Internal server error.'));
    }),
  );
  await listen(server, host, port);
  const { port: bound } = server.address() as AddressInfo;
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  const address = (name: string): string => `http://${name.includes(':') ? `[${name}]` : name}:${bound}`;
  return {
    /** Base URL, no trailing slash. */
    url: address(host),
    /** URL of the webhook endpoint on this machine. */
    hookUrl: address(reachable) + HOOK_PATH,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function respond(options: WatchServerOptions, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [pathname] = (request.url ?? '/').split('?', 1);
  if (pathname === HOOK_PATH) return handleWebhook(request, response, options);
  if (pathname !== '/healthz' && pathname !== '/metrics') {
    return sendText(response, 404, `Not found. Available: ${HOOK_PATH}, /healthz and /metrics.`);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return sendText(response, 405, 'Use GET.', { allow: 'GET, HEAD' });
  }
  if (pathname === '/metrics') {
    response.writeHead(200, { 'content-type': METRICS_TYPE }).end(formatMetrics(options.metrics()));
    return;
  }
  const state = options.health();
  // A monitor that restarts on 503 would end a long first sync repeatedly.
  response.writeHead(state.status === 'stale' ? 503 : 200, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(state)}\n`);
}

/** Handles `POST /hooks/changed`. The body is ignored; only its signature matters. */
async function handleWebhook(
  request: IncomingMessage,
  response: ServerResponse,
  { verify, report }: WatchServerOptions,
): Promise<void> {
  const reject = (status: number, reason: string, headers: Record<string, string> = {}): void => {
    report(status === 401 ? 'refused' : 'malformed', reason);
    // The rest of the body isn't read, so the connection can't be reused.
    sendText(response, status, reason, { ...headers, connection: 'close' });
  };
  if (request.method !== 'POST') return reject(405, 'Use POST.', { allow: 'POST' });
  const [type = ''] = (request.headers['content-type'] ?? '').split(';', 1);
  if (type.trim().toLowerCase() !== 'application/json') return reject(415, 'The body must be application/json.');
  const body = await readBody(request);
  if (body === 'too long') return reject(413, `The body exceeds ${MAX_BYTES} bytes.`);
  if (body === 'cut off') return reject(400, 'The body ended early.');
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const verdict = verify(headers, body.toString('utf8'));
  if (verdict.result === 'refused') return reject(401, verdict.reason);
  report(verdict.result);
  if (verdict.result === 'repeated') sendText(response, 200, 'Already received.');
  else sendText(response, 202, 'Accepted; a sync follows.');
}

async function readBody(request: IncomingMessage): Promise<Buffer | 'too long' | 'cut off'> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) return 'too long';
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) return 'too long';
      chunks.push(chunk);
    }
  } catch {
    return 'cut off';
  }
  return Buffer.concat(chunks);
}

function sendText(response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(`${text}\n`);
}
