import type { SyncReport } from '#sync/index.ts';
import type { WebhookResult } from './receive-webhook.ts';
import type { RunReason } from './run-queue.ts';

/** What a watch has to say; one JSON line each for a machine. */
export type WatchEvent =
  | { event: 'started'; url: string; webhooks: string | undefined; intervalMs: number; build: boolean }
  | { event: 'webhook'; result: WebhookResult; reason?: string | undefined }
  | { event: 'sync-started'; reason: RunReason }
  | ({ event: 'sync-finished' } & Pick<
      SyncReport,
      | 'runId'
      | 'changed'
      | 'digest'
      | 'previousDigest'
      | 'counts'
      | 'problems'
      | 'warnings'
      | 'requests'
      | 'durationMs'
      | 'hooks'
    >)
  | { event: 'sync-failed'; code: string; message: string; hint: string | undefined; durationMs: number }
  /** Another process is syncing. */
  | { event: 'sync-busy'; message: string }
  | { event: 'build-finished'; digest: string; pages: number; durationMs: number }
  | { event: 'build-failed'; message: string }
  /** A run is planned at another time than an ordinary interval would. */
  | { event: 'retry-planned'; at: string; failures: number }
  | { event: 'stopping' }
  | { event: 'stopped' };
