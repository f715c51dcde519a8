import { z } from 'zod';
import { route } from '../route.ts';
import { coreErrors } from './errors.ts';
import { wireInteger } from '../wire.ts';
import {
  categoryQuery,
  deletionQuery,
  itemQuery,
  mediaQuery,
  navigationMenuQuery,
  pageQuery,
  postItemQuery,
  postQuery,
  revisionQuery,
  tagQuery,
  userQuery,
} from './collection-query.ts';
import { editBody, MAX_UPLOAD_BYTES, media, mediaBody, postProcessBody, uploadBody } from './media.ts';
import { page, pageBody, post, postBody } from './post.ts';
import { navigationMenu, navigationMenuBody } from './navigation-menu.ts';
import {
  navigationMenuAutosave,
  navigationMenuRevision,
  pageAutosave,
  pageRevision,
  postAutosave,
  postRevision,
} from './revision.ts';
import { status, taxonomy, type } from './site-resources.ts';
import { category, categoryBody, tag, tagBody } from './term.ts';
import { user } from './user.ts';

const id = z.object({ id: wireInteger().meta({ description: 'Id' }) });

const idAndParent = z.object({
  parent: wireInteger().meta({ description: 'Id of the parent item' }),
  id: wireInteger().meta({ description: 'Id' }),
});
/** Named `id` in the path, and `parent` in the index. */
const autosaved = z.object({
  id: wireInteger().meta({ description: 'Id of the parent item', printedAs: 'parent' }),
});
/** Hidden from the arguments in the index. */
const editedId = z.object({ id: wireInteger().meta({ description: 'Id of the image', describedAs: false }) });
const parent = idAndParent.pick({ parent: true });

/** Response to a permanent deletion, with the deleted item. */
export const deletedResponse = <T extends z.ZodType>(previous: T) => z.object({ deleted: z.literal(true), previous });

const LIST_ERRORS = coreErrors(
  'rest_forbidden_context',
  'rest_post_invalid_page_number',
  'rest_orderby_include_missing_include',
  'rest_no_search_term_defined',
);
const ITEM_ERRORS = coreErrors('rest_post_invalid_id', 'rest_forbidden_context', 'rest_post_incorrect_password');

const CREATE_ERRORS = coreErrors(
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
);
const UPDATE_ERRORS = { ...CREATE_ERRORS, ...coreErrors('rest_cannot_edit') };
const DELETE_ERRORS = coreErrors('rest_post_invalid_id', 'rest_cannot_delete', 'rest_already_trashed');
const REVISION_ERRORS = coreErrors(
  'rest_post_invalid_parent',
  'rest_cannot_read',
  'rest_post_invalid_id',
  'rest_revision_parent_id_mismatch',
);
const REVISION_LIST_ERRORS = coreErrors(
  'rest_post_invalid_parent',
  'rest_cannot_read',
  'rest_revision_invalid_page_number',
  'rest_revision_invalid_offset_number',
  'rest_orderby_include_missing_include',
  'rest_no_search_term_defined',
);
const REVISION_DELETE_ERRORS = coreErrors(
  'rest_post_invalid_parent',
  'rest_cannot_delete',
  'rest_post_invalid_id',
  'rest_trash_not_supported',
);
const AUTOSAVE_ERRORS = coreErrors('rest_post_invalid_parent', 'rest_cannot_read', 'rest_post_no_autosave');

/** Definition of a content type for its routes. */
export interface ContentResource<
  P extends string,
  R extends z.ZodObject,
  V extends z.ZodObject,
  A extends z.ZodObject,
  Q extends z.ZodObject,
  I extends z.ZodObject,
  B extends z.ZodObject,
> {
  /** Path of the collection: `core/v2/posts`. */
  path: P;
  /** Names in summaries, for the collection and one item: `Posts`, `a post`. */
  many: string;
  one: string;
  resource: R;
  /** Schemas of revisions and autosaves: see `contentRevision`. */
  revision: V;
  autosave: A;
  /** Parameters of the collection. */
  query: Q;
  /** Parameters of a single item. */
  itemQuery: I;
  /** Writable fields. */
  body: B;
  /** See `RouteDeclaration`. */
  allowsOtherRow?: true;
}

/** Declares the routes of a content type: items, revisions and autosaves. */
export function contentRoutes<
  const P extends string,
  R extends z.ZodObject,
  V extends z.ZodObject,
  A extends z.ZodObject,
  Q extends z.ZodObject,
  I extends z.ZodObject,
  B extends z.ZodObject,
