import { setTimeout } from 'node:timers/promises';
import { createHash } from 'node:crypto';
import { and, eq, lt, sql, asc, inArray, isNull, lte } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { describeNetworkError, SortimentError } from '#contracts/index.ts';
import { isSigningSecret, MAX_RETRY_AFTER_MS, parseRetryAfter, RETRY_SCHEDULE_MS } from '#contracts/webhooks.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { outbox } from '#origin/platform/store/schema.ts';
import { ORIGIN_CHANGED, type OriginMessage, MAX_LISTED_EVENTS, type OriginEvent } from './announce.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';

/** A message with the ID of its outbox row, and the number of attempts including the current one. */
type ClaimedMessage = Awaited<ReturnType<typeof claimMessages>>[number];

/** Longer than an attempt can take. If a process dies, another one takes over its message after that. */
const LEASE_MS = 60_000;
const MAX_ROWS = 500;
/** A retried row has a fixed ID and content, so it is sent on its own. */
const MAX_RETRIED = 10;

/**
 * Claims due messages, so that no other process sends them.
 *
 * Messages that were never sent are merged. Their content and ID are fixed in this transaction, so that every attempt
 * sends the same message.
 */
async function claimMessages(db: Database) {
  const due = and(eq(outbox.kind, ORIGIN_CHANGED), isNull(outbox.doneAt), lte(outbox.runAt, sql`now()`));
  // Usually nothing is due, which needs no transaction to find out.
  const [dueRow] = await db.select({ id: outbox.id }).from(outbox).where(due).limit(1);
  if (!dueRow) return [];
  return retryTransaction(db, async (tx) => {
    const rows = await tx
      .select({ id: outbox.id, payload: outbox.payload, attempts: outbox.attempts })
      .from(outbox)
      .where(due)
      .orderBy(asc(outbox.id))
      .limit(MAX_ROWS)
      .for('update', { skipLocked: true });
    const claims = rows
      .filter(({ attempts }) => attempts > 0)
      .slice(0, MAX_RETRIED)
      .map(({ id, payload, attempts }) => ({ row: id, message: toMessage(payload), attempts: attempts + 1 }));
    const [first, ...later] = rows.filter(({ attempts }) => attempts === 0);
    if (first) {
      const messages = later.map(({ payload }) => toMessage(payload));
      claims.push({ row: first.id, message: combineMessages(toMessage(first.payload), messages), attempts: 1 });
      const merged = later.map(({ id }) => id);
      if (merged.length > 0) await tx.delete(outbox).where(inArray(outbox.id, merged));
    }
    for (const { row, message, attempts } of claims) {
      await tx
        .update(outbox)
        .set({ payload: { ...message }, attempts, runAt: nowPlusMs(LEASE_MS) })
        .where(eq(outbox.id, row));
    }
    return claims;
  });
}

/** Timestamp by the clock of the store, which all processes share. */
const nowPlusMs = (ms: number) => sql`now() + ${ms}::float8 * interval '1 millisecond'`;

/** The payload was written by `announce`. */
const toMessage = (payload: Record<string, unknown>): OriginMessage => payload as unknown as OriginMessage;

/** Merges unsent messages, oldest first, under the ID of the first one. */
function combineMessages(first: OriginMessage, later: readonly OriginMessage[]): OriginMessage {
  const all = [first, ...later];
  const changes = new Map<string, OriginEvent>();
  for (const event of all.flatMap((message) => message.changes)) {
    const key = `${event.what}/${event.id}`;
    // Created and then updated is still created for a receiver that hears of it once.
    const isNew = changes.get(key)?.action === 'created' && event.action === 'updated';
    changes.set(key, isNew ? { ...event, action: 'created' } : event);
  }
  const unlistedCount = all.reduce((sum, { count, changes: listed }) => sum + count - listed.length, 0);
  return {
    ...first,
    at: all.at(-1)?.at ?? first.at,
    changes: [...changes.values()].slice(0, MAX_LISTED_EVENTS),
    count: changes.size + unlistedCount,
  };
}

