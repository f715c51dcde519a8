import { setTimeout } from 'node:timers/promises';
import { createHash } from 'node:crypto';
import { and, eq, lt, sql } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { wordNetworkCode, SortimentError } from '#contracts/index.ts';
import type { Database } from '#origin/platform/store/index.ts';
import { outbox } from '#origin/platform/store/schema.ts';
import { claimMessages, inMs, type ClaimedMessage } from './claim-messages.ts';
import { ORIGIN_CHANGED, type OriginMessage } from './origin-event.ts';

/** Standard Webhooks asks for 15 to 30 s. */
const TIMEOUT_MS = 15_000;

const MAX_RETRY_AFTER_MS = 24 * 3600 * 1000;

/** Longer than the retry schedule, and enough for a receiver that is set up a little later. */
const KEPT_MS = 7 * 24 * 3600 * 1000;

export interface SenderOptions {
  receivers: readonly Receiver[];
  log: (line: string) => void;
  /** How often it looks for something to send. @default 1000 */
  pollMs?: number | undefined;
  /** The wait after each failed attempt; the last one stays. @default Standard Webhooks' schedule, 5 s to 24 h */
  scheduleMs?: readonly number[] | undefined;
}

export interface EventSender {
  /** Ends what is under way; what was not taken is sent on the next start. */
  close(): Promise<void>;
}

const POLL_MS = 1000;
const PRUNE_EVERY_MS = 3_600_000;
const SCHEDULE_MS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].map((seconds) => seconds * 1000);

/**
 * Sends what `announce` has written down, beside the requests and never in their way. Any number of processes may
 * do so over one store, if all of them have the same receivers. Without any it only takes old messages away.
 */
export function startSender(db: Database, options: SenderOptions): EventSender {
  const { receivers, log, pollMs = POLL_MS, scheduleMs = SCHEDULE_MS } = options;
  const stop = new AbortController();
  const { signal } = stop;
  const delivery = { receivers, scheduleMs, signal, log };
  let pruneAt = 0;
  let complaint = '';

  const work = async (): Promise<void> => {
    if (Date.now() >= pruneAt) {
      pruneAt = Date.now() + PRUNE_EVERY_MS;
      const lost = await pruneMessages(db);
      if (lost > 0 && receivers.length > 0) log(`${lost} announcements could not be delivered for a week; given up.`);
    }
    while (receivers.length > 0 && !signal.aborted) {
      const claimed = await claimMessages(db);
      if (claimed.length === 0) return;
      await Promise.all(claimed.map((message) => deliverMessage(db, message, delivery)));
    }
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await work();
        complaint = '';
      } catch (error) {
        // A store that is away for a while is said once, not every second.
        const problem = error instanceof Error ? error.name : 'unknown';
        if (problem !== complaint) log(`Announcements wait: the store could not be used (${problem}).`);
        complaint = problem;
      }
      await setTimeout(receivers.length > 0 ? pollMs : PRUNE_EVERY_MS, undefined, { signal, ref: false }).catch(
        () => undefined,
      );
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

/** Takes old messages away, sent or not. @returns how many of them had not been sent */
async function pruneMessages(db: Database): Promise<number> {
  const before = new Date(Date.now() - KEPT_MS).toISOString();
  const gone = await db
    .delete(outbox)
    .where(and(eq(outbox.kind, ORIGIN_CHANGED), lt(sql`${outbox.payload} ->> 'at'`, before)))
    .returning({ doneAt: outbox.doneAt });
  return gone.filter(({ doneAt }) => doneAt === null).length;
}

interface DeliveryOptions {
  receivers: readonly Receiver[];
  /** The wait after each failed attempt; the last one stays. */
  scheduleMs: readonly number[];
  signal: AbortSignal;
  log: (line: string) => void;
}

/** Tells every receiver that has not heard of it yet, and writes down what came of it. */
async function deliverMessage(
  db: Database,
  { row, message, attempts }: ClaimedMessage,
  { receivers, scheduleMs, signal, log }: DeliveryOptions,
): Promise<void> {
  const waiting = receivers.filter(({ name }) => !message.delivered.includes(name));
  const posts = await Promise.all(
    waiting.map(async (receiver) => ({ receiver, ...(await postEvent(receiver, message, signal)) })),
  );
  const failed = posts.filter((post) => post.outcome === 'failed');
  const mine = eq(outbox.id, row);
  if (failed.length === 0) {
    for (const { receiver, outcome } of posts) {
      if (outcome === 'gone')
        log(`The webhook receiver ${receiver.name} answered 410 Gone: ${message.id} is given up.`);
    }
    await db
      .update(outbox)
      .set({ doneAt: sql`now()` })
      .where(mine);
    return;
  }
  const done = posts.filter(({ outcome }) => outcome !== 'failed').map(({ receiver }) => receiver.name);
  const payload = { ...message, delivered: [...message.delivered, ...done] };
  // Who is stopped leaves the message to whoever comes next, at once.
  const waitMs = signal.aborted ? 0 : longest(scheduleMs, attempts, failed);
  await db
    .update(outbox)
    .set({ payload, runAt: inMs(waitMs) })
    .where(mine);
  if (signal.aborted) return;
  for (const { receiver, problem } of failed) {
    log(
      `The webhook receiver ${receiver.name} was not reached (${problem}); next attempt in ${Math.ceil(waitMs / 1000)} s.`,
    );
  }
}

/** The schedule's wait, a little more so that many don't come back together, or what a receiver asked for. */
function longest(scheduleMs: readonly number[], attempts: number, failed: readonly { retryAfterMs: number }[]): number {
  const scheduled = scheduleMs[Math.min(attempts, scheduleMs.length) - 1] ?? 0;
  return Math.max(scheduled * (1 + Math.random() / 10), ...failed.map(({ retryAfterMs }) => retryAfterMs));
}

type PostOutcome =
  | { outcome: 'taken' }
  /** 410: it wants no more of this. */
  | { outcome: 'gone' }
  /** A status or what an error's code means, never its text: that may name the address. */
  | { outcome: 'failed'; problem: string; retryAfterMs: number };

/** Makes one attempt to notify one receiver, signed by Standard Webhooks at this moment. Never throws. */
async function postEvent(receiver: Receiver, message: OriginMessage, signal: AbortSignal): Promise<PostOutcome> {
  const { id, at, changes, count } = message;
  const body = JSON.stringify({ type: ORIGIN_CHANGED, timestamp: at, data: { changes, count } });
  const now = new Date();
  try {
    const response = await fetch(receiver.url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'sortiment-origin',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': receiver.webhook.sign(id, now, body),
      },
      // An address that somebody was trusted with may not hand us on to another one.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel().catch(() => undefined);
    if (response.ok) return { outcome: 'taken' };
    if (response.status === 410) return { outcome: 'gone' };
    const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), now.getTime());
    return { outcome: 'failed', problem: String(response.status), retryAfterMs };
  } catch (error) {
    return { outcome: 'failed', problem: problemOf(error), retryAfterMs: 0 };
  }
}

