import { z } from 'zod';
import { route } from '../route.ts';
import { wireInteger } from '../wire.ts';
import {
  categoryQuery,
  itemQuery,
  mediaQuery,
  pageQuery,
  postItemQuery,
  postQuery,
  tagQuery,
  userQuery,
} from './collection-query.ts';
import { media } from './media.ts';
import { page, post } from './post.ts';
import { category, tag } from './term.ts';
import { user } from './user.ts';

const id = z.object({ id: wireInteger().meta({ description: 'Id of the row' }) });

const LIST_ERRORS = [
  'rest_forbidden_context',
  'rest_post_invalid_page_number',
  'rest_orderby_include_missing_include',
  'rest_no_search_term_defined',
] as const;
const ITEM_ERRORS = [
  'rest_post_invalid_id',
  'rest_forbidden',
  'rest_forbidden_context',
  'rest_post_incorrect_password',
] as const;

export const listPosts = route({
  method: 'GET',
  path: 'core/v2/posts',
  summary: 'Posts',
  access: 'public',
  batch: 'v1',
  query: postQuery,
  response: z.array(post),
  errors: LIST_ERRORS,
});
export const getPost = route({
  method: 'GET',
  path: 'core/v2/posts/<id>',
  summary: 'A post',
  access: 'public',
  batch: 'v1',
  params: id,
  query: postItemQuery,
  response: post,
  errors: ITEM_ERRORS,
});

export const listPages = route({
  method: 'GET',
  path: 'core/v2/pages',
  summary: 'Pages',
  access: 'public',
  batch: 'v1',
  query: pageQuery,
  response: z.array(page),
  errors: LIST_ERRORS,
});
export const getPage = route({
  method: 'GET',
  path: 'core/v2/pages/<id>',
  summary: 'A page',
  access: 'public',
  batch: 'v1',
  params: id,
  query: postItemQuery,
  response: page,
  errors: ITEM_ERRORS,
});

export const listMedia = route({
  method: 'GET',
  path: 'core/v2/media',
  summary: 'Media',
  access: 'public',
  query: mediaQuery,
  response: z.array(media),
  errors: LIST_ERRORS,
});
export const getMedia = route({
  method: 'GET',
  path: 'core/v2/media/<id>',
  summary: 'A medium',
  access: 'public',
  params: id,
  query: itemQuery,
  response: media,
  errors: ITEM_ERRORS,
});

const TERM_ERRORS = ['rest_term_invalid', 'rest_forbidden_context'] as const;

export const listCategories = route({
  method: 'GET',
  path: 'core/v2/categories',
  summary: 'Categories',
  access: 'public',
  batch: 'v1',
  query: categoryQuery,
  response: z.array(category),
  errors: TERM_ERRORS,
});
export const getCategory = route({
  method: 'GET',
  path: 'core/v2/categories/<id>',
  summary: 'A category',
  access: 'public',
  batch: 'v1',
  params: id,
  query: itemQuery,
  response: category,
  errors: TERM_ERRORS,
});
export const listTags = route({
  method: 'GET',
  path: 'core/v2/tags',
  summary: 'Tags',
  access: 'public',
  batch: 'v1',
  query: tagQuery,
  response: z.array(tag),
  errors: TERM_ERRORS,
});
export const getTag = route({
  method: 'GET',
  path: 'core/v2/tags/<id>',
  summary: 'A tag',
  access: 'public',
  batch: 'v1',
  params: id,
  query: itemQuery,
  response: tag,
  errors: TERM_ERRORS,
});

const USER_ERRORS = [
  'rest_user_invalid_id',
  'rest_user_cannot_view',
  'rest_forbidden_context',
  'rest_not_logged_in',
] as const;

export const listUsers = route({
  method: 'GET',
  path: 'core/v2/users',
  summary: 'Users',
  access: 'public',
  batch: 'v1',
  query: userQuery,
  response: z.array(user),
  errors: USER_ERRORS,
});
export const getMe = route({
  method: 'GET',
  path: 'core/v2/users/me',
  summary: 'The caller',
  access: 'user',
  query: itemQuery,
  response: user,
  errors: USER_ERRORS,
});
export const getUser = route({
  method: 'GET',
  path: 'core/v2/users/<id>',
  summary: 'A user',
  access: 'public',
  batch: 'v1',
  params: id,
  query: itemQuery,
  response: user,
  errors: USER_ERRORS,
});
