import type { SyncReport } from '#sync/report/sync-report.ts';
import { formatSyncSummary, seconds } from '../build/format-summary.ts';
import type { RunReason } from './run-queue.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { VerifyWebhook } from './verify-webhook.ts';

/** Events of a watch; each is a line of JSON. */
export type WatchEvent =
  | { event: 'started'; url: string; webhooks: string | undefined; intervalMs: number; build: boolean }
  | { event: 'webhook'; result: WebhookResult; reason?: string | undefined }
  | { event: 'sync-started'; reason: RunReason }
  | ({ event: 'sync-finished' } & ReturnType<typeof pickReport>)
  | { event: 'sync-failed'; code: string; message: string; hint: string | undefined; durationMs: number }
  /** Another process is syncing. */
  | { event: 'sync-busy'; message: string }
  | { event: 'build-finished'; digest: string; pages: number; durationMs: number }
  | { event: 'build-failed'; message: string }
  /** The next run deviates from the regular interval. */
  | { event: 'retry-planned'; at: string; failures: number }
  | { event: 'stopping' }
  | { event: 'stopped' };

/** Picks the parts of a report that events contain. */
export function pickReport(report: SyncReport) {
  const { runId, changed, digest, previousDigest, counts, problems, warnings, requests, durationMs, hooks } = report;
  return { runId, changed, digest, previousDigest, counts, problems, warnings, requests, durationMs, hooks };
}

interface EventLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  text: string;
}

export function formatEvent(event: WatchEvent): EventLine {
  switch (event.event) {
    case 'started':
      return { level: 'debug', text: `Listening on ${event.url}.` };
    case 'webhook':
      if (event.result === 'accepted') return { level: 'info', text: 'Received a webhook.' };
      if (event.result === 'repeated') return { level: 'debug', text: 'Received a repeated webhook.' };
      return { level: 'warn', text: `Rejected a webhook: ${event.reason}` };
    case 'sync-started':
      return { level: 'debug', text: `Syncing (${event.reason}) …` };
    case 'sync-finished':
      return { level: 'info', text: formatSyncSummary(event) };
    case 'sync-failed':
      return { level: 'error', text: [event.message, event.hint].filter(Boolean).join('\n') };
    case 'sync-busy':
      return { level: 'info', text: `${event.message} Waiting for it to finish.` };
    case 'build-finished':
      return { level: 'info', text: `Built ${event.pages} pages in ${seconds(event.durationMs)}.` };
    case 'build-failed':
      return { level: 'error', text: `${event.message}\nThe site is unchanged; the next run retries the build.` };
    case 'retry-planned':
      return { level: 'info', text: `Trying again at ${event.at}.` };
    case 'stopping':
      return { level: 'info', text: 'Stopping …' };
    case 'stopped':
      return { level: 'info', text: 'Stopped.' };
  }
}

export type WebhookResult = 'accepted' | 'repeated' | 'refused' | 'malformed';

export const HOOK_PATH = '/hooks/changed';

const MAX_BYTES = 64 * 1024;

/** Handles `POST /hooks/changed`. The body is ignored; only its signature matters. */
export async function handleWebhook(
  request: IncomingMessage,
  response: ServerResponse,
  { verify, report }: { verify: VerifyWebhook; report: (result: WebhookResult, reason?: string) => void },
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

export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', ...headers }).end(`${text}\n`);
}
