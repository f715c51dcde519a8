import { z } from 'zod';
import { resourceRoutes } from '../route.ts';
import { wireInteger, wireDateTime, wireList } from '../wire.ts';
import { deletionQuery, itemQuery, pagedQuery } from './collection-query.ts';
import { coreErrors } from './errors.ts';
import {
  address,
  deletedResponse,
  field,
  links,
  localDateTime,
  looseMap,
  renderedText,
  readOnlyField,
  MAX_CONTENT_LENGTH,
  writeBody,
  textInput,
} from './field.ts';
import { email, homePage } from './user-routes.ts';

/** Maximum size of a comment, in bytes of UTF-8. */
export const MAX_COMMENT_BYTES = 65_525;

/** Status of a comment; only approved ones are public. */
export const commentStatus = z.enum(['approved', 'hold', 'spam', 'trash']);

/** A comment on a post, page or media item (`core/v2/comments`). */
export const comment = z
  .object({
    id: readOnlyField('vem', z.int(), 'Id of the comment'),
    post: field('ve', z.int(), 'Id of the post'),
    parent: field('vem', z.int(), 'Id of the parent comment, 0 for none'),
    author: field('vem', z.int(), 'Id of the author, 0 for anonymous comments'),
    author_name: field('vem', z.string(), 'Name of the author'),
    author_email: field('e', z.string().meta({ format: 'email' }).optional(), 'E-mail address of the author'),
    author_url: field('vem', z.string().meta({ format: 'uri' }), 'Website of the author'),
    author_ip: readOnlyField('e', z.string().optional(), 'IP address of the author; never stored'),
    author_user_agent: readOnlyField('e', z.string().optional(), 'Browser of the author; never stored'),
    date: field('vem', localDateTime, 'Date of the comment, in site time'),
    date_gmt: field('ve', localDateTime, 'Date of the comment, in UTC'),
    content: renderedText('vem', 'Content'),
    link: readOnlyField('vem', address, 'URL of the comment'),
    status: field('ve', z.string(), 'Status'),
    type: readOnlyField('vem', z.string(), 'Type of comment'),
    author_avatar_urls: readOnlyField(
      'vem',
      z.record(z.string(), z.string()).optional(),
      'Avatar URLs by size in pixels',
    ),
    meta: readOnlyField('ve', looseMap(z.unknown()).optional(), 'Meta fields'),
    _links: links.optional(),
  })
  .meta({ title: 'comment' });

/** `approve` and `approved` are synonyms, in both directions. */
const writtenStatus = z.preprocess((sent) => (sent === 'approve' ? 'approved' : sent), commentStatus);

export const commentBody = writeBody(comment, {
  author: wireInteger(),
  author_email: email,
  author_name: z.string().max(245),
  author_url: homePage,
  content: textInput(MAX_CONTENT_LENGTH),
  date: wireDateTime,
  date_gmt: wireDateTime,
  parent: wireInteger(),
  post: wireInteger(),
  status: writtenStatus,
});

const ids = wireList(wireInteger()).default([]);

const threadPassword = {
  password: z.string().optional().describe('Password of the post, if it is protected'),
};

const commentQuery = pagedQuery.extend({
  after: wireDateTime.optional().describe('Limit to comments after this date'),
  author: ids.describe('Limit to these users; requires moderation rights'),
  author_exclude: ids.describe('Exclude these users; requires moderation rights'),
  author_email: z.email().nullable().default(null).describe('Limit to this e-mail address; requires moderation rights'),
  before: wireDateTime.optional().describe('Limit to comments before this date'),
  order: z.enum(['asc', 'desc']).default('desc').describe('Sort direction'),
  orderby: z
    .enum(['date', 'date_gmt', 'id', 'include', 'post', 'parent', 'type'])
    .default('date_gmt')
    .describe('Sort key'),
  parent: ids.describe('Limit to replies to these comments'),
  parent_exclude: ids.describe('Exclude replies to these comments'),
  post: ids.describe('Limit to these posts'),
  status: z.string().default('approve').describe('Limit to this status, or all; requires moderation rights'),
  type: z.string().default('comment').describe('Limit to this type; requires moderation rights'),
  ...threadPassword,
});

const id = z.object({ id: wireInteger().describe('Id of the comment') });

const WRITE_ERRORS = coreErrors(
  'rest_comment_invalid_author',
  'rest_comment_invalid_status',
  'rest_comment_content_invalid',
  'rest_comment_author_data_required',
  'comment_content_column_length',
);

export const {
  list: listComments,
  get: getComment,
  create: createComment,
  update: updateComment,
  remove: deleteComment,
} = resourceRoutes(
  { path: 'core/v2/comments', params: id, access: 'public', resource: comment },
  {
    list: {
      summary: 'Comments',
      query: commentQuery,
      errors: coreErrors('rest_forbidden_context', 'rest_forbidden_param', 'rest_cannot_read', 'rest_cannot_read_post'),
    },
    get: {
      summary: 'A comment',
      query: itemQuery.extend(threadPassword),
      errors: coreErrors(
        'rest_comment_invalid_id',
        'rest_forbidden_context',
        'rest_cannot_read',
        'rest_cannot_read_post',
      ),
    },
    create: {
      summary: 'Creates a comment',
      body: commentBody,
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
    },
    update: {
      summary: 'Updates a comment',
      // Post and parent can't be changed.
      body: commentBody.omit({ post: true, parent: true }),
      errors: { ...WRITE_ERRORS, ...coreErrors('rest_comment_invalid_id', 'rest_cannot_edit') },
    },
    remove: {
      summary: 'Moves a comment to the trash or deletes it permanently',
      query: deletionQuery,
      // A trashed comment is returned itself.
      response: z.union([deletedResponse(comment), comment]),
      errors: coreErrors('rest_comment_invalid_id', 'rest_cannot_delete', 'rest_already_trashed'),
    },
  },
);

export type CommentStatus = z.infer<typeof commentStatus>;
