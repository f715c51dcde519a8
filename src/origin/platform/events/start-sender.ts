import { setTimeout } from 'node:timers/promises';
import type { Database } from '#origin/platform/store/index.ts';
import { claimMessages } from './claim-messages.ts';
import { deliverMessage } from './deliver-message.ts';
import { pruneMessages } from './prune-messages.ts';
import type { Receiver } from './receivers.ts';

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
