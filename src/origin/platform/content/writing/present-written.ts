import { announce } from '#origin/platform/events/announce.ts';
import type { AnyCall, SelectedFields } from '#origin/platform/http/transport/index.ts';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { notifyListeners, type ListenerContext } from '#origin/platform/registry/change-listener.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { evictRow } from '../get-item.ts';
import { loadContentView, type ContentView } from '../content-view.ts';

export type Present<T> = (row: ContentRow, view: ContentView) => Promise<SelectedFields<T>>;

/** Presents a row after a write, in the edit context, and evicts its cached state. */
export async function presentWritten<T>(
  call: AnyCall,
  kind: ContentKind,
  row: ContentRow,
  present: Present<T>,
): Promise<SelectedFields<T>> {
  evictRow(call, row);
  return present(row, await loadContentView(call, kind, [row], { context: 'edit' }));
}

type RowState = Pick<ContentRow, 'id' | 'type'> & { status?: string | undefined };

/**
 * Notifies listeners of a write, and webhook receivers if the row is or was public. Call it when the row and its
 * terms have their final values.
 */
export async function announceContent(
  tx: Transaction,
  site: ListenerContext,
  before: RowState | undefined,
  after: RowState | undefined,
): Promise<void> {
  const row = after ?? before;
  if (row) await notifyListeners(tx, site, { content: [row.id] });
  await announceToReaders(tx, before, after);
}

/** Notifies webhook receivers only, with at most one statement. */
export async function announceToReaders(
  tx: Transaction,
  before: RowState | undefined,
  after: RowState | undefined,
): Promise<void> {
  const row = after ?? before;
  const wasPublic = before?.status === 'publish';
  const isPublic = after?.status === 'publish';
  if (!row || (!wasPublic && !isPublic)) return;
  const action = !wasPublic ? 'created' : isPublic ? 'updated' : 'deleted';
  await announce(tx, { what: row.type, id: String(row.id), action });
}