>(kind: ContentResource<P, R, V, A, Q, I, B>) {
  const { path, many, one, resource, revision, autosave, body } = kind;
  const write = { access: 'user', batch: 'v1', body, response: resource } as const;
  const rules = kind.allowsOtherRow ? { allowsOtherRow: kind.allowsOtherRow } : {};
  const revisionRead = { access: 'user', params: idAndParent, query: itemQuery } as const;
  return {
    list: route({
      method: 'GET',
      path,
      summary: many,
      access: 'public',
      batch: 'v1',
      query: kind.query,
      response: z.array(resource),
      errors: LIST_ERRORS,
    }),
    get: route({
      ...rules,
      method: 'GET',
      path: `${path}/<id>`,
      summary: one.replace(/^a/, 'A'),
      access: 'public',
      batch: 'v1',
      params: id,
      query: kind.itemQuery,
      response: resource,
      errors: ITEM_ERRORS,
    }),
    create: route({ ...write, method: 'POST', path, summary: `Creates ${one}`, errors: CREATE_ERRORS }),
    update: route({
      ...write,
      ...rules,
      method: 'POST',
      also: ['PUT', 'PATCH'],
      path: `${path}/<id>`,
      summary: `Updates ${one}`,
      params: id,
      errors: UPDATE_ERRORS,
    }),
    remove: route({
      method: 'DELETE',
      path: `${path}/<id>`,
      summary: `Moves ${one} to the trash or deletes it permanently`,
      access: 'user',
      batch: 'v1',
      params: id,
      query: deletionQuery,
      response: z.union([resource, deletedResponse(resource)]),
      errors: DELETE_ERRORS,
    }),
    listRevisions: route({
      method: 'GET',
      path: `${path}/<parent>/revisions`,
      summary: `Revisions of ${one}`,
      access: 'user',
      params: parent,
      query: revisionQuery,
      response: z.array(revision),
      errors: REVISION_LIST_ERRORS,
    }),
    getRevision: route({
      ...revisionRead,
      method: 'GET',
      path: `${path}/<parent>/revisions/<id>`,
      summary: `A revision of ${one}`,
      response: revision,
      errors: REVISION_ERRORS,
    }),
    removeRevision: route({
      method: 'DELETE',
      path: `${path}/<parent>/revisions/<id>`,
      summary: `Deletes a revision of ${one}`,
      access: 'user',
      params: idAndParent,
      query: deletionQuery,
      response: deletedResponse(revision),
      errors: REVISION_DELETE_ERRORS,
    }),
    listAutosaves: route({
      method: 'GET',
      path: `${path}/<id>/autosaves`,
      summary: `Autosaves of ${one}`,
      access: 'user',
      params: autosaved,
      query: itemQuery,
      response: z.array(autosave),
      errors: AUTOSAVE_ERRORS,
    }),
    saveAutosave: route({
      method: 'POST',
      path: `${path}/<id>/autosaves`,
      summary: `Creates or updates an autosave of ${one}`,
      access: 'user',
      params: autosaved,
      body,
      response: autosave,
      errors: UPDATE_ERRORS,
    }),
    getAutosave: route({
      ...revisionRead,
      method: 'GET',
      path: `${path}/<parent>/autosaves/<id>`,
      summary: `An autosave of ${one}`,
      response: autosave,
      errors: AUTOSAVE_ERRORS,
    }),
  };
}

/** Routes of any content type. */
export type ContentRoutes = ReturnType<
  typeof contentRoutes<
    string,
    z.ZodObject,
    z.ZodObject,
    z.ZodObject,
    typeof navigationMenuQuery,
    typeof itemQuery,
    typeof navigationMenuBody
  >
>;

export const postRoutes = contentRoutes({
  path: 'core/v2/posts',
  many: 'Posts',
  one: 'a post',
  resource: post,
  revision: postRevision,
  autosave: postAutosave,
  query: postQuery,
  itemQuery: postItemQuery,
  body: postBody,
  // Same behaviour as stock servers.
  allowsOtherRow: true,
});
export const {
  list: listPosts,
  get: getPost,
  create: createPost,
  update: updatePost,
  remove: deletePost,
  listRevisions: listPostRevisions,
  getRevision: getPostRevision,
  removeRevision: deletePostRevision,
  listAutosaves: listPostAutosaves,
  saveAutosave: savePostDraft,
  getAutosave: getPostAutosave,
} = postRoutes;

export const pageRoutes = contentRoutes({
  path: 'core/v2/pages',
  many: 'Pages',
  one: 'a page',
  resource: page,
  revision: pageRevision,
  autosave: pageAutosave,
  query: pageQuery,
  itemQuery: postItemQuery,
  body: pageBody,
});
export const { list: listPages, get: getPage, listRevisions: listPageRevisions } = pageRoutes;

