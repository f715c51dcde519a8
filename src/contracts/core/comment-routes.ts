import { z } from 'zod';
import { route } from '../route.ts';
import { coreErrors } from './errors.ts';
import { wireInteger } from '../wire.ts';
import { deletionQuery, itemQuery } from './collection-query.ts';
import { comment, commentBody, commentQuery, threadPassword } from './comment.ts';

const id = z.object({ id: wireInteger().meta({ description: 'Id of the comment' }) });

const WRITE_ERRORS = coreErrors(
  'rest_comment_invalid_author',
  'rest_comment_invalid_status',
  'rest_comment_content_invalid',
  'rest_comment_author_data_required',
  'comment_content_column_length',
);

export const listComments = route({
  method: 'GET',
  path: 'core/v2/comments',
  summary: 'Comments',
  access: 'public',
  query: commentQuery,
  response: z.array(comment),
  errors: coreErrors('rest_forbidden_context', 'rest_forbidden_param', 'rest_cannot_read', 'rest_cannot_read_post'),
});
export const createComment = route({
  method: 'POST',
  path: 'core/v2/comments',
  summary: 'Writes a comment',
  access: 'user',
  body: commentBody,
  response: comment,
  errors: {
    ...WRITE_ERRORS,
    ...coreErrors(
      'rest_comment_login_required',
      'rest_comment_exists',
      'rest_comment_invalid_post_id',
      'rest_comment_draft_post',
      'rest_comment_trash_post',
      'rest_comment_closed',
      'rest_comment_invalid_parent',
      'rest_cannot_read_post',
    ),
  },
});
export const getComment = route({
  method: 'GET',
  path: 'core/v2/comments/<id>',
  summary: 'A comment',
  access: 'public',
  params: id,
  query: itemQuery.extend(threadPassword),
  response: comment,
  errors: coreErrors('rest_comment_invalid_id', 'rest_forbidden_context', 'rest_cannot_read', 'rest_cannot_read_post'),
});
export const updateComment = route({
  method: 'POST',
  also: ['PUT', 'PATCH'],
  path: 'core/v2/comments/<id>',
  summary: 'Changes what is sent of a comment',
  access: 'user',
  params: id,
  // What it is about, and what it answers, stays.
  body: commentBody.omit({ post: true, parent: true }),
  response: comment,
  errors: { ...WRITE_ERRORS, ...coreErrors('rest_comment_invalid_id', 'rest_cannot_edit') },
});
export const deleteComment = route({
  method: 'DELETE',
  path: 'core/v2/comments/<id>',
  summary: 'Moves a comment to the trash, or deletes it for good',
  access: 'user',
  params: id,
  query: deletionQuery,
  // In the trash it is answered as it is there.
  response: z.union([z.object({ deleted: z.literal(true), previous: comment }), comment]),
  errors: coreErrors('rest_comment_invalid_id', 'rest_cannot_delete', 'rest_already_trashed'),
});
