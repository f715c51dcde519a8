import { item, type Answer, type AnyCall } from '#origin/platform/http/transport/index.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';

/** One revision or autosave. Whoever asks for the id of its parent is told the address too, `_links` asked for or not. */
export function answerState(call: AnyCall, row: ContentRow, shown: Record<string, unknown>): Answer {
  if (row.parentId === 0 || !call.fields.wants('parent')) return item(shown);
  return { ...item(shown), keepsLinks: true };
}
