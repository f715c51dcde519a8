import { z } from 'zod';
import { route } from '../route.ts';
import { wireInteger, tooLong, wireDateTime, wireList } from '../wire.ts';
import { deletionQuery, itemQuery, pagedQuery } from './collection-query.ts';
import { coreErrors } from './errors.ts';
import { address, field, links, localDateTime, looseMap, renderedText } from './field.ts';
import { homePage, MAX_EMAIL_LENGTH } from './user.ts';
import { MAX_CONTENT_LENGTH, writeBody, writtenText } from './write-body.ts';

/** Most that a comment may hold, in bytes of UTF-8. */
export const MAX_COMMENT_BYTES = 65_525;

/** What a comment can be; only approved ones are shown to all. */
export const commentStatus = z.enum(['approved', 'hold', 'spam', 'trash']);

const readOnly = true;

/** What a reader has written below a post, a page or a media item (`core/v2/comments`). */
export const comment = z
  .object({
    id: field('vem', z.int(), { description: 'Id of the comment', readOnly }),
    post: field('ve', z.int(), { description: 'Id of what it is about' }),
    parent: field('vem', z.int(), { description: 'Id of the comment it answers, 0 for none' }),
    author: field('vem', z.int(), { description: 'Id of the user who wrote it, 0 for others' }),
    author_name: field('vem', z.string(), { description: 'Name of who wrote it' }),
    author_email: field('e', z.string().meta({ format: 'email' }).optional(), {
      description: 'E-mail address of who wrote it',
    }),
    author_url: field('vem', z.string().meta({ format: 'uri' }), { description: 'Home page of who wrote it' }),
    author_ip: field('e', z.string().optional(), {
      description: 'Network address of who wrote it; none is kept',
      readOnly,
    }),
    author_user_agent: field('e', z.string().optional(), {
      description: 'Browser of who wrote it; none is kept',
      readOnly,
    }),
    date: field('vem', localDateTime, { description: 'When it was written, by the clock of the site' }),
    date_gmt: field('ve', localDateTime, { description: 'The same in UTC' }),
    content: renderedText('vem', 'What was written'),
    link: field('vem', address, { description: 'Address of it', readOnly }),
    status: field('ve', z.string(), { description: 'Whether it is shown' }),
    type: field('vem', z.string(), { description: 'Kind of comment', readOnly }),
    author_avatar_urls: field('vem', z.record(z.string(), z.string()).optional(), {
      description: 'Addresses of a picture, by size in pixels',
      readOnly,
    }),
    meta: field('ve', looseMap(z.unknown()).optional(), { description: 'Values by name', readOnly }),
    _links: links.optional(),
  })
  .meta({ title: 'comment' });

/** `approve` and `approved` are the same, in both directions. */
const writtenStatus = z.preprocess((sent) => (sent === 'approve' ? 'approved' : sent), commentStatus);

export const commentBody = writeBody(comment, {
  author: wireInteger(),
  author_email: z
    .email()
    .refine((address) => address.length <= MAX_EMAIL_LENGTH, { params: tooLong(MAX_EMAIL_LENGTH) }),
  author_name: z.string().max(245),
  author_url: homePage,
  content: writtenText(MAX_CONTENT_LENGTH),
  date: wireDateTime,
  date_gmt: wireDateTime,
  parent: wireInteger(),
  post: wireInteger(),
  status: writtenStatus,
});

const ids = wireList(wireInteger()).default([]);

const threadPassword = {
  password: z.string().optional().meta({ description: 'Password of the post, where one guards it' }),
};

const commentQuery = pagedQuery.extend({
  after: wireDateTime.optional().meta({ description: 'Written after' }),
  author: ids.meta({ description: 'Only of these users; for moderators' }),
  author_exclude: ids.meta({ description: 'Not of these users; for moderators' }),
  author_email: z.email().nullable().default(null).meta({ description: 'Only from this address; for moderators' }),
  before: wireDateTime.optional().meta({ description: 'Written before' }),
  order: z.enum(['asc', 'desc']).default('desc').meta({ description: 'Direction of the order' }),
  orderby: z
    .enum(['date', 'date_gmt', 'id', 'include', 'post', 'parent', 'type'])
    .default('date_gmt')
    .meta({ description: 'What the list is ordered by' }),
  parent: ids.meta({ description: 'Only answers to these comments' }),
  parent_exclude: ids.meta({ description: 'No answers to these comments' }),
  post: ids.meta({ description: 'Only about these posts' }),
  status: z.string().default('approve').meta({ description: 'Only of this status, or all; for moderators' }),
  type: z.string().default('comment').meta({ description: 'Only of this kind; for moderators' }),
  ...threadPassword,
});

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

export type CommentStatus = z.infer<typeof commentStatus>;
