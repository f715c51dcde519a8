import type { AnyCall, Call } from '#origin/platform/http/transport/index.ts';
import { forgetRow } from '../answer-item.ts';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { loadContentView, type ContentView } from '../content-view.ts';

export type Present = (row: ContentRow, view: ContentView) => Promise<Record<string, unknown>>;

/** A row that was just written, as its editors see it; what was known of it before is forgotten. */
export async function presentWritten(
  call: AnyCall,
  kind: ContentKind,
  row: ContentRow,
  present: Present,
): Promise<Record<string, unknown>> {
  forgetRow(call, row);
  return present(row, await loadContentView(call as Call, kind, [row], { context: 'edit' }));
}
