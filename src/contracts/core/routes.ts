import { z } from 'zod';
import { route } from '../route.ts';
import { wireInteger } from '../wire.ts';
import {
  categoryQuery,
  deletionQuery,
  itemQuery,
  mediaQuery,
  pageQuery,
  postItemQuery,
  postQuery,
  revisionQuery,
  tagQuery,
  userQuery,
} from './collection-query.ts';
import { editBody, MAX_UPLOAD_BYTES, media, mediaBody, postProcessBody, uploadBody } from './media.ts';
import { page, pageBody, post, postBody } from './post.ts';
import { pageAutosave, pageRevision, postAutosave, postRevision } from './revision.ts';
import { settings, status, taxonomy, type } from './site-resources.ts';
import { category, categoryBody, tag, tagBody } from './term.ts';
import { user } from './user.ts';

const id = z.object({ id: wireInteger().meta({ description: 'Id of the row' }) });

const idAndParent = z.object({
  parent: wireInteger().meta({ description: 'Id of what it is a state of' }),
  id: wireInteger().meta({ description: 'Id of the row' }),
});
/** In the path it is the id of what is saved; the index calls it the parent of what is kept. */
const autosaved = z.object({
  id: wireInteger().meta({ description: 'Id of what it is a state of', printedAs: 'parent' }),
});
/** Not among the arguments that the index prints. */
const editedId = z.object({ id: wireInteger().meta({ description: 'Id of the picture', describedAs: false }) });
const parent = idAndParent.pick({ parent: true });

/** Gone for good, with how it was. */
export const deleted = <T extends z.ZodType>(previous: T) => z.object({ deleted: z.literal(true), previous });

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

const CREATE_ERRORS = [
  'rest_post_exists',
  'rest_cannot_create',
  'rest_cannot_edit_others',
  'rest_cannot_assign_sticky',
  'rest_cannot_assign_term',
  'rest_cannot_publish',
  'rest_invalid_author',
  'rest_invalid_field',
  'rest_invalid_type',
  'rest_post_invalid_id',
  'empty_content',
] as const;
const UPDATE_ERRORS = [...CREATE_ERRORS, 'rest_cannot_edit'] as const;
const DELETE_ERRORS = ['rest_post_invalid_id', 'rest_cannot_delete', 'rest_already_trashed'] as const;
const REVISION_ERRORS = [
  'rest_post_invalid_parent',
  'rest_cannot_read',
  'rest_post_invalid_id',
  'rest_revision_parent_id_mismatch',
] as const;
const REVISION_LIST_ERRORS = [
  'rest_post_invalid_parent',
  'rest_cannot_read',
  'rest_revision_invalid_page_number',
  'rest_revision_invalid_offset_number',
  'rest_orderby_include_missing_include',
  'rest_no_search_term_defined',
] as const;
const REVISION_DELETE_ERRORS = [
  'rest_post_invalid_parent',
  'rest_cannot_delete',
  'rest_post_invalid_id',
  'rest_trash_not_supported',
] as const;
const AUTOSAVE_ERRORS = ['rest_post_invalid_parent', 'rest_cannot_read', 'rest_post_no_autosave'] as const;

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

export const createPost = route({
  method: 'POST',
  path: 'core/v2/posts',
  summary: 'Writes a new post',
  access: 'user',
  batch: 'v1',
  body: postBody,
  response: post,
  errors: CREATE_ERRORS,
});
export const updatePost = route({
  method: 'POST',
  also: ['PUT', 'PATCH'],
  path: 'core/v2/posts/<id>',
  summary: 'Changes what is sent of a post',
  access: 'user',
  batch: 'v1',
  params: id,
  body: postBody,
  response: post,
  errors: UPDATE_ERRORS,
});
export const deletePost = route({
  method: 'DELETE',
  path: 'core/v2/posts/<id>',
  summary: 'Moves a post to the trash, or deletes it for good',
  access: 'user',
  batch: 'v1',
  params: id,
  query: deletionQuery,
  response: z.union([post, deleted(post)]),
  errors: DELETE_ERRORS,
});

