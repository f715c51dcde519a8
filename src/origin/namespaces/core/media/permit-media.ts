import { eq } from 'drizzle-orm';
import { can } from '#origin/platform/http/callers/index.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import { loadRow } from '#origin/platform/content/get-item.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import { canEdit } from '#origin/platform/content/content-rights.ts';
import { createCannotEditError, rejectForeignAuthor } from '#origin/platform/content/writing/authorize-writing.ts';
import type { EditCall, MediaUpdateCall, UploadCall } from './upload-call.ts';

const kind = CONTENT_KINDS.attachment;

type MediaItemCall = AnyCall<'rest_post_invalid_id' | 'rest_cannot_edit'> & { params: { id: number } };

/** Files are taken from authors and above, for posts that they may edit. */
export async function permitUpload(call: UploadCall): Promise<void> {
  const { caller, others, body } = call;
  const id = others['id'];
  if (id !== undefined && id !== '' && Number(id) !== 0)
    throw call.refuse('rest_post_exists', 'What is created can not have an id yet.');
  rejectForeignAuthor(call, kind);
  if (!can(caller, 'edit_posts') || !can(caller, 'upload_files'))
    throw call.refuse('rest_cannot_create', 'You may not upload files.');
  await permitParent(call, body.post);
}

/** What a new media item is attached to has to be the caller's to edit; whether it may be anybody's is asked later. */
export async function permitParent(
  { context, caller, refuse }: AnyCall<'rest_cannot_edit'>,
  post: number | undefined,
): Promise<void> {
  if (!post) return;
  const [parent] = await context.store.db.select().from(content).where(eq(content.id, post)).limit(1);
  if (!parent || !canEdit(parent, caller)) throw refuse('rest_cannot_edit', 'You may not edit that post.');
}

export async function permitMediaUpdate(call: MediaUpdateCall): Promise<void> {
  await permitMediaChange(call);
  rejectForeignAuthor(call, kind);
}

/** Making something new of a picture takes the right to upload and the right to edit the picture. */
export async function permitEdit(call: EditCall): Promise<void> {
  const { caller } = call;
  if (!can(caller, 'upload_files')) throw call.refuse('rest_cannot_edit_image', 'You may not edit pictures.');
  await permitMediaChange(call);
}

export async function permitMediaChange(call: MediaItemCall): Promise<void> {
  const row = await loadRow(call, kind, call.params.id);
  if (!canEdit(row, call.caller)) throw createCannotEditError(call);
}
