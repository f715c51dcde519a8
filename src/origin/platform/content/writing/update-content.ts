import { and, eq } from 'drizzle-orm';
import type { updatePost } from '#contracts/core/routes.ts';
import type { RouteErrors } from '#contracts/index.ts';
import { item, type RouteResult, type AnyCall } from '#origin/platform/http/transport/call.ts';
import type { CreateRestError } from '#origin/platform/http/transport/rest-error.ts';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content } from '#origin/platform/store/schema.ts';
import { canEdit } from '../content-rights.ts';
import { findFreeSlug } from '../slugs.ts';
import { saveRevision, writeContent } from '../write-content.ts';
import { filterInput, wrongMetaError } from './check-writing.ts';
import { announceContent, presentWritten, saveTerms } from './create-content.ts';
import type { Present } from '../present-content.ts';
import {
  createCannotEditError,
  isSlugless,
  loadWritingScope,
  planContent,
  type WritingScope,
  type WritingItemCall,
  type ContentInput,
} from './plan-content.ts';

/** Updates a row, saves a revision, and presents it in the edit context. */
export async function updateContent<T>(
  call: WritingItemCall,
  kind: ContentKind,
  present: Present<T>,
): Promise<RouteResult<T>> {
  const scope = await loadWritingScope(call, kind, call.refuse);
  const input = await filterInput(call.body, call.caller);
  const { row, wrongMeta } = await writeContent(call.context.store.db, (tx, now) =>
    updateStoredContent(tx, call.params.id, input, { ...scope, now }),
  );
  const shown = await presentWritten(call, kind, row, present);
  if (wrongMeta !== undefined) throw wrongMetaError(wrongMeta, call);
  return item(shown);
}

interface UpdateScope extends WritingScope {
  refuse: CreateRestError<RouteErrors<typeof updatePost>>;
}

/**
 * Updates a row within `writeContent`, saves a revision and announces the change.
 *
 * @param sent input after `filterInput`
 */
export async function updateStoredContent(
  tx: Transaction,
  id: number,
  sent: ContentInput,
  scope: UpdateScope,
): Promise<{ row: ContentRow; wrongMeta: string | undefined }> {
  const { kind, caller } = scope;
  const before = await loadForUpdate(tx, scope, kind, id);
  // The author may have changed since authorization.
  if (!canEdit(before, caller)) throw createCannotEditError(scope);
  const plan = await planContent(tx, sent, before, scope);
  const after = await updateRow(tx, before, plan.row, scope);
  await saveTerms(tx, before, after, sent, scope);
  await kind.save?.(tx, after, sent);
  if (after.status !== 'auto-draft') await saveRevision(tx, after, caller.user?.id ?? 0);
  await announceContent(tx, before, after);
  return { row: after, wrongMeta: plan.wrongMeta };
}

/** Loads a row and locks it until the transaction ends. @throws RestError if it doesn't exist */
export async function loadForUpdate(
  tx: Transaction,
  { refuse }: Pick<AnyCall<'rest_post_invalid_id'>, 'refuse'>,
  { type }: ContentKind,
  id: number,
): Promise<ContentRow> {
  const [row] = await tx
    .select()
    .from(content)
    .where(and(eq(content.id, id), eq(content.type, type)))
    .for('update');
  if (!row) throw refuse('rest_post_invalid_id', 'No item with this ID.');
  return row;
}

export async function updateRow(
  tx: Transaction,
  before: ContentRow,
  values: Partial<typeof content.$inferInsert>,
  { kind }: Pick<WritingScope, 'kind'>,
): Promise<ContentRow> {
  const after = { ...before, ...values } as ContentRow;
  const hasSlug = after.slug !== '' || isSlugless(after.status);
  const owner = { id: before.id, type: kind.type, parentId: after.parentId, slug: before.slug };
  const slug = hasSlug ? after.slug : await findFreeSlug(tx, String(before.id), owner);
  await tx
    .update(content)
    .set({ ...values, slug })
    .where(eq(content.id, before.id));
  return { ...after, slug };
}
