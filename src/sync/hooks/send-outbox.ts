import { existsSync } from 'node:fs';
import type { Settings } from '#config/index.ts';
import {
  openSnapshot,
  startAttempt,
  claimMessage,
  lastDeliveredAt,
  listPendingMessages,
  postponeMessage,
  releaseMessage,
  recordAlreadyLive,
  recordResult,
  type OutboxMessage,
} from '#snapshot/index.ts';
import type { SyncLogger } from '../sync-options.ts';
import type { SyncReport } from '../report/sync-report.ts';
import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { HookOptions } from '#config/hook-options.ts';
import { readEvent } from './compose-message.ts';
import { type DeliveryResult, exchangeRequest, prepareTarget, type ReadyTarget } from './prepare-target.ts';
import { MAX_RETRY_AFTER_MS, RETRY_SCHEDULE_MS } from '#contracts/webhooks.ts';

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
  /** Also sends messages that are not due yet. */
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
  const { environment = process.env, now = () => new Date(), timeoutMs = 15_000 } = options;
  const { early = false, random = Math.random, signal } = options;
  using snapshot = openSnapshot(settings.snapshotPath);
  const { database } = snapshot;
  const context = { ...options, settings, database, environment, now, timeoutMs, early, random, signal };
  // Send in parallel, so that a slow target doesn't delay others.
  const deliveries = await Promise.all(hooks.map((hook) => sendToHook(hook, context)));
  return deliveries.flat();
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

/** Random share added to each wait, so that many senders don't retry at the same time. */
const JITTER = 0.1;

/** Number of failed attempts after which a message is dead-lettered. */
const MAX_ATTEMPTS = RETRY_SCHEDULE_MS.length + 1;

/** `build.json` of a site, as written by the build. */
const buildFile = z.object({ digest: z.string(), built: z.iso.datetime().optional() });

type SendContext = { [Name in Exclude<keyof SendOutboxOptions, 'signal'>]-?: NonNullable<SendOutboxOptions[Name]> } & {
  settings: Settings;
  database: DatabaseSync;
  signal: AbortSignal | undefined;
};

/**
 * Result for a hook's message. `live`: the site already shows the change. `pending`: not due yet, or claimed by another
 * sender. `skipped`: the hook is not set up.
 */
export interface Delivery {
  hook: string;
  outcome: 'delivered' | 'live' | 'failed' | 'dead' | 'pending' | 'skipped';
  id?: string;
  problem?: string;
  /** ISO. */
  nextAttemptAt?: string;
}

/** Added to the timeout to get the lease of a claim, so that a running sender never loses it. */
const LEASE_MARGIN_MS = 30_000;
/** Timeout for the check of the live site. */
const LIVE_TIMEOUT_MS = 3000;

/** Sends a hook its due messages one by one, until one fails or none is left. */
async function sendToHook(hook: HookOptions, context: SendContext): Promise<Delivery[]> {
  const { database, settings, environment, timeoutMs, logger, signal } = context;
  if (listPendingMessages(database, hook.name).length === 0) return [];
  const skip = (problem: string): Delivery[] => {
    logger.warn(`The hook "${hook.name}" is skipped: ${problem}.`);
    return [{ hook: hook.name, outcome: 'skipped', problem }];
  };
  if (settings.offline) return skip('SORTIMENT_OFFLINE is set');
  const target = prepareTarget(hook, { environment, timeoutMs, folder: settings.root, signal });
  if (!target.ok) return skip(target.problem);
  const deliveries: Delivery[] = [];
  for (;;) {
    const delivery = await sendNext(hook, target, context);
    if (delivery) deliveries.push(delivery);
    if (delivery?.outcome !== 'delivered' && delivery?.outcome !== 'live') return deliveries;
  }
}

/**
 * Sends the next message.
 * @returns Undefined if there is nothing to send.
 */
async function sendNext(hook: HookOptions, target: ReadyTarget, context: SendContext): Promise<Delivery | undefined> {
  const { database, logger, now, early, signal } = context;
  if (signal?.aborted) return { hook: hook.name, outcome: 'pending' };
  const at = now();
  const lease = randomUUID();
  const until = new Date(at.getTime() + target.timeoutMs + LEASE_MARGIN_MS);
  const claim = claimMessage(database, hook.name, { now: at, lease, until, early });
  if (claim.outcome === 'empty') return undefined;
  if (claim.outcome === 'disabled') {
    logger.warn(describeDisabled(hook.name));
    return { hook: hook.name, outcome: 'dead', problem: '410' };
  }
  if (claim.outcome === 'busy') return { hook: hook.name, outcome: 'pending' };
  const { id, nextAttemptAt } = claim.message;
  if (claim.outcome === 'not-due') return { hook: hook.name, outcome: 'pending', id, nextAttemptAt };
  try {
    const isLive = await isAlreadyLive(hook, claim.message, context);
    if (isLive && recordAlreadyLive(database, claim.message, lease, now())) {
      logger.info(`Hook "${hook.name}" skipped: already live (${id}).`);
      return { hook: hook.name, outcome: 'live', id };
    }
    const message = signal?.aborted ? undefined : startAttempt(database, id, lease);
    if (!message) return { hook: hook.name, outcome: 'pending', id };
    return await attempt(hook, target, message, lease, context);
  } finally {
    releaseMessage(database, id, lease);
  }
}

