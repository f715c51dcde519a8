import type { Settings } from '#config/index.ts';
import type { SyncReport } from '../report/sync-report.ts';
import { sendOutbox, type SendOutboxOptions } from './send-outbox.ts';

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
