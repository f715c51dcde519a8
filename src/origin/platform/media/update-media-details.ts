import { and, eq } from 'drizzle-orm';
import { cutFileTexts } from '#files/media/file-text.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { announce, type OriginEvent } from '#origin/platform/events/announce.ts';
import { type ContentRow, notifyListeners } from '#origin/platform/registry/content-kind.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content } from '#origin/platform/store/schema.ts';

/**
 * Updates the stored details of a media file and announces the change. @returns the row, or undefined if it no longer
 * exists
 */
export async function updateMediaDetails(
  context: OriginContext,
  id: number,
  change: (details: ContentRow['mediaDetails']) => ContentRow['mediaDetails'],
): Promise<ContentRow | undefined> {
  return writeContent(context.store.db, async (tx) => {
    const isAttachment = and(eq(content.id, id), eq(content.type, 'attachment'));
    const [before] = await tx.select().from(content).where(isAttachment).for('update');
    if (!before) return undefined;
    const mediaDetails = change(cutFileTexts(before.mediaDetails));
    await tx.update(content).set({ mediaDetails }).where(eq(content.id, id));
    const after = { ...before, mediaDetails };
    await notifyListeners(tx, context, { content: [id] });
    await announceMedia(tx, before, after);
    return after;
  });
}

type VisibleRow = Pick<ContentRow, 'id' | 'status'>;

/** Announces a write of media that readers can notice. Private media are not announced. */
export async function announceMedia(
  tx: Transaction,
  before: VisibleRow | undefined,
  after: VisibleRow | undefined,
  furtherEvents: readonly OriginEvent[] = [],
): Promise<void> {
  const row = after ?? before;
  const wasVisible = before?.status === 'inherit';
  const isVisible = after?.status === 'inherit';
  const action = !wasVisible ? 'created' : isVisible ? 'updated' : 'deleted';
  const mediaEvents = row && (wasVisible || isVisible) ? [{ what: 'media', id: String(row.id), action } as const] : [];
  await announce(tx, [...mediaEvents, ...furtherEvents]);
}
