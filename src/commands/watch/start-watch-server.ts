import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { requireOneHost } from '#contracts/require-one-host.ts';
import { listen } from '#integration/serve/listen.ts';
import type { Health } from './check-health.ts';
import { formatMetrics, METRICS_TYPE, type Metric } from './list-metrics.ts';
import { sendText, HOOK_PATH, handleWebhook, type WebhookResult } from './handle-webhook.ts';
import type { WebhookVerdict } from './verify-webhook.ts';

export interface WatchServerOptions {
  host: string;
  /** 0 selects a free port. */
  port: number;
  verify: (headers: Readonly<Record<string, string>>, body: string) => WebhookVerdict;
  report: (result: WebhookResult, reason?: string) => void;
  health: () => Health;
  metrics: () => Metric[];
}

export interface WatchServer {
  /** Base URL, no trailing slash. */
  url: string;
  /** URL of the webhook endpoint on this machine. */
  hookUrl: string;
  close(): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 15_000;

/**
 * Serves `POST /hooks/changed`, `GET /healthz` and `GET /metrics`.
 *
 * @throws SortimentError PORT_TAKEN, PORT_REFUSED
 */
export async function startWatchServer(options: WatchServerOptions): Promise<WatchServer> {
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
    url: address(host),
    hookUrl: address(reachable) + HOOK_PATH,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(
  { verify, report, health, metrics }: WatchServerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const [pathname] = (request.url ?? '/').split('?', 1);
  if (pathname === HOOK_PATH) return handleWebhook(request, response, { verify, report });
  if (pathname !== '/healthz' && pathname !== '/metrics') {
    return sendText(response, 404, `Not found. Available: ${HOOK_PATH}, /healthz and /metrics.`);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return sendText(response, 405, 'Use GET.', { allow: 'GET, HEAD' });
  }
  if (pathname === '/metrics') {
    response.writeHead(200, { 'content-type': METRICS_TYPE }).end(formatMetrics(metrics()));
    return;
  }
  const state = health();
  // A monitor that restarts on 503 would end a long first sync repeatedly.
  response.writeHead(state.status === 'stale' ? 503 : 200, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(state)}\n`);
}
