import { eq, sql } from 'drizzle-orm';
import type { Database } from '#origin/platform/store/index.ts';
import { outbox } from '#origin/platform/store/schema.ts';
import { inMs, type ClaimedMessage } from './claim-messages.ts';
import { postEvent } from './post-event.ts';
import type { Receiver } from './receivers.ts';

export interface DeliveryOptions {
  receivers: readonly Receiver[];
  /** The wait after each failed attempt; the last one stays. */
  scheduleMs: readonly number[];
  signal: AbortSignal;
  log: (line: string) => void;
}

/** Tells every receiver that has not heard of it yet, and writes down what came of it. */
export async function deliverMessage(
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
  const settled = posts.filter(({ outcome }) => outcome !== 'failed').map(({ receiver }) => receiver.name);
  const payload = { ...message, delivered: [...message.delivered, ...settled] };
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
