import type { Settings } from '#config/index.ts';
import type { SyncReport } from '../report/sync-report.ts';
import { sendOutbox, type SendOutboxOptions } from './send-outbox.ts';

export type DeliverOutboxOptions = Omit<SendOutboxOptions, 'early'>;

/**
 * Sends what the outbox holds and is due, each message under its own id until it is delivered. A failure is written
 * down and never thrown. Safe beside other senders, and beside a sync.
 */
export async function deliverOutbox(settings: Settings, options: DeliverOutboxOptions): Promise<SyncReport['hooks']> {
  try {
    const deliveries = await sendOutbox(settings, options);
    return deliveries.map(({ hook, outcome }) => ({ hook, outcome: outcome === 'failed' ? 'pending' : outcome }));
  } catch (error) {
    // A full disk, for one: the change that is to be told of is committed, and its message stays.
    const problem = error instanceof Error ? error.message : 'unknown';
    options.logger.warn(`Hook delivery failed; will retry: ${problem}.`);
    return [];
  }
}
