import type { SyncLogger } from '#sync/sync-options.ts';
import type { SyncReport } from '#sync/report/sync-report.ts';
import { formatSyncSummary, seconds } from '../build/format-summary.ts';
import type { RunReason } from './run-queue.ts';

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

export function formatEvent(event: WatchEvent): { level: keyof SyncLogger; text: string } {
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
