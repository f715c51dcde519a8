import type { ContentRoutes } from '#contracts/core/index.ts';
import { item, type AnswerOf, type AnyCall } from '#origin/platform/http/transport/index.ts';
import type { ShownRevision } from './present-revision.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';

/** One revision or autosave. Whoever asks for the id of its parent is told the address too, `_links` asked for or not. */
export function answerState(
  call: AnyCall,
  row: ContentRow,
  shown: ShownRevision,
): AnswerOf<ContentRoutes['getAutosave']> {
  const answer: AnswerOf<ContentRoutes['getAutosave']> = item(shown);
  return row.parentId === 0 || !call.fields.wants('parent') ? answer : { ...answer, keepsLinks: true };
}
