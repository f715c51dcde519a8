import { setTimeout } from 'node:timers/promises';
import type { Settings } from '#config/index.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { deliverOutbox, type SyncLogger } from '#sync/index.ts';

export interface DeliveriesOptions {
  logger: SyncLogger;
  environment?: NodeJS.ProcessEnv | undefined;
  /** How often it looks for what has come due. @default 5000 */
  everyMs?: number | undefined;
}

export interface Deliveries {
  /** Looks no more. What is on its way is broken off, and sent again another time. */
  close(): Promise<void>;
}

const EVERY_MS = 5000;

/** Between the runs, sends hooks what has come due: first messages that were to wait, and second attempts. */
export function startDeliveries(settings: Settings, options: DeliveriesOptions): Deliveries {
  const { environment, everyMs = EVERY_MS } = options;
  const { hooks } = settings.options;
  if (hooks.length === 0) return { close: () => Promise.resolve() };
  const stop = new AbortController();
  const { signal } = stop;
  const logger = withoutRepetitions(options.logger);
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

/** A look that leaves the file alone. */
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

/** A hook that isn't set up would be complained of every few seconds. */
function withoutRepetitions(logger: SyncLogger): SyncLogger {
  const said = new Set<string>();
  return {
    debug: (message) => logger.debug(message),
    info: (message) => logger.info(message),
    warn: (message) => {
      if (said.has(message)) return;
      said.add(message);
      logger.warn(message);
    },
    error: (message) => logger.error(message),
  };
}
