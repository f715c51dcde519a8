import { z } from 'zod';
import { resourceRoutes, type ErrorTable, writeRoute } from '../route.ts';
import { coreErrors } from './errors.ts';
import { deletedResponse } from './field.ts';
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
} from './collection-query.ts';
import { editBody, MAX_UPLOAD_BYTES, media, mediaBody, postProcessBody, uploadBody } from './media.ts';
import {
  page,
  pageBody,
  post,
  postBody,
  contentAutosave,
  contentRevision,
  postRevision,
  revisedExcerpt,
  navigationMenu,
  navigationMenuBody,
} from './post.ts';
import { status, taxonomy, type, category, categoryBody, tag, tagBody } from './site-resources.ts';

const id = z.object({ id: wireInteger().describe('Id') });

const idAndParent = z.object({
  parent: wireInteger().describe('Id of the parent item'),
  id: wireInteger().describe('Id'),
});
/** Named `id` in the path, and `parent` in the index. */
const autosaved = z.object({
  id: wireInteger().meta({ description: 'Id of the parent item', printedAs: 'parent' }),
});
/** Hidden from the arguments in the index. */
const editedId = z.object({ id: wireInteger().meta({ description: 'Id of the image', describedAs: false }) });
const parent = idAndParent.pick({ parent: true });

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

/** Declares the routes of a content type: items, revisions and autosaves. */
export function contentRoutes<
  const P extends string,
  R extends z.ZodObject,
  V extends z.ZodObject,
  Q extends z.ZodObject,
  I extends z.ZodObject,
  B extends z.ZodObject,
>(kind: {
  /** Path of the collection: `core/v2/posts`. */
  path: P;
  /** Names in summaries, for the collection and one item: `Posts`, `a post`. */
  many: string;
  one: string;
  resource: R;
  /** See `contentRevision`. */
  revision: V;
  /** Parameters of the collection. */
  query: Q;
  /** Parameters of a single item. */
  itemQuery: I;
  /** Writable fields. */
  body: B;
  /** See `RouteDeclaration`. */
  allowsOtherRow?: true;
}) {
  const { path, many, one, resource, revision, body } = kind;
  const rules = kind.allowsOtherRow ? { allowsOtherRow: kind.allowsOtherRow } : {};
  const items = resourceRoutes(
    { path, params: id, access: 'public', batch: 'v1', resource },
    {
      list: { summary: many, query: kind.query, errors: LIST_ERRORS },
      get: { ...rules, summary: one.replace(/^a/, 'A'), query: kind.itemQuery, errors: ITEM_ERRORS },
      create: { summary: `Creates ${one}`, body, errors: CREATE_ERRORS },
      update: { ...rules, summary: `Updates ${one}`, body, errors: UPDATE_ERRORS },
      remove: {
        summary: `Moves ${one} to the trash or deletes it permanently`,
        query: deletionQuery,
        response: z.union([resource, deletedResponse(resource)]),
        errors: DELETE_ERRORS,
      },
    },
  );
  const revisions = resourceRoutes(
    { path: `${path}/<parent>/revisions`, params: idAndParent, access: 'user', resource: revision },
    {
      list: { summary: `Revisions of ${one}`, params: parent, query: revisionQuery, errors: REVISION_LIST_ERRORS },
      get: { summary: `A revision of ${one}`, query: itemQuery, errors: REVISION_ERRORS },
      remove: {
        summary: `Deletes a revision of ${one}`,
        query: deletionQuery,
        response: deletedResponse(revision),
        errors: REVISION_DELETE_ERRORS,
      },
    },
  );
  const autosaves = resourceRoutes(
    { path: `${path}/<id>/autosaves`, params: idAndParent, access: 'user', resource: contentAutosave(revision) },
    {
      list: { summary: `Autosaves of ${one}`, params: autosaved, query: itemQuery, errors: AUTOSAVE_ERRORS },
      create: {
        summary: `Creates or updates an autosave of ${one}`,
        params: autosaved,
        body,
        errors: UPDATE_ERRORS,
      },
      get: {
        path: `${path}/<parent>/autosaves/<id>`,
        summary: `An autosave of ${one}`,
        query: itemQuery,
        errors: AUTOSAVE_ERRORS,
      },
    },
  );
  return {
    ...items,
    listRevisions: revisions.list,
    getRevision: revisions.get,
    removeRevision: revisions.remove,
    listAutosaves: autosaves.list,
    saveAutosave: autosaves.create,
    getAutosave: autosaves.get,
  };
}

/** Routes of any content type. */
export type ContentRoutes = ReturnType<
  typeof contentRoutes<
    string,
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
} = postRoutes;

