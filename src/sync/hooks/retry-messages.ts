import type { Settings } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import { openSnapshot, listMessages, reviveMessages } from '#snapshot/index.ts';

/**
 * Makes dead letters due again, under the ids they have, and enables their hooks.
 * @param id One of them; undefined means all.
 * @returns How many there were.
 * @throws SortimentError MESSAGE_UNKNOWN, MESSAGE_NOT_DEAD, SNAPSHOT_MISSING
 */
export function retryMessages(settings: Settings, id: string | undefined, now: Date = new Date()): number {
  // Opening for writing would begin a snapshot where there is none.
  openSnapshot(settings.snapshotPath, { readOnly: true }).close();
  const snapshot = openSnapshot(settings.snapshotPath);
  try {
    const revived = reviveMessages(snapshot.database, id, now);
    if (revived > 0 || id === undefined) return revived;
    const message = listMessages(snapshot.database).find((candidate) => candidate.id === id);
    if (!message) {
      throw new SortimentError('MESSAGE_UNKNOWN', `There is no message ${id}.`, {
        hint: 'Run `npm run hooks -- list` to see which there are.',
      });
    }
    throw new SortimentError('MESSAGE_NOT_DEAD', `The message ${id} is not dead-lettered: it is ${message.state}.`, {
      hint: 'Only dead-lettered messages can be requeued. `npm run hooks -- drain --now` sends what is pending without waiting.',
    });
  } finally {
    snapshot.close();
  }
}
