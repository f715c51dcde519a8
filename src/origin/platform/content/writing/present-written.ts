import { announce } from '#origin/platform/events/index.ts';
import type { AnyCall, Shown } from '#origin/platform/http/transport/index.ts';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { followChanges, type FollowedSite } from '#origin/platform/registry/follow-changes.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { forgetRow } from '../answer-item.ts';
import { loadContentView, type ContentView } from '../content-view.ts';

export type Present<T> = (row: ContentRow, view: ContentView) => Promise<Shown<T>>;

/** Presents a row that was just written, in the edit context, after dropping its cached state. */
export async function presentWritten<T>(
  call: AnyCall,
  kind: ContentKind,
  row: ContentRow,
  present: Present<T>,
): Promise<Shown<T>> {
  forgetRow(call, row);
  return present(row, await loadContentView(call, kind, [row], { context: 'edit' }));
}

type Seen = Pick<ContentRow, 'id' | 'type'> & { status?: string | undefined };

/**
 * Tells of a write: who follows rows of every one, receivers of those that readers notice: a published row is created,
 * changed or deleted. Call it when the row and its terms are as they will be.
 */
export async function announceContent(
  tx: Transaction,
  site: FollowedSite,
  before: Seen | undefined,
  after: Seen | undefined,
): Promise<void> {
  const row = after ?? before;
  if (row) await followChanges(tx, site, { content: [row.id] });
  await announceToReaders(tx, before, after);
}

/** Tells receivers alone, in one statement at most. */
export async function announceToReaders(
  tx: Transaction,
  before: Seen | undefined,
  after: Seen | undefined,
): Promise<void> {
  const row = after ?? before;
  const wasSeen = before?.status === 'publish';
  const isSeen = after?.status === 'publish';
  if (!row || (!wasSeen && !isSeen)) return;
  const action = !wasSeen ? 'created' : isSeen ? 'updated' : 'deleted';
  await announce(tx, { what: row.type, id: String(row.id), action });
}
