import { announce, type OriginEvent } from '#origin/platform/events/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';

type Seen = Pick<ContentRow, 'id' | 'status'>;

/** Announces what readers notice of a write of media: private ones are nobody's business. */
export async function tellMediaReaders(
  tx: Transaction,
  before: Seen | undefined,
  after: Seen | undefined,
  others: readonly OriginEvent[] = [],
): Promise<void> {
  const row = after ?? before;
  const wasSeen = before?.status === 'inherit';
  const isSeen = after?.status === 'inherit';
  const action = !wasSeen ? 'created' : isSeen ? 'updated' : 'deleted';
  const own = row && (wasSeen || isSeen) ? [{ what: 'media', id: String(row.id), action } as const] : [];
  await announce(tx, [...own, ...others]);
}