/** Standard Webhooks recommends 15 to 30 s. */
const TIMEOUT_MS = 15_000;

/** Longer than the retry schedule, with time to set up a receiver late. */
const RETENTION_MS = 7 * 24 * 3600 * 1000;

export interface SenderOptions {
  receivers: readonly Receiver[];
  log: (line: string) => void;
  /** Interval between polls. @default 1000 */
  pollMs?: number | undefined;
  /** Delay after each failed attempt; the last one repeats. @default schedule of Standard Webhooks, 5 s to 24 h */
  scheduleMs?: readonly number[] | undefined;
}

export type EventSender = ReturnType<typeof startSender>;

const PRUNE_EVERY_MS = 3_600_000;

/**
 * Sends the messages of `announce` in the background.
 *
 * Several processes may do so over one store if they have the same receivers. Without receivers it only prunes old
 * messages.
 */
export function startSender(db: Database, options: SenderOptions) {
  const { receivers, log, pollMs = 1000, scheduleMs = RETRY_SCHEDULE_MS } = options;
  const stop = new AbortController();
  const { signal } = stop;
  let pruneAt = 0;
  let lastProblem = '';

  const work = async (): Promise<void> => {
    if (Date.now() >= pruneAt) {
      pruneAt = Date.now() + PRUNE_EVERY_MS;
      const undelivered = await pruneMessages(db);
      if (undelivered > 0 && receivers.length > 0)
        log(`${undelivered} announcements could not be delivered for a week and were discarded.`);
    }
    while (receivers.length > 0 && !signal.aborted) {
      const claimed = await claimMessages(db);
      if (claimed.length === 0) return;
      await Promise.all(claimed.map((message) => deliverMessage(db, message, { receivers, scheduleMs, signal, log })));
    }
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await work();
        lastProblem = '';
      } catch (error) {
        // Logs a store outage once, not at every poll.
        const problem = error instanceof Error ? error.name : 'unknown';
        if (problem !== lastProblem) log(`Announcements are delayed: the store is unavailable (${problem}).`);
        lastProblem = problem;
      }
      await setTimeout(receivers.length > 0 ? pollMs : PRUNE_EVERY_MS, undefined, { signal, ref: false }).catch(
        () => undefined,
      );
    }
  };

  const ended = run();
  return {
    /** Stops the sender. Pending messages are sent after the next start. */
    close: async () => {
      stop.abort();
      await ended;
    },
  };
}

/** Deletes old messages. @returns the number of undelivered ones among them */
async function pruneMessages(db: Database): Promise<number> {
  const before = new Date(Date.now() - RETENTION_MS).toISOString();
  const deleted = await db
    .delete(outbox)
    .where(and(eq(outbox.kind, ORIGIN_CHANGED), lt(sql`${outbox.payload} ->> 'at'`, before)))
    .returning({ doneAt: outbox.doneAt });
  return deleted.filter(({ doneAt }) => doneAt === null).length;
}

/** Sends a message to the remaining receivers and records the result. */
async function deliverMessage(
  db: Database,
  { row, message, attempts }: ClaimedMessage,
  options: Pick<SenderOptions, 'receivers' | 'log'> & { scheduleMs: readonly number[]; signal: AbortSignal },
): Promise<void> {
  const { receivers, scheduleMs, signal, log } = options;
  const remaining = receivers.filter(({ name }) => !message.delivered.includes(name));
  const posts = await Promise.all(
    remaining.map(async (receiver) => ({ receiver, ...(await postEvent(receiver, message, signal)) })),
  );
  const failed = posts.filter((post) => post.outcome === 'failed');
  const isRow = eq(outbox.id, row);
  if (failed.length === 0) {
    for (const { receiver, outcome } of posts) {
      if (outcome === 'gone')
        log(`The webhook receiver ${receiver.name} responded 410 Gone: ${message.id} was discarded.`);
    }
    await db
      .update(outbox)
      .set({ doneAt: sql`now()` })
      .where(isRow);
    return;
  }
  const delivered = posts.filter(({ outcome }) => outcome !== 'failed').map(({ receiver }) => receiver.name);
  const payload = { ...message, delivered: [...message.delivered, ...delivered] };
  // Up to 10 % jitter. `Retry-After` may be longer.
  const scheduledMs = (scheduleMs[Math.min(attempts, scheduleMs.length) - 1] ?? 0) * (1 + Math.random() / 10);
  const delayMs = Math.max(scheduledMs, ...failed.map(({ retryAfterMs }) => retryAfterMs));
  // When stopping, the message is released at once for another process.
  const waitMs = signal.aborted ? 0 : delayMs;
  await db
    .update(outbox)
    .set({ payload, runAt: nowPlusMs(waitMs) })
    .where(isRow);
  if (signal.aborted) return;
  for (const { receiver, problem } of failed) {
    log(
      `The webhook receiver ${receiver.name} could not be reached (${problem}); next attempt in ${Math.ceil(waitMs / 1000)} s.`,
    );
  }
}

