import type { z } from 'zod';
import type { commentBody, createComment, deleteComment, updateComment } from '#contracts/core/index.ts';
import type { Call } from '#origin/platform/http/transport/index.ts';
import { loadComment, isModerator, loadThreads, mayReadThread } from './find-comments.ts';

export type WrittenComment = z.output<typeof commentBody>;
export type CommentCreationCall = Call<typeof createComment>;

/** Who signed in may write about what they may read, while comments on it are open. */
export async function permitNewComment(call: CommentCreationCall): Promise<void> {
  const { body, caller, context } = call;
  if (!caller.user) throw call.refuse('rest_comment_login_required', 'Sign in to write a comment.');
  if (!isModerator(caller)) {
    if (body.author !== undefined && body.author !== caller.user.id)
      throw call.refuse('rest_comment_invalid_author', 'You may not write comments for others.');
    if (body.status !== undefined)
      throw call.refuse('rest_comment_invalid_status', 'You may not choose whether a comment is shown.');
  }
  const threads = await loadThreads(context.store.db, body.post === undefined ? [] : [body.post]);
  const thread = threads.byId.get(body.post ?? 0);
  if (!thread) throw call.refuse('rest_comment_invalid_post_id', 'There is nothing to comment on under this id.');
  if (thread.status === 'draft') throw call.refuse('rest_comment_draft_post', 'Drafts have no comments.');
  if (thread.status === 'trash') throw call.refuse('rest_comment_trash_post', 'It is in the trash.');
  if (!mayReadThread(thread, caller, threads, undefined))
    throw call.refuse('rest_cannot_read_post', 'You may not see what this comment would be about.');
  if (thread.commentStatus !== 'open') throw call.refuse('rest_comment_closed', 'Comments on it are closed.');
}

export async function permitCommentChange(call: Call<typeof updateComment>): Promise<void> {
  await loadComment(call, call.params.id);
  if (!isModerator(call.caller)) throw call.refuse('rest_cannot_edit', 'You may not change comments.');
}

export async function permitCommentDeletion(call: Call<typeof deleteComment>): Promise<void> {
  await loadComment(call, call.params.id);
  if (!isModerator(call.caller)) throw call.refuse('rest_cannot_delete', 'You may not delete comments.');
}