/** Seconds or a date (RFC 9110, 10.2.3), at most a day; 0 when there is none or it makes no sense. */
function readRetryAfter(header: string | null, now: number): number {
  if (!header) return 0;
  const waitMs = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(waitMs) ? 0 : Math.min(Math.max(waitMs, 0), MAX_RETRY_AFTER_MS);
}

function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return 'network error';
  if (error.name === 'TimeoutError') return `timed out after ${TIMEOUT_MS} ms`;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? wordNetworkCode(String(cause.code)) : 'network error';
}

/** The receivers of change notifications. */
export interface ReceiverOptions {
  /** http(s); it may hold a secret of its own, so it is never logged. */
  url: string;
  /** `whsec_<base64>` */
  secret: string;
}

export interface Receiver {
  /** Stands for the address in the store and in the log. */
  name: string;
  url: string;
  webhook: Webhook;
}

/**
 * The receivers that the environment names, and those of the program itself.
 *
 * @throws {SortimentError} WEBHOOK_INVALID, without the values
 */
export function readReceivers(
  environment: Readonly<Record<string, string | undefined>>,
  own: readonly ReceiverOptions[] = [],
): Receiver[] {
  const { ORIGIN_WEBHOOK_URL: url, ORIGIN_WEBHOOK_SECRET: secret } = environment;
  if (url && !secret) throw refuse('ORIGIN_WEBHOOK_URL is set, but ORIGIN_WEBHOOK_SECRET is not.');
  const named = url && secret ? [{ url, secret }] : [];
  const receivers = [...named, ...own].map(toReceiver);
  return [...new Map(receivers.map((receiver) => [receiver.name, receiver])).values()];
}

function toReceiver({ url, secret }: ReceiverOptions): Receiver {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw refuse('The address of a webhook receiver is not an http(s) address.');
  }
  const digest = createHash('sha256').update(url).digest('hex').slice(0, 8);
  const name = `${new URL(url).host} (${digest})`;
  if (!/^whsec_[A-Za-z0-9+/]{22,}={0,2}$/.test(secret)) {
    throw refuse(`The secret for the webhook receiver ${name} is not of the form whsec_<base64>.`);
  }
  return { name, url, webhook: new Webhook(secret) };
}

function refuse(message: string): SortimentError {
  return new SortimentError('WEBHOOK_INVALID', message, {
    hint: 'Set ORIGIN_WEBHOOK_URL and ORIGIN_WEBHOOK_SECRET together; echo "whsec_$(openssl rand -base64 32)" makes a secret.',
  });
}
