import type { AnyCall, Shown } from '#origin/platform/http/transport/index.ts';
import { forgetRow } from '../answer-item.ts';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { loadContentView, type ContentView } from '../content-view.ts';

export type Present<T> = (row: ContentRow, view: ContentView) => Promise<Shown<T>>;

/** A row that was just written, as its editors see it; what was known of it before is forgotten. */
export async function presentWritten<T>(
  call: AnyCall,
  kind: ContentKind,
  row: ContentRow,
  present: Present<T>,
): Promise<Shown<T>> {
  forgetRow(call, row);
  return present(row, await loadContentView(call, kind, [row], { context: 'edit' }));
}
