import { existsSync } from 'node:fs';
import type { Settings } from '#config/index.ts';
import { openSnapshot } from '#snapshot/index.ts';
import type { SyncLogger } from '../sync-options.ts';
import { sendToHook, type Delivery } from './send-to-hook.ts';

export interface SendOutboxOptions {
  logger: SyncLogger;
  /** Where the hooks' addresses and secrets are; they are read now and kept nowhere. @default process.env */
  environment?: NodeJS.ProcessEnv | undefined;
  now?: (() => Date) | undefined;
  /** For one request. @default 15000, as Standard Webhooks asks for */
  timeoutMs?: number | undefined;
  /** Sends what isn't due as well. @default false */
  early?: boolean | undefined;
  /** Stops the sending: what has not arrived then is sent again another time. */
  signal?: AbortSignal | undefined;
  /** For the jitter, from 0 to 1. @default Math.random */
  random?: (() => number) | undefined;
}

/** Sends what is due to every hook, and says what became of it. Never throws for what a target does. */
export async function sendOutbox(settings: Settings, options: SendOutboxOptions): Promise<Delivery[]> {
  const { hooks } = settings.options;
  // A first sync may be making the snapshot: until it is in its place, it is nobody else's to open.
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
    // A slow target holds up no other.
    const deliveries = await Promise.all(hooks.map((hook) => sendToHook(hook, context)));
    return deliveries.flat();
  } finally {
    snapshot.close();
  }
}
