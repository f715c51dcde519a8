import { setTimeout } from 'node:timers/promises';
import type { Settings } from '#config/index.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { deliverOutbox } from '#sync/hooks/deliver-outbox.ts';
import type { SyncLogger } from '#sync/sync-options.ts';

export interface DeliveriesOptions {
  logger: SyncLogger;
  environment?: NodeJS.ProcessEnv | undefined;
  /**
   * Polling interval.
   * @default 5000
   */
  everyMs?: number | undefined;
}

export interface Deliveries {
  /** Stops polling. Aborted deliveries are retried later. */
  close(): Promise<void>;
}

const EVERY_MS = 5000;

/** Delivers due messages to hooks between runs: delayed first attempts and retries. */
export function startDeliveries(settings: Settings, options: DeliveriesOptions): Deliveries {
  const { environment, everyMs = EVERY_MS } = options;
  const { hooks } = settings.options;
  if (hooks.length === 0) return { close: () => Promise.resolve() };
  const stop = new AbortController();
  const { signal } = stop;
  const logger = deduplicateWarnings(options.logger);
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      if (isDue(settings.snapshotPath)) await deliverOutbox(settings, { logger, environment, signal });
      await setTimeout(everyMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const ended = run();
  return {
    close: async () => {
      stop.abort();
      await ended;
    },
  };
}

/** Checks without locking the file. */
function isDue(snapshotPath: string): boolean {
  try {
    const snapshot = openSnapshot(snapshotPath, { readOnly: true });
    try {
      const due = `SELECT 1 FROM outbox WHERE state = 'pending' AND next_attempt_at <= ? LIMIT 1`;
      return snapshot.database.prepare(due).get(new Date().toISOString()) !== undefined;
    } finally {
      snapshot.close();
    }
  } catch {
    return false;
  }
}

/** Logs each warning once, such as a hook without its variables. */
function deduplicateWarnings(logger: SyncLogger): SyncLogger {
  const logged = new Set<string>();
  return {
    debug: (message) => logger.debug(message),
    info: (message) => logger.info(message),
    warn: (message) => {
      if (logged.has(message)) return;
      logged.add(message);
      logger.warn(message);
    },
    error: (message) => logger.error(message),
  };
}
