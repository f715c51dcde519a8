import { and, eq } from 'drizzle-orm';
import { cutFileTexts } from '#files/media/file-text.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { announce, type OriginEvent } from '#origin/platform/events/index.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { followChanges } from '#origin/platform/registry/follow-changes.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { content } from '#origin/platform/store/schema.ts';

/** Changes what is kept of a file's measures, and announces it. @returns the row; nothing if it is gone */
export async function changeDetails(
  context: OriginContext,
  id: number,
  change: (details: ContentRow['mediaDetails']) => ContentRow['mediaDetails'],
): Promise<ContentRow | undefined> {
  return writeContent(context.store.db, async (tx) => {
    const isIt = and(eq(content.id, id), eq(content.type, 'attachment'));
    const [before] = await tx.select().from(content).where(isIt).for('update');
    if (!before) return undefined;
    const mediaDetails = change(cutFileTexts(before.mediaDetails));
    await tx.update(content).set({ mediaDetails }).where(eq(content.id, id));
    const after = { ...before, mediaDetails };
    await followChanges(tx, context, { content: [id] });
    await announceMedia(tx, before, after);
    return after;
  });
}

type Seen = Pick<ContentRow, 'id' | 'status'>;

/** Announces what readers notice of a write of media: private ones are nobody's business. */
export async function announceMedia(
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
