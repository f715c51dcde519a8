import { existsSync } from 'node:fs';
import type { Settings } from '#config/index.ts';
import { openSnapshot } from '#snapshot/index.ts';
import type { SyncLogger } from '../sync-options.ts';
import { sendToHook, type Delivery } from './send-to-hook.ts';
import type { SyncReport } from '../report/sync-report.ts';

export interface SendOutboxOptions {
  logger: SyncLogger;
  /**
   * Environment with addresses and secrets of the hooks. It is read at each call and never stored.
   * @default process.env
   */
  environment?: NodeJS.ProcessEnv | undefined;
  now?: (() => Date) | undefined;
  /**
   * Timeout for one request.
   * @default 15000, as recommended by Standard Webhooks
   */
  timeoutMs?: number | undefined;
  /**
   * Also sends messages that are not due yet.
   * @default false
   */
  early?: boolean | undefined;
  /** Stops sending; undelivered messages are sent again later. */
  signal?: AbortSignal | undefined;
  /**
   * Random number for the jitter, from 0 to 1.
   * @default Math.random
   */
  random?: (() => number) | undefined;
}

/** Sends all due messages of all hooks and returns the results. Failed targets don't throw. */
export async function sendOutbox(settings: Settings, options: SendOutboxOptions): Promise<Delivery[]> {
  const { hooks } = settings.options;
  // A first sync may be creating the snapshot. No other process may open it until it is complete.
  if (hooks.length === 0 || !existsSync(settings.snapshotPath)) return [];
  const { logger, environment = process.env, now = () => new Date(), timeoutMs = 15_000 } = options;
  const { early = false, random = Math.random, signal } = options;
  const snapshot = openSnapshot(settings.snapshotPath);
  try {
    const context = {
      settings,
      database: snapshot.database,
      logger,
      environment,
      now,
      timeoutMs,
      early,
      random,
      signal,
    };
    // Send in parallel, so that a slow target doesn't delay others.
    const deliveries = await Promise.all(hooks.map((hook) => sendToHook(hook, context)));
    return deliveries.flat();
  } finally {
    snapshot.close();
  }
}

export type DeliverOutboxOptions = Omit<SendOutboxOptions, 'early'>;

/**
 * Sends all due messages of the outbox, each under its ID until it is delivered. Failures are recorded, never thrown.
 * Safe to run in parallel with other senders and with a sync.
 */
export async function deliverOutbox(settings: Settings, options: DeliverOutboxOptions): Promise<SyncReport['hooks']> {
  try {
    const deliveries = await sendOutbox(settings, options);
    return deliveries.map(({ hook, outcome }) => ({ hook, outcome: outcome === 'failed' ? 'pending' : outcome }));
  } catch (error) {
    // For example a full disk: the change is committed and its message stays in the outbox.
    const problem = error instanceof Error ? error.message : 'unknown';
    options.logger.warn(`Hook delivery failed; will retry: ${problem}.`);
    return [];
  }
}
