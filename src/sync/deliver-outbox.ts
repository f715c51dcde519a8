import { Webhook } from 'standardwebhooks';
import { readRetryAfter } from '../client/index.ts';
import type { Settings } from '../config/index.ts';
import {
  openSnapshot,
  pendingMessages,
  postponeMessage,
  settleMessage,
  type PendingMessage,
  type Snapshot,
} from '../snapshot/index.ts';
import { postWebhook } from './post-webhook.ts';
import type { SyncLogger } from './sync-options.ts';
import type { SyncReport } from './sync-report.ts';

export interface DeliverOutboxOptions {
  logger: SyncLogger;
  /** Where the hooks' addresses and secrets are; they are read now and kept nowhere. @default process.env */
  environment?: NodeJS.ProcessEnv | undefined;
  now?: (() => Date) | undefined;
  /** For one attempt. @default 15000 */
  timeoutMs?: number;
}

type Hook = Settings['options']['hooks'][number];
type Delivery = SyncReport['hooks'][number];

const SECOND = 1000;
const HOUR = 3600 * SECOND;
/** Standard Webhooks' schedule: the wait after each failed attempt; the last one stays. */
const SCHEDULE_MS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * SECOND);

/**
 * Sends what the outbox holds and is due, each message under its own id until it is delivered. A failure is written
 * down and never thrown.
 */
export async function deliverOutbox(settings: Settings, options: DeliverOutboxOptions): Promise<Delivery[]> {
  const { hooks } = settings.options;
  if (hooks.length === 0) return [];
  const snapshot = openSnapshot(settings.snapshotPath);
  try {
    const deliveries: Delivery[] = [];
    for (const hook of hooks) deliveries.push(...(await deliverTo(hook, snapshot, options)));
    return deliveries;
  } finally {
    snapshot.close();
  }
}

async function deliverTo(hook: Hook, { database }: Snapshot, options: DeliverOutboxOptions): Promise<Delivery[]> {
  const { environment = process.env, now = () => new Date(), logger } = options;
  const pending = pendingMessages(database, hook.name);
  if (pending.length === 0) return [];
  const target = readTarget(hook, environment);
  if (!target.ok) {
    logger.warn(`The hook "${hook.name}" is skipped: ${target.problem}.`);
    return [{ hook: hook.name, outcome: 'skipped' }];
  }
  const deliveries: Delivery[] = [];
  for (const message of pending) {
    if (message.nextAttemptAt > now().toISOString()) {
      deliveries.push({ hook: hook.name, outcome: 'pending' });
      continue;
    }
    const attempt = await send(message, target, now(), options.timeoutMs);
    const outcome = attempt.outcome;
    if (outcome === 'pending') {
      const next = nextAttempt(message, attempt.retryAfterMs, now());
      postponeMessage(database, message.id, next, attempt.problem);
      logger.warn(`The hook "${hook.name}" was not reached (${attempt.problem}); next attempt ${next.toISOString()}.`);
    } else {
      settleMessage(database, message.id, outcome, now());
      if (outcome === 'dead') logger.warn(`The hook "${hook.name}" answered 410 Gone: this message is given up.`);
      else logger.info(`The hook "${hook.name}" was told (${message.id}).`);
    }
    deliveries.push({ hook: hook.name, outcome });
  }
  return deliveries;
}

type Target = { ok: true; url: string; webhook: Webhook } | { ok: false; problem: string };

/** Says what is missing by the names of the variables, never by their values. */
function readTarget({ urlEnv, secretEnv }: Hook, environment: NodeJS.ProcessEnv): Target {
  const url = environment[urlEnv];
  const secret = environment[secretEnv];
  const unset = [...(url ? [] : [urlEnv]), ...(secret ? [] : [secretEnv])];
  if (!url || !secret)
    return { ok: false, problem: `${unset.join(' and ')} ${unset.length > 1 ? 'are' : 'is'} not set` };
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    return { ok: false, problem: `${urlEnv} is not an http(s) address` };
  }
  try {
    if (!secret.startsWith('whsec_')) throw new Error('no prefix');
    return { ok: true, url, webhook: new Webhook(secret) };
  } catch {
    return { ok: false, problem: `${secretEnv} is not of the form whsec_<base64>` };
  }
}

async function send(
  { id, body }: PendingMessage,
  { url, webhook }: Extract<Target, { ok: true }>,
  at: Date,
  timeoutMs: number | undefined,
): Promise<{ outcome: 'delivered' | 'dead' } | { outcome: 'pending'; problem: string; retryAfterMs: number }> {
  const headers = {
    'webhook-id': id,
    // Of this attempt: receivers refuse old ones.
    'webhook-timestamp': String(Math.floor(at.getTime() / SECOND)),
    'webhook-signature': webhook.sign(id, at, body),
  };
  const answer = await postWebhook(url, body, headers, timeoutMs);
  if (answer.outcome === 'failed') return { outcome: 'pending', problem: answer.problem, retryAfterMs: 0 };
  const { status, retryAfter } = answer;
  if (status >= 200 && status < 300) return { outcome: 'delivered' };
  if (status === 410) return { outcome: 'dead' };
  return { outcome: 'pending', problem: String(status), retryAfterMs: readRetryAfter(retryAfter, at.getTime()) ?? 0 };
}

function nextAttempt({ attempts }: PendingMessage, retryAfterMs: number, now: Date): Date {
  const waitMs = SCHEDULE_MS[Math.min(attempts, SCHEDULE_MS.length - 1)] ?? 0;
  return new Date(now.getTime() + Math.max(waitMs, Math.min(retryAfterMs, 24 * HOUR)));
}
