import { announce } from '#origin/platform/events/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';

type Seen = Pick<ContentRow, 'id' | 'type' | 'status'>;

/**
 * Announces what readers notice of a write: what comes, changes or goes among published rows. Drafts are nobody's
 * business.
 */
export async function tellReaders(tx: Transaction, before: Seen | undefined, after: Seen | undefined): Promise<void> {
  const row = after ?? before;
  const wasSeen = before?.status === 'publish';
  const isSeen = after?.status === 'publish';
  if (!row || (!wasSeen && !isSeen)) return;
  const action = !wasSeen ? 'created' : isSeen ? 'updated' : 'deleted';
  await announce(tx, { what: row.type, id: String(row.id), action });
}