type PostOutcome =
  | { outcome: 'taken' }
  /** 410: the receiver no longer wants events. */
  | { outcome: 'gone' }
  /** Status or meaning of an error code, never the message, which may contain the address. */
  | { outcome: 'failed'; problem: string; retryAfterMs: number };

/** Sends one message to one receiver, signed as Standard Webhooks demands. Never throws. */
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
      // A redirect could send the event to an untrusted address.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel().catch(() => undefined);
    if (response.ok) return { outcome: 'taken' };
    if (response.status === 410) return { outcome: 'gone' };
    const requestedMs = parseRetryAfter(response.headers.get('retry-after'), now.getTime()) ?? 0;
    const retryAfterMs = Math.min(requestedMs, MAX_RETRY_AFTER_MS);
    return { outcome: 'failed', problem: String(response.status), retryAfterMs };
  } catch (error) {
    return { outcome: 'failed', problem: problemOf(error), retryAfterMs: 0 };
  }
}

function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return 'network error';
  if (error.name === 'TimeoutError') return `timed out after ${TIMEOUT_MS} ms`;
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? describeNetworkError(String(cause.code)) : 'network error';
}

export interface ReceiverOptions {
  /** Http(s) address. It may contain a secret, so it is never logged. */
  url: string;
  /** `whsec_<base64>` */
  secret: string;
}

export type Receiver = ReturnType<typeof toReceiver>;

/**
 * Returns the receivers of the environment and those of the program.
 *
 * @throws {SortimentError} WEBHOOK_INVALID, without the values
 */
export function readReceivers(
  environment: Readonly<Record<string, string | undefined>>,
  programReceivers: readonly ReceiverOptions[] = [],
): Receiver[] {
  const { ORIGIN_WEBHOOK_URL: url, ORIGIN_WEBHOOK_SECRET: secret } = environment;
  if (url && !secret) throw createInvalidError('ORIGIN_WEBHOOK_URL is set, but ORIGIN_WEBHOOK_SECRET is not.');
  const configured = url && secret ? [{ url, secret }] : [];
  const receivers = [...configured, ...programReceivers].map(toReceiver);
  return [...new Map(receivers.map((receiver) => [receiver.name, receiver])).values()];
}

function toReceiver({ url, secret }: ReceiverOptions) {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw createInvalidError('The address of a webhook receiver is not an http(s) address.');
  }
  const digest = createHash('sha256').update(url).digest('hex').slice(0, 8);
  // Identifies the receiver in the store and the log instead of its address.
  const name = `${new URL(url).host} (${digest})`;
  if (!isSigningSecret(secret)) {
    throw createInvalidError(
      `The secret for the webhook receiver ${name} is not of the form whsec_<base64 of 24 to 64 bytes>.`,
    );
  }
  return { name, url, webhook: new Webhook(secret) };
}

function createInvalidError(message: string): SortimentError {
  return new SortimentError('WEBHOOK_INVALID', message, {
    hint: 'Set ORIGIN_WEBHOOK_URL and ORIGIN_WEBHOOK_SECRET together; echo "whsec_$(openssl rand -base64 32)" makes a secret.',
  });
}
