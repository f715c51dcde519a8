import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { HookOptions } from '#config/hook-options.ts';
import type { Settings } from '#config/index.ts';
import {
  beginAttempt,
  claimMessage,
  lastDeliveredAt,
  pendingMessages,
  postponeMessage,
  releaseMessage,
  recordAlreadyLive,
  recordResult,
  type OutboxMessage,
} from '#snapshot/index.ts';
import type { SyncLogger } from '../sync-options.ts';
import { readEvent } from './compose-message.ts';
import { exchangeRequest } from './exchange-request.ts';
import { prepareTarget, type ReadyTarget } from './prepare-target.ts';

const SECOND = 1000;

const MAX_RETRY_AFTER_MS = 24 * 3600 * SECOND;

/** Random share added to each wait, so that many senders don't retry at the same time. */
const JITTER = 0.1;

/** Standard Webhooks' schedule: the wait after each failed attempt. After the tenth there is none. */
const SCHEDULE_MS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * SECOND);

/** After this many failed attempts a message is given up. */
const MAX_ATTEMPTS = SCHEDULE_MS.length + 1;

/** `build.json` of a site, as the build writes it. */
const buildFile = z.object({ digest: z.string(), built: z.iso.datetime().optional() });

export interface SendContext {
  settings: Settings;
  database: DatabaseSync;
  logger: SyncLogger;
  environment: NodeJS.ProcessEnv;
  now: () => Date;
  timeoutMs: number;
  early: boolean;
  random: () => number;
  signal: AbortSignal | undefined;
}

/**
 * The result for a hook's message. `live`: the site already shows the change. `pending`: not due yet, or claimed by
 * another sender. `skipped`: the hook is not set up.
 */
export interface Delivery {
  hook: string;
  outcome: 'delivered' | 'live' | 'failed' | 'dead' | 'pending' | 'skipped';
  id?: string;
  problem?: string;
  /** ISO. */
  nextAttemptAt?: string;
}

/** Added to the timeout of a claim: a sender that is still alive needs less. */
const LEASE_MARGIN_MS = 30_000;
/** Timeout for the check of the live site. */
const LIVE_TIMEOUT_MS = 3000;