/** Navigation menus are stored like pages, but have no excerpt. */
export const navigationMenuRoutes = contentRoutes({
  path: 'core/v2/navigation',
  many: 'Navigation menus',
  one: 'a navigation menu',
  resource: navigationMenu,
  revision: navigationMenuRevision,
  autosave: navigationMenuAutosave,
  query: navigationMenuQuery,
  itemQuery: postItemQuery.omit({ excerpt_length: true }),
  body: navigationMenuBody,
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
  summary: 'A media item',
  access: 'public',
  params: id,
  query: itemQuery,
  response: media,
  errors: ITEM_ERRORS,
});

const MEDIA_WRITE_ERRORS = coreErrors(
  'rest_invalid_author',
  'rest_cannot_edit_others',
  'rest_cannot_edit',
  'rest_cannot_publish',
  'rest_no_featured_media',
);
const UPLOAD_ERRORS = {
  ...MEDIA_WRITE_ERRORS,
  ...coreErrors(
    'rest_post_exists',
    'rest_cannot_create',
    'rest_upload_no_data',
    'rest_upload_no_content_disposition',
    'rest_upload_invalid_disposition',
    'rest_upload_hash_mismatch',
    'rest_upload_sideload_error',
    'rest_upload_unknown_error',
    'rest_upload_image_type_not_supported',
    'rest_upload_image_too_large',
    'rest_invalid_url',
    'http_404',
    'http_request_failed',
  ),
};

export const createMedia = route({
  method: 'POST',
  path: 'core/v2/media',
  summary: 'Uploads a file, or imports an image from a URL',
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
  summary: 'Updates a media item',
  access: 'user',
  params: id,
  body: mediaBody,
  response: media,
  errors: { ...MEDIA_WRITE_ERRORS, ...coreErrors('rest_post_invalid_id') },
});
export const deleteMedia = route({
  method: 'DELETE',
  path: 'core/v2/media/<id>',
  summary: 'Permanently deletes a media item and its files',
  access: 'user',
  params: id,
  query: deletionQuery,
  response: deletedResponse(media),
  errors: coreErrors('rest_post_invalid_id', 'rest_cannot_delete', 'rest_trash_not_supported'),
});
export const postProcessMedia = route({
  method: 'POST',
  path: 'core/v2/media/<id>/post-process',
  summary: 'Generates the missing sizes of an image',
  access: 'user',
  params: id,
  body: postProcessBody,
  response: media,
  errors: coreErrors(
    'rest_post_invalid_id',
    'rest_cannot_edit',
    'rest_upload_image_type_not_supported',
    'rest_upload_image_too_large',
  ),
});
export const editMedia = route({
  method: 'POST',
  path: 'core/v2/media/<id>/edit',
  summary: 'Creates an edited copy of an image',
  access: 'user',
  params: editedId,
  body: editBody,
  response: media,
  errors: coreErrors(
    'rest_cannot_publish',
    'rest_invalid_author',
    'rest_post_invalid_id',
    'rest_cannot_edit_image',
    'rest_cannot_edit',
    'rest_unknown_attachment',
    'rest_image_not_edited',
    'rest_upload_image_type_not_supported',
    'rest_upload_image_too_large',
  ),
});

const TERM_LIST_ERRORS = coreErrors('rest_forbidden_context', 'rest_post_invalid_id');
const TERM_ERRORS = coreErrors('rest_term_invalid', 'rest_forbidden_context');
const TERM_CREATE_ERRORS = coreErrors('rest_cannot_create', 'rest_term_invalid', 'empty_term_name', 'term_exists');
const TERM_UPDATE_ERRORS = coreErrors(
  'rest_cannot_update',
  'rest_term_invalid',
  'empty_term_name',
  'duplicate_term_slug',
);
const TERM_DELETE_ERRORS = coreErrors('rest_cannot_delete', 'rest_term_invalid', 'rest_trash_not_supported');

/** Declares the routes of a taxonomy. @param kind `createBody` is the body with the required fields of a new term */
function termRoutes<
  const P extends string,
  R extends z.ZodObject,
  Q extends z.ZodObject,
  C extends z.ZodObject,
  B extends z.ZodObject,