export const listPostRevisions = route({
  method: 'GET',
  path: 'core/v2/posts/<parent>/revisions',
  summary: 'States a post was in',
  access: 'user',
  params: parent,
  query: revisionQuery,
  response: z.array(postRevision),
  errors: REVISION_LIST_ERRORS,
});
export const getPostRevision = route({
  method: 'GET',
  path: 'core/v2/posts/<parent>/revisions/<id>',
  summary: 'A state a post was in',
  access: 'user',
  params: idAndParent,
  query: itemQuery,
  response: postRevision,
  errors: REVISION_ERRORS,
});
export const deletePostRevision = route({
  method: 'DELETE',
  path: 'core/v2/posts/<parent>/revisions/<id>',
  summary: 'Forgets a state a post was in',
  access: 'user',
  params: idAndParent,
  query: deletionQuery,
  response: deleted(postRevision),
  errors: REVISION_DELETE_ERRORS,
});

export const listPostAutosaves = route({
  method: 'GET',
  path: 'core/v2/posts/<id>/autosaves',
  summary: 'What users have typed into a post and not saved yet',
  access: 'user',
  params: autosaved,
  query: itemQuery,
  response: z.array(postAutosave),
  errors: AUTOSAVE_ERRORS,
});
export const savePostDraft = route({
  method: 'POST',
  path: 'core/v2/posts/<id>/autosaves',
  summary: 'Keeps what a user has typed into a post',
  access: 'user',
  params: autosaved,
  body: postBody,
  response: postAutosave,
  errors: UPDATE_ERRORS,
});
export const getPostAutosave = route({
  method: 'GET',
  path: 'core/v2/posts/<parent>/autosaves/<id>',
  summary: 'The newest autosave of a post',
  access: 'user',
  params: idAndParent,
  query: itemQuery,
  response: postAutosave,
  errors: AUTOSAVE_ERRORS,
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

export const createPage = route({
  method: 'POST',
  path: 'core/v2/pages',
  summary: 'Writes a new page',
  access: 'user',
  batch: 'v1',
  body: pageBody,
  response: page,
  errors: CREATE_ERRORS,
});
export const updatePage = route({
  method: 'POST',
  also: ['PUT', 'PATCH'],
  path: 'core/v2/pages/<id>',
  summary: 'Changes what is sent of a page',
  access: 'user',
  batch: 'v1',
  params: id,
  body: pageBody,
  response: page,
  errors: UPDATE_ERRORS,
});
export const deletePage = route({
  method: 'DELETE',
  path: 'core/v2/pages/<id>',
  summary: 'Moves a page to the trash, or deletes it for good',
  access: 'user',
  batch: 'v1',
  params: id,
  query: deletionQuery,
  response: z.union([page, deleted(page)]),
  errors: DELETE_ERRORS,
});

export const listPageRevisions = route({
  method: 'GET',
  path: 'core/v2/pages/<parent>/revisions',
  summary: 'States a page was in',
  access: 'user',
  params: parent,
  query: revisionQuery,
  response: z.array(pageRevision),
  errors: REVISION_LIST_ERRORS,
});
export const getPageRevision = route({
  method: 'GET',
  path: 'core/v2/pages/<parent>/revisions/<id>',
  summary: 'A state a page was in',
  access: 'user',
  params: idAndParent,
  query: itemQuery,
  response: pageRevision,
  errors: REVISION_ERRORS,
});
export const deletePageRevision = route({
  method: 'DELETE',
  path: 'core/v2/pages/<parent>/revisions/<id>',
  summary: 'Forgets a state a page was in',
  access: 'user',
  params: idAndParent,
  query: deletionQuery,
  response: deleted(pageRevision),
  errors: REVISION_DELETE_ERRORS,
});

export const listPageAutosaves = route({
  method: 'GET',
  path: 'core/v2/pages/<id>/autosaves',
  summary: 'What users have typed into a page and not saved yet',
  access: 'user',
  params: autosaved,
  query: itemQuery,
  response: z.array(pageAutosave),
  errors: AUTOSAVE_ERRORS,
});
export const savePageDraft = route({
  method: 'POST',
  path: 'core/v2/pages/<id>/autosaves',
  summary: 'Keeps what a user has typed into a page',
  access: 'user',
  params: autosaved,
  body: pageBody,
  response: pageAutosave,
  errors: UPDATE_ERRORS,
});
export const getPageAutosave = route({
  method: 'GET',
  path: 'core/v2/pages/<parent>/autosaves/<id>',
  summary: 'The newest autosave of a page',
  access: 'user',
  params: idAndParent,
  query: itemQuery,
  response: pageAutosave,
  errors: AUTOSAVE_ERRORS,
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

const MEDIA_WRITE_ERRORS = [
  'rest_invalid_author',
  'rest_cannot_edit_others',
  'rest_cannot_edit',
  'rest_cannot_publish',
  'rest_no_featured_media',
] as const;
const UPLOAD_ERRORS = [
  ...MEDIA_WRITE_ERRORS,
  'rest_post_exists',
  'rest_cannot_create',
  'rest_upload_no_data',
  'rest_upload_no_content_disposition',
  'rest_upload_invalid_disposition',
  'rest_upload_hash_mismatch',
  'rest_upload_file_too_big',
  'rest_upload_sideload_error',
  'rest_upload_unknown_error',
  'rest_upload_image_type_not_supported',
  'rest_upload_image_too_large',
  'rest_invalid_url',
  'http_404',
  'http_request_failed',
] as const;

export const createMedia = route({
  method: 'POST',
  path: 'core/v2/media',
  summary: 'Takes a file, or a picture at an address',
  access: 'user',
  maxUploadBytes: MAX_UPLOAD_BYTES,
  body: uploadBody,
  response: media,
  errors: UPLOAD_ERRORS,
});
export const updateMedia = route({
  method: 'POST',
  also: ['PUT', 'PATCH'],
  path: 'core/v2/media/<id>',
  summary: 'Changes what is sent of a medium',
  access: 'user',
  params: id,
  body: mediaBody,
  response: media,
  errors: [...MEDIA_WRITE_ERRORS, 'rest_post_invalid_id'],
});
export const deleteMedia = route({
  method: 'DELETE',
  path: 'core/v2/media/<id>',
  summary: 'Deletes a medium and its files for good',
  access: 'user',
  params: id,
  query: deletionQuery,
  response: deleted(media),
  errors: ['rest_post_invalid_id', 'rest_cannot_delete', 'rest_trash_not_supported'],
});
export const postProcessMedia = route({
  method: 'POST',
  path: 'core/v2/media/<id>/post-process',
  summary: 'Makes the sizes that a picture lacks',
  access: 'user',
  params: id,
  body: postProcessBody,
  response: media,
  errors: ['rest_post_invalid_id', 'rest_cannot_edit'],
});
export const editMedia = route({
  method: 'POST',
  path: 'core/v2/media/<id>/edit',
  summary: 'Makes a new picture of an existing one',
  access: 'user',
  params: editedId,
  body: editBody,
  response: media,
  errors: [
    'rest_post_invalid_id',
    'rest_cannot_edit_image',
    'rest_cannot_edit',
    'rest_unknown_attachment',
    'rest_image_not_edited',
    'rest_upload_image_type_not_supported',
    'rest_upload_image_too_large',
  ],
});

const TERM_ERRORS = ['rest_term_invalid', 'rest_forbidden_context'] as const;
const TERM_CREATE_ERRORS = ['rest_cannot_create', 'rest_term_invalid', 'empty_term_name', 'term_exists'] as const;
const TERM_UPDATE_ERRORS = [
  'rest_cannot_update',
  'rest_term_invalid',
  'empty_term_name',
  'duplicate_term_slug',
] as const;
const TERM_DELETE_ERRORS = ['rest_cannot_delete', 'rest_term_invalid', 'rest_trash_not_supported'] as const;

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
export const createCategory = route({
  method: 'POST',
  path: 'core/v2/categories',
  summary: 'Adds a category',
  access: 'user',
  batch: 'v1',
  body: categoryBody.required({ name: true }),
  response: category,
  errors: TERM_CREATE_ERRORS,
});
export const updateCategory = route({
  method: 'POST',
  also: ['PUT', 'PATCH'],
  path: 'core/v2/categories/<id>',
  summary: 'Changes what is sent of a category',
  access: 'user',
  batch: 'v1',
  params: id,
  body: categoryBody,
  response: category,
  errors: TERM_UPDATE_ERRORS,
});
export const deleteCategory = route({
  method: 'DELETE',
  path: 'core/v2/categories/<id>',
  summary: 'Deletes a category',
  access: 'user',
  batch: 'v1',
  params: id,
  query: deletionQuery,
  response: deleted(category),
  errors: TERM_DELETE_ERRORS,
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
export const createTag = route({
  method: 'POST',
  path: 'core/v2/tags',
  summary: 'Adds a tag',
  access: 'user',
  batch: 'v1',
  body: tagBody.required({ name: true }),
  response: tag,
  errors: TERM_CREATE_ERRORS,
});
export const updateTag = route({
  method: 'POST',
  also: ['PUT', 'PATCH'],
  path: 'core/v2/tags/<id>',
  summary: 'Changes what is sent of a tag',
  access: 'user',
  batch: 'v1',
  params: id,
  body: tagBody,
  response: tag,
  errors: TERM_UPDATE_ERRORS,
});
export const deleteTag = route({
  method: 'DELETE',
  path: 'core/v2/tags/<id>',
  summary: 'Deletes a tag',
  access: 'user',
  batch: 'v1',
  params: id,
  query: deletionQuery,
  response: deleted(tag),
  errors: TERM_DELETE_ERRORS,
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

const slug = z.object({ slug: z.string().meta({ description: 'Name of it' }) });

export const listTypes = route({
  method: 'GET',
  path: 'core/v2/types',
  summary: 'Kinds of content',
  access: 'public',
  query: itemQuery,
  response: z.record(z.string(), type),
  errors: ['rest_cannot_view'],
});
export const getType = route({
  method: 'GET',
  path: 'core/v2/types/<type>',
  summary: 'A kind of content',
  access: 'public',
  params: z.object({ type: slug.shape.slug }),
  query: itemQuery,
  response: type,
  errors: ['rest_type_invalid', 'rest_forbidden_context'],
});
export const listStatuses = route({
  method: 'GET',
  path: 'core/v2/statuses',
  summary: 'Statuses of content',
  access: 'public',
  query: itemQuery,
  response: z.record(z.string(), status),
  errors: ['rest_cannot_view'],
});
export const getStatus = route({
  method: 'GET',
  path: 'core/v2/statuses/<status>',
  summary: 'A status of content',
  access: 'public',
  params: z.object({ status: slug.shape.slug }),
  query: itemQuery,
  response: status,
  errors: ['rest_status_invalid', 'rest_cannot_read_status'],
});
export const listTaxonomies = route({
  method: 'GET',
  path: 'core/v2/taxonomies',
  summary: 'Kinds of terms',
  access: 'public',
  query: itemQuery.extend({
    type: z.string().optional().meta({ description: 'Only those of this kind of content' }),
  }),
  response: z.record(z.string(), taxonomy),
  errors: ['rest_cannot_view'],
});
export const getTaxonomy = route({
  method: 'GET',
  path: 'core/v2/taxonomies/<taxonomy>',
  summary: 'A kind of terms',
  access: 'public',
  params: z.object({ taxonomy: slug.shape.slug }),
  query: itemQuery,
  response: taxonomy,
  errors: ['rest_taxonomy_invalid', 'rest_forbidden_context'],
});
export const getSettings = route({
  method: 'GET',
  path: 'core/v2/settings',
  summary: 'Settings of the site',
  access: 'user',
  response: settings,
  errors: ['rest_forbidden'],
});