/** Sends a hook its due messages one by one, until one fails or none is left. */
export async function sendToHook(hook: HookOptions, context: SendContext): Promise<Delivery[]> {
  const { database, settings, environment, timeoutMs, logger, signal } = context;
  if (pendingMessages(database, hook.name).length === 0) return [];
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

/** @returns Undefined when there is nothing to send. */
async function sendNext(hook: HookOptions, target: ReadyTarget, context: SendContext): Promise<Delivery | undefined> {
  const { database, logger, now, early, signal } = context;
  if (signal?.aborted) return { hook: hook.name, outcome: 'pending' };
  const at = now();
  const lease = randomUUID();
  const until = new Date(at.getTime() + target.timeoutMs + LEASE_MARGIN_MS);
  const claim = claimMessage(database, hook.name, { now: at, lease, until, early });
  if (claim.outcome === 'empty') return undefined;
  if (claim.outcome === 'disabled') {
    logger.warn(disabled(hook.name));
    return { hook: hook.name, outcome: 'dead', problem: '410' };
  }
  if (claim.outcome === 'busy') return { hook: hook.name, outcome: 'pending' };
  if (claim.outcome === 'not-due') {
    const { id, nextAttemptAt } = claim.message;
    return { hook: hook.name, outcome: 'pending', id, nextAttemptAt };
  }
  try {
    if (await isAlreadyLive(hook, claim.message, context)) {
      const { id } = claim.message;
      if (recordAlreadyLive(database, claim.message, lease, now())) {
        logger.info(`Hook "${hook.name}" skipped: already live (${id}).`);
        return { hook: hook.name, outcome: 'live', id };
      }
    }
    if (signal?.aborted) return { hook: hook.name, outcome: 'pending', id: claim.message.id };
    const message = beginAttempt(database, claim.message.id, lease);
    if (!message) return { hook: hook.name, outcome: 'pending', id: claim.message.id };
    return await attempt(hook, target, message, lease, context);
  } finally {
    releaseMessage(database, claim.message.id, lease);
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
  // It may have arrived or not; it stays due and does not count as a failure of the target.
  if (signal?.aborted) return { ...base, outcome: 'pending' };
  const { problem } = verdict;
  if (verdict.outcome === 'gone') {
    recordResult(database, id, 'dead', now(), { problem, targetGone: true });
    logger.warn(disabled(hook.name));
    return { ...base, outcome: 'dead', problem };
  }
  const next = scheduleAttempt({ ...verdict, failures: message.failures }, now(), random);
  if (!next) {
    recordResult(database, id, 'dead', now(), { problem });
    logger.warn(
      `The hook "${hook.name}" was not reached in ${MAX_ATTEMPTS} attempts (${problem}): ${id} is given up. ` +
        `Run \`npm run hooks -- retry ${id}\` once it is.`,
    );
    return { ...base, outcome: 'dead', problem };
  }
  const nextAttemptAt = next.toISOString();
  postponeMessage(database, id, lease, next, problem);
  logger.warn(`The hook "${hook.name}" was not reached (${problem}); next attempt ${nextAttemptAt}.`);
  return { ...base, outcome: 'failed', problem, nextAttemptAt };
}

/**
 * Whether the site already shows the change. A build for an earlier notification may still be running and replace the
 * live one, so only a build after the last notification counts.
 */
async function isAlreadyLive(
  hook: HookOptions,
  message: OutboxMessage,
  { settings, database, timeoutMs }: SendContext,
): Promise<boolean> {
  if (!wantsLiveCheck(hook, settings.siteUrl)) return false;
  const live = await findLiveBuild(settings.siteUrl, Math.min(timeoutMs, LIVE_TIMEOUT_MS));
  if (live?.digest !== readEvent(message).data.digest) return false;
  const lastDelivered = lastDeliveredAt(database, hook.name);
  return (
    lastDelivered === undefined || (live.built !== undefined && Date.parse(live.built) > Date.parse(lastDelivered))
  );
}

function disabled(hook: string): string {
  return (
    `The hook "${hook}" is disabled: its target answered 410 Gone. Correct its address, ` +
    'then run `npm run hooks -- retry --all`.'
  );
}

/**
 * Whether to check the live site before notifying a hook. By default only for targets that do nothing but build the
 * site, and never for a site on this machine: a server that hangs would slow down every sync, and a developer's local
 * build would prevent the real one.
 */
function wantsLiveCheck({ type, skipIfLive }: Pick<HookOptions, 'type' | 'skipIfLive'>, siteUrl: string): boolean {
  if (skipIfLive !== undefined) return skipIfLive;
  return type !== 'generic' && type !== 'command' && !isLoopback(new URL(siteUrl).hostname);
}

function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127\.[\d.]+|\[::1\]|0\.0\.0\.0)$/.test(hostname);
}

interface LiveBuild {
  digest: string;
  /** When it was built, ISO. */
  built: string | undefined;
}

/** The build that is live; undefined if the site doesn't answer in time or with something else. */
async function findLiveBuild(siteUrl: string, timeoutMs: number): Promise<LiveBuild | undefined> {
  const exchanged = await exchangeRequest(
    {
      method: 'GET',
      url: `${siteUrl}/build.json`,
      headers: { accept: 'application/json', 'cache-control': 'no-cache' },
    },
    timeoutMs,
  );
  if (exchanged.outcome === 'failed' || exchanged.answer.status !== 200) return undefined;
  try {
    const { digest, built } = buildFile.parse(JSON.parse(exchanged.answer.body));
    return { digest, built };
  } catch {
    return undefined;
  }
}

interface FailedAttempt {
  /** In a row before this one. */
  failures: number;
  /** The target is overloaded. */
  slowDown?: boolean | undefined;
  /** The wait that it asks for. */
  retryAfterMs?: number | undefined;
}

/**
 * When to try again; undefined after the last attempt. An overloaded target that names no wait gets that of the next
 * step.
 * @param random From 0 to 1.
 */
function scheduleAttempt(attempt: FailedAttempt, now: Date, random: () => number = Math.random): Date | undefined {
  const { failures, slowDown = false, retryAfterMs } = attempt;
  const regularMs = SCHEDULE_MS[failures];
  if (regularMs === undefined) return undefined;
  const waitMs = slowDown && retryAfterMs === undefined ? (SCHEDULE_MS[failures + 1] ?? regularMs) : regularMs;
  const jitteredMs = Math.round(waitMs * (1 + JITTER * random()));
  return new Date(now.getTime() + Math.max(jitteredMs, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS)));
}
