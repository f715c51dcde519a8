import { z } from 'zod';
import { route } from '../route.ts';
import { wireInteger, wireList } from '../wire.ts';
import { itemQuery, pagedQuery } from './collection-query.ts';
import { address, field, links, localDateTime, renderedText } from './field.ts';

const readOnly = true;
const moment = (description: string) => field('vem', localDateTime, { description, readOnly });

/** What a reader has written below a post. */
export const comment = z
  .object({
    id: field('vem', z.int(), { description: 'Id of the comment', readOnly }),
    post: field('ve', z.int(), { description: 'Id of what it is about', readOnly }),
    parent: field('vem', z.int(), { description: 'Id of the comment it answers, 0 for none', readOnly }),
    author: field('vem', z.int(), { description: 'Id of the user who wrote it, 0 for others', readOnly }),
    author_name: field('vem', z.string(), { description: 'Name of who wrote it', readOnly }),
    author_url: field('vem', z.string(), { description: 'Home page of who wrote it', readOnly }),
    date: moment('When it was written, by the clock of the site'),
    date_gmt: field('ve', localDateTime, { description: 'The same in UTC', readOnly }),
    content: renderedText('vem', 'What was written'),
    link: field('vem', address, { description: 'Address of it', readOnly }),
    status: field('ve', z.string(), { description: 'Whether it is shown', readOnly }),
    type: field('vem', z.string(), { description: 'Kind of comment', readOnly }),
    _links: links.optional(),
  })
  .meta({ title: 'comment' });

const ids = wireList(wireInteger());

export const listComments = route({
  method: 'GET',
  path: 'core/v2/comments',
  summary: 'Comments',
  access: 'public',
  query: pagedQuery.extend({
    order: z.enum(['asc', 'desc']).default('desc').meta({ description: 'Direction of the order' }),
    orderby: z
      .enum(['date', 'date_gmt', 'id', 'include', 'post', 'parent', 'type'])
      .default('date_gmt')
      .meta({ description: 'What the list is ordered by' }),
    parent: ids.default([]).meta({ description: 'Only answers to these comments' }),
    post: ids.default([]).meta({ description: 'Only about these posts' }),
  }),
  response: z.array(comment),
  errors: ['rest_forbidden_context', 'rest_cannot_read', 'rest_cannot_read_post'],
});
export const getComment = route({
  method: 'GET',
  path: 'core/v2/comments/<id>',
  summary: 'A comment',
  access: 'public',
  params: z.object({ id: wireInteger().meta({ description: 'Id of the comment' }) }),
  query: itemQuery,
  response: comment,
  errors: ['rest_comment_invalid_id', 'rest_forbidden_context'],
});