>(kind: { path: P; many: string; one: string; resource: R; query: Q; createBody: C; body: B }) {
  const { path, many, one, resource } = kind;
  const read = { method: 'GET', access: 'public', batch: 'v1' } as const;
  const write = { access: 'user', batch: 'v1' } as const;
  const item = { path: `${path}/<id>`, params: id } as const;
  return {
    list: route({
      ...read,
      path,
      summary: many,
      query: kind.query,
      response: z.array(resource),
      errors: TERM_LIST_ERRORS,
    }),
    get: route({
      ...read,
      ...item,
      summary: one.replace(/^a/, 'A'),
      query: itemQuery,
      response: resource,
      errors: TERM_ERRORS,
    }),
    create: route({
      ...write,
      method: 'POST',
      path,
      summary: `Creates ${one}`,
      body: kind.createBody,
      response: resource,
      errors: TERM_CREATE_ERRORS,
    }),
    update: route({
      ...write,
      ...item,
      method: 'POST',
      also: ['PUT', 'PATCH'],
      summary: `Updates ${one}`,
      body: kind.body,
      response: resource,
      errors: TERM_UPDATE_ERRORS,
    }),
    remove: route({
      ...write,
      ...item,
      method: 'DELETE',
      summary: `Deletes ${one}`,
      query: deletionQuery,
      response: deletedResponse(resource),
      errors: TERM_DELETE_ERRORS,
    }),
  };
}

export const {
  list: listCategories,
  get: getCategory,
  create: createCategory,
  update: updateCategory,
  remove: deleteCategory,
} = termRoutes({
  path: 'core/v2/categories',
  many: 'Categories',
  one: 'a category',
  resource: category,
  query: categoryQuery,
  createBody: categoryBody.required({ name: true }),
  body: categoryBody,
});

export const {
  list: listTags,
  get: getTag,
  create: createTag,
  update: updateTag,
  remove: deleteTag,
} = termRoutes({
  path: 'core/v2/tags',
  many: 'Tags',
  one: 'a tag',
  resource: tag,
  query: tagQuery,
  createBody: tagBody.required({ name: true }),
  body: tagBody,
});

const USER_ERRORS = coreErrors('rest_user_invalid_id', 'rest_user_cannot_view', 'rest_forbidden_context');
const USER_LIST_ERRORS = coreErrors(
  'rest_user_cannot_view',
  'rest_forbidden_context',
  'rest_forbidden_orderby',
  'rest_forbidden_who',
);

export const listUsers = route({
  method: 'GET',
  path: 'core/v2/users',
  summary: 'Users',
  access: 'public',
  batch: 'v1',
  query: userQuery,
  response: z.array(user),
  errors: USER_LIST_ERRORS,
});
export const getMe = route({
  method: 'GET',
  path: 'core/v2/users/me',
  summary: 'The current user',
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

const slug = z.object({ slug: z.string().meta({ description: 'Slug' }) });

export const listTypes = route({
  method: 'GET',
  path: 'core/v2/types',
  summary: 'Content types',
  access: 'public',
  query: itemQuery,
  response: z.record(z.string(), type),
  errors: coreErrors('rest_cannot_view'),
});
export const getType = route({
  method: 'GET',
  path: 'core/v2/types/<type>',
  summary: 'A content type',
  access: 'public',
  params: z.object({ type: slug.shape.slug }),
  query: itemQuery,
  response: type,
  errors: coreErrors('rest_type_invalid', 'rest_forbidden_context'),
});
export const listStatuses = route({
  method: 'GET',
  path: 'core/v2/statuses',
  summary: 'Post statuses',
  access: 'public',
  query: itemQuery,
  response: z.record(z.string(), status),
  errors: coreErrors('rest_cannot_view'),
});
export const getStatus = route({
  method: 'GET',
  path: 'core/v2/statuses/<status>',
  summary: 'A post status',
  access: 'public',
  params: z.object({ status: slug.shape.slug }),
  query: itemQuery,
  response: status,
  errors: coreErrors('rest_status_invalid', 'rest_cannot_read_status'),
});
export const listTaxonomies = route({
  method: 'GET',
  path: 'core/v2/taxonomies',
  summary: 'Taxonomies',
  access: 'public',
  query: itemQuery.extend({
    type: z.string().optional().meta({ description: 'Limit to taxonomies of this content type' }),
  }),
  response: z.record(z.string(), taxonomy),
  errors: coreErrors('rest_cannot_view'),
});
export const getTaxonomy = route({
  method: 'GET',
  path: 'core/v2/taxonomies/<taxonomy>',
  summary: 'A taxonomy',
  access: 'public',
  params: z.object({ taxonomy: slug.shape.slug }),
  query: itemQuery,
  response: taxonomy,
  errors: coreErrors('rest_taxonomy_invalid', 'rest_forbidden_context'),
});