async function attempt(
  hook: HookOptions,
  target: ReadyTarget,
  message: OutboxMessage,
  lease: string,
  { database, logger, now, random, signal }: SendContext,
): Promise<Delivery> {
  const { id, body } = message;
  const base = { hook: hook.name, id };
  const { verdict } = await target.send({ id, body, event: readEvent(message) }, now());
  if (verdict.outcome === 'delivered') {
    recordResult(database, id, 'delivered', now());
    logger.info(`Hook "${hook.name}" notified (${[id, verdict.reference].filter(Boolean).join(', ')}).`);
    return { ...base, outcome: 'delivered' };
  }
  // The message may or may not have arrived. It stays due and doesn't count as a failure of the target.
  if (signal?.aborted) return { ...base, outcome: 'pending' };
  const { problem } = verdict;
  if (verdict.outcome === 'gone') {
    recordResult(database, id, 'dead', now(), { problem, targetGone: true });
    logger.warn(describeDisabled(hook.name));
    return { ...base, outcome: 'dead', problem };
  }
  const next = scheduleAttempt(verdict, message.failures, now(), random);
  if (!next) {
    recordResult(database, id, 'dead', now(), { problem });
    logger.warn(
      `The hook "${hook.name}" failed ${MAX_ATTEMPTS} times (${problem}), so ${id} was dead-lettered. ` +
        `Run \`npm run hooks -- retry ${id}\` once it works again.`,
    );
    return { ...base, outcome: 'dead', problem };
  }
  const nextAttemptAt = next.toISOString();
  postponeMessage(database, id, lease, next, problem);
  logger.warn(`The hook "${hook.name}" failed (${problem}); next attempt ${nextAttemptAt}.`);
  return { ...base, outcome: 'failed', problem, nextAttemptAt };
}

/**
 * True if the site already shows the change. Only a build after the last notification counts, because the build of an
 * earlier notification may still be running.
 */
async function isAlreadyLive(
  hook: HookOptions,
  message: OutboxMessage,
  { settings, database, timeoutMs }: SendContext,
): Promise<boolean> {
  if (!shouldCheckLive(hook, settings.siteUrl)) return false;
  const live = await findLiveBuild(settings.siteUrl, Math.min(timeoutMs, LIVE_TIMEOUT_MS));
  if (live?.digest !== readEvent(message).data.digest) return false;
  const lastDelivered = lastDeliveredAt(database, hook.name);
  return (
    lastDelivered === undefined || (live.built !== undefined && Date.parse(live.built) > Date.parse(lastDelivered))
  );
}

function describeDisabled(hook: string): string {
  return (
    `The hook "${hook}" is disabled: its target responded with 410 Gone. Correct its address, ` +
    'then run `npm run hooks -- retry --all`.'
  );
}

/**
 * True if the live site is checked before a hook is notified. By default only for targets that just build the site, and
 * never for a loopback address: a server that hangs would slow down every sync, and a local build would prevent the
 * real one.
 */
function shouldCheckLive({ type, skipIfLive }: Pick<HookOptions, 'type' | 'skipIfLive'>, siteUrl: string): boolean {
  if (skipIfLive !== undefined) return skipIfLive;
  return type !== 'generic' && type !== 'command' && !LOOPBACK.test(new URL(siteUrl).hostname);
}

const LOOPBACK = /^(?:localhost|.+\.localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0)$/;

/** Fetches the live build; undefined if the site doesn't respond in time or with a valid file. */
async function findLiveBuild(siteUrl: string, timeoutMs: number): Promise<z.output<typeof buildFile> | undefined> {
  const headers = { accept: 'application/json', 'cache-control': 'no-cache' };
  const exchange = await exchangeRequest({ method: 'GET', url: `${siteUrl}/build.json`, headers }, timeoutMs);
  if (exchange.outcome === 'failed' || exchange.status !== 200) return undefined;
  try {
    return buildFile.parse(JSON.parse(exchange.body));
  } catch {
    return undefined;
  }
}

/**
 * Returns the time of the next attempt; undefined after the last one. An overloaded target without `Retry-After` gets
 * the wait of the next step.
 * @param failures Number of consecutive failures before this one.
 * @param random From 0 to 1.
 */
function scheduleAttempt(
  { slowDown = false, retryAfterMs }: Extract<DeliveryResult, { outcome: 'failed' }>,
  failures: number,
  now: Date,
  random: () => number,
): Date | undefined {
  const regularMs = RETRY_SCHEDULE_MS[failures];
  if (regularMs === undefined) return undefined;
  const waitMs = slowDown && retryAfterMs === undefined ? (RETRY_SCHEDULE_MS[failures + 1] ?? regularMs) : regularMs;
  const jitteredMs = Math.round(waitMs * (1 + JITTER * random()));
  return new Date(now.getTime() + Math.max(jitteredMs, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)));
}