export const pageRoutes = contentRoutes({
  path: 'core/v2/pages',
  many: 'Pages',
  one: 'a page',
  resource: page,
  revision: contentRevision('page', { ...revisedExcerpt, meta: page.shape.meta }),
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
  revision: contentRevision('wp_navigation', {}),
  query: navigationMenuQuery,
  itemQuery: postItemQuery.omit({ excerpt_length: true }),
  body: navigationMenuBody,
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

export const {
  list: listMedia,
  get: getMedia,
  create: createMedia,
  update: updateMedia,
  remove: deleteMedia,
} = resourceRoutes(
  { path: 'core/v2/media', params: id, access: 'public', resource: media },
  {
    list: { summary: 'Media', query: mediaQuery, errors: LIST_ERRORS },
    get: { summary: 'A media item', query: itemQuery, errors: ITEM_ERRORS },
    create: {
      summary: 'Uploads a file, or imports an image from a URL',
      maxUploadBytes: MAX_UPLOAD_BYTES,
      body: uploadBody,
      errors: UPLOAD_ERRORS,
    },
    update: {
      summary: 'Updates a media item',
      body: mediaBody,
      errors: { ...MEDIA_WRITE_ERRORS, ...coreErrors('rest_post_invalid_id') },
    },
    remove: {
      summary: 'Permanently deletes a media item and its files',
      query: deletionQuery,
      response: deletedResponse(media),
      errors: coreErrors('rest_post_invalid_id', 'rest_cannot_delete', 'rest_trash_not_supported'),
    },
  },
);
export const postProcessMedia = writeRoute('core/v2/media/<id>/post-process', {
  summary: 'Generates the missing sizes of an image',
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
export const editMedia = writeRoute('core/v2/media/<id>/edit', {
  summary: 'Creates an edited copy of an image',
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
  const { path, many, one, resource, query, createBody, body } = kind;
  return resourceRoutes(
    { path, params: id, access: 'public', batch: 'v1', resource },
    {
      list: { summary: many, query, errors: TERM_LIST_ERRORS },
      get: { summary: one.replace(/^a/, 'A'), query: itemQuery, errors: TERM_ERRORS },
      create: { summary: `Creates ${one}`, body: createBody, errors: TERM_CREATE_ERRORS },
      update: { summary: `Updates ${one}`, body, errors: TERM_UPDATE_ERRORS },
      remove: {
        summary: `Deletes ${one}`,
        query: deletionQuery,
        response: deletedResponse(resource),
        errors: TERM_DELETE_ERRORS,
      },
    },
  );
}

export const categoryRoutes = termRoutes({
  path: 'core/v2/categories',
  many: 'Categories',
  one: 'a category',
  resource: category,
  query: categoryQuery,
  createBody: categoryBody.required({ name: true }),
  body: categoryBody,
});
export const { list: listCategories, get: getCategory } = categoryRoutes;

export const tagRoutes = termRoutes({
  path: 'core/v2/tags',
  many: 'Tags',
  one: 'a tag',
  resource: tag,
  query: tagQuery,
  createBody: tagBody.required({ name: true }),
  body: tagBody,
});
export const { list: listTags, get: getTag, create: createTag, update: updateTag, remove: deleteTag } = tagRoutes;

/** Declares the routes that list site resources by name, and read one of them. */
function namedRoutes<const N extends string, R extends z.ZodObject, Q extends z.ZodObject, E extends ErrorTable>(kind: {
  path: string;
  /** Name of the path parameter. */
  param: N;
  many: string;
  one: string;
  resource: R;
  query: Q;
  errors: E;
}) {
  const { path, param, many, one, resource, query, errors } = kind;
  const params = z.object({ [param]: z.string().describe('Slug') } as Record<N, z.ZodString>);
  return resourceRoutes(
    { path, params, access: 'public', resource },
    {
      list: { summary: many, query, response: z.record(z.string(), resource), errors: coreErrors('rest_cannot_view') },
      get: { summary: one, query: itemQuery, errors },
    },
  );
}

export const { list: listTypes, get: getType } = namedRoutes({
  path: 'core/v2/types',
  param: 'type',
  many: 'Content types',
  one: 'A content type',
  resource: type,
  query: itemQuery,
  errors: coreErrors('rest_type_invalid', 'rest_forbidden_context'),
});
export const { list: listStatuses, get: getStatus } = namedRoutes({
  path: 'core/v2/statuses',
  param: 'status',
  many: 'Post statuses',
  one: 'A post status',
  resource: status,
  query: itemQuery,
  errors: coreErrors('rest_status_invalid', 'rest_cannot_read_status'),
});
export const { list: listTaxonomies, get: getTaxonomy } = namedRoutes({
  path: 'core/v2/taxonomies',
  param: 'taxonomy',
  many: 'Taxonomies',
  one: 'A taxonomy',
  resource: taxonomy,
  query: itemQuery.extend({
    type: z.string().optional().describe('Limit to taxonomies of this content type'),
  }),
  errors: coreErrors('rest_taxonomy_invalid', 'rest_forbidden_context'),
});
