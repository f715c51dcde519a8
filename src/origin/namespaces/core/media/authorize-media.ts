import { loadRow } from '#origin/platform/content/resources/resource.ts';
import { eq } from 'drizzle-orm';
import { can } from '#origin/platform/http/callers/caller.ts';
import type { AnyCall, Call } from '#origin/platform/http/transport/call.ts';
import { content } from '#origin/platform/store/schema.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import {
  canEdit,
  createCannotEditError,
  rejectForeignAuthor,
  contentRows,
} from '#origin/platform/content/content-rights.ts';
import type { z } from 'zod';
import type { mediaBody, uploadBody } from '#contracts/core/media.ts';
import type { createMedia, editMedia, postProcessMedia, updateMedia } from '#contracts/core/routes.ts';

const kind = CONTENT_KINDS.attachment;

type MediaItemCall = AnyCall<'rest_post_invalid_id' | 'rest_cannot_edit'> & { params: { id: number } };

/** Requires the rights to edit posts and to upload files, and to edit the parent post. */
export async function authorizeUpload(call: UploadCall): Promise<void> {
  const { caller, others, body } = call;
  const id = others['id'];
  if (id !== undefined && id !== '' && Number(id) !== 0)
    throw call.refuse('rest_post_exists', 'A new media item cannot have an ID.');
  rejectForeignAuthor(call, kind);
  if (!can(caller, 'edit_posts') || !can(caller, 'upload_files'))
    throw call.refuse('rest_cannot_create', 'You are not allowed to upload files.');
  await authorizeParent(call, body.post);
}

/** Requires the right to edit the parent post. `planMedia` checks whether the parent can have media. */
export async function authorizeParent(
  { context, caller, refuse }: AnyCall<'rest_cannot_edit'>,
  post: number | undefined,
): Promise<void> {
  if (!post) return;
  const [parent] = await context.store.db.select().from(content).where(eq(content.id, post)).limit(1);
  if (!parent || !canEdit(parent, caller))
    throw refuse('rest_cannot_edit', 'You are not allowed to edit the parent post.');
}

export async function authorizeMediaUpdate(call: MediaUpdateCall): Promise<void> {
  await authorizeMediaWrite(call);
  rejectForeignAuthor(call, kind);
}

/** Requires the right to upload, and to edit the source image. */
export async function authorizeImageEdit(call: ImageEditCall): Promise<void> {
  const { caller } = call;
  if (!can(caller, 'upload_files')) throw call.refuse('rest_cannot_edit_image', 'You are not allowed to edit images.');
  await authorizeMediaWrite(call);
}

export async function authorizeMediaWrite(call: MediaItemCall): Promise<void> {
  const row = await loadRow(call, contentRows(kind), call.params.id);
  if (!canEdit(row, call.caller)) throw createCannotEditError(call);
}

export type MediaInput = z.output<typeof mediaBody>;
export type UploadFields = z.output<typeof uploadBody>;

export type UploadCall = Call<typeof createMedia>;
export type MediaUpdateCall = Call<typeof updateMedia>;
export type ImageEditCall = Call<typeof editMedia>;
export type PostProcessCall = Call<typeof postProcessMedia>;
