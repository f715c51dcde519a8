import type { z } from 'zod';
import type { commentBody, createComment, deleteComment, updateComment } from '#contracts/core/comment-routes.ts';
import type { Call } from '#origin/platform/http/transport/index.ts';
import { loadComment, isModerator, loadThreads, canReadThread } from './find-comments.ts';

export type CommentInput = z.output<typeof commentBody>;
export type CommentCreationCall = Call<typeof createComment>;

/** Requires a signed-in user, read access to the post, and open comments. */
export async function authorizeCommentCreate(call: CommentCreationCall): Promise<void> {
  const { body, caller, context } = call;
  if (!caller.user) throw call.refuse('rest_comment_login_required', 'You must be signed in to comment.');
  if (!isModerator(caller)) {
    if (body.author !== undefined && body.author !== caller.user.id)
      throw call.refuse('rest_comment_invalid_author', 'You are not allowed to comment as another user.');
    if (body.status !== undefined)
      throw call.refuse('rest_comment_invalid_status', 'You are not allowed to set the status of a comment.');
  }
  const threads = await loadThreads(context.store.db, body.post === undefined ? [] : [body.post]);
  const thread = threads.byId.get(body.post ?? 0);
  if (!thread) throw call.refuse('rest_comment_invalid_post_id', 'Invalid post ID.');
  if (thread.status === 'draft') throw call.refuse('rest_comment_draft_post', 'Drafts cannot be commented on.');
  if (thread.status === 'trash') throw call.refuse('rest_comment_trash_post', 'The post is in the trash.');
  if (!canReadThread(thread, caller, threads, undefined))
    throw call.refuse('rest_cannot_read_post', 'You are not allowed to view this post.');
  if (thread.commentStatus !== 'open') throw call.refuse('rest_comment_closed', 'Comments are closed on this post.');
}

export async function authorizeCommentUpdate(call: Call<typeof updateComment>): Promise<void> {
  await loadComment(call, call.params.id);
  if (!isModerator(call.caller)) throw call.refuse('rest_cannot_edit', 'You are not allowed to edit comments.');
}

export async function authorizeCommentDelete(call: Call<typeof deleteComment>): Promise<void> {
  await loadComment(call, call.params.id);
  if (!isModerator(call.caller)) throw call.refuse('rest_cannot_delete', 'You are not allowed to delete comments.');
}
