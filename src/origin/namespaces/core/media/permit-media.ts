import { eq } from 'drizzle-orm';
import { can } from '#origin/platform/http/callers/index.ts';
import { refuse, RestError, type AnyCall, type Call } from '#origin/platform/http/transport/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import { loadRow } from '#origin/platform/content/answer-item.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import { mayEdit } from '#origin/platform/content/content-rights.ts';
import { cannotEdit } from '#origin/platform/content/writing/permit-writing.ts';
import type { UploadCall } from './upload-call.ts';

const kind = CONTENT_KINDS.attachment;

/** Files are taken from authors and above, for posts that they may edit. */
export async function permitUpload(call: UploadCall): Promise<void> {
  const { caller, others, body } = call;
  const id = others['id'];
  if (id !== undefined && id !== '' && Number(id) !== 0)
    throw new RestError('rest_post_exists', 400, 'What is created can not have an id yet.');
  if (body.author && body.author !== caller.user?.id && !can(caller, kind.rights.editOthers))
    throw refuse(caller, 'rest_cannot_edit_others', 'You may not write in the name of another user.');
  if (!can(caller, 'edit_posts') || !can(caller, 'upload_files'))
    throw refuse(caller, 'rest_cannot_create', 'You may not upload files.');
  await permitParent(call, body.post);
}

/** What a new medium is attached to has to be the caller's to edit; whether it may be anybody's is asked later. */
export async function permitParent({ context, caller }: AnyCall, post: number | undefined): Promise<void> {
  if (!post) return;
  const [parent] = await context.store.db.select().from(content).where(eq(content.id, post)).limit(1);
  if (!parent || !mayEdit(parent, caller)) throw refuse(caller, 'rest_cannot_edit', 'You may not edit that post.');
}

/** Making something new of a picture takes the right to upload and the right to edit the picture. */
export async function permitEdit(call: Call & { params: { id: number } }): Promise<void> {
  const { caller } = call;
  if (!can(caller, 'upload_files')) throw refuse(caller, 'rest_cannot_edit_image', 'You may not edit pictures.');
  await permitMediaChange(call);
}

export async function permitMediaChange(call: Call & { params: { id: number } }): Promise<void> {
  const row = await loadRow(call, kind, call.params.id);
  if (!mayEdit(row, call.caller)) throw cannotEdit(call.caller);
}
