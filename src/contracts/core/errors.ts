import { errorPicker } from '../route.ts';

/** An action on a row, listed in its `_links` in the edit context and in the schema of its type. */
export interface ResourceAction {
  /** Name after `wp:action-`. */
  name: string;
  title: string;
  /** Affected fields, as JSON Schemas. */
  fields: Readonly<Record<string, unknown>>;
}

const termIds = { type: 'array', items: { type: 'integer' } };

const PUBLISH: ResourceAction = {
  name: 'publish',
  title: 'The current user can publish this item.',
  fields: { status: { type: 'string', enum: ['publish', 'future'] } },
};
const UNFILTERED_HTML: ResourceAction = {
  name: 'unfiltered-html',
  title: 'The current user can post unfiltered HTML and scripts.',
  fields: { content: { raw: { type: 'string' } } },
};
const STICKY: ResourceAction = {
  name: 'sticky',
  title: 'The current user can make this item sticky.',
  fields: { sticky: { type: 'boolean' } },
};
const ASSIGN_AUTHOR: ResourceAction = {
  name: 'assign-author',
  title: 'The current user can change the author.',
  fields: { author: { type: 'integer' } },
};
const termActions = (field: string): ResourceAction[] => [
  { name: `assign-${field}`, title: `The current user can assign ${field}.`, fields: { [field]: termIds } },
  { name: `create-${field}`, title: `The current user can create ${field}.`, fields: { [field]: termIds } },
];

export const POST_ACTIONS: readonly ResourceAction[] = [
  PUBLISH,
  UNFILTERED_HTML,
  STICKY,
  ASSIGN_AUTHOR,
  ...termActions('categories'),
  ...termActions('tags'),
];
export const PAGE_ACTIONS: readonly ResourceAction[] = [PUBLISH, UNFILTERED_HTML, ASSIGN_AUTHOR];
export const NAVIGATION_MENU_ACTIONS: readonly ResourceAction[] = [PUBLISH, UNFILTERED_HTML];
export const MEDIA_ACTIONS: readonly ResourceAction[] = [UNFILTERED_HTML, ASSIGN_AUTHOR];

/** Error codes of `core/v2`. */
export const coreErrors = errorPicker({
  comment_content_column_length: 400,
  duplicate_term_slug: 400,
  empty_content: 400,
  empty_term_name: 400,
  existing_user_email: 400,
  existing_user_login: 400,
  // Upload errors. The second status is sent under the namespace names of stock servers.
  http_404: [400, 500],
  http_request_failed: [400, 500],
  rest_already_trashed: 410,
  rest_application_password_not_found: 404,
  rest_cannot_assign_sticky: 'denied',
  rest_cannot_assign_term: 'denied',
  rest_cannot_create: 'denied',
  rest_cannot_create_application_passwords: 'denied',
  rest_cannot_create_user: 'denied',
  rest_cannot_delete: 'denied',
  rest_cannot_delete_application_password: 'denied',
  rest_cannot_delete_application_passwords: 'denied',
  rest_cannot_edit: 'denied',
  rest_cannot_edit_application_password: 'denied',
  rest_cannot_edit_image: 'denied',
  rest_cannot_edit_others: 'denied',
  rest_cannot_edit_roles: 'denied',
  rest_cannot_introspect_app_password_for_non_authenticated_user: 'denied',
  rest_cannot_list_application_passwords: 'denied',
  rest_cannot_publish: 'denied',
  rest_cannot_read: 'denied',
  rest_cannot_read_application_password: 'denied',
  rest_cannot_read_post: 'denied',
  rest_cannot_read_status: 'denied',
  rest_cannot_update: 'denied',
  rest_cannot_view: 'denied',
  rest_cannot_view_themes: 'denied',
  rest_comment_author_data_required: 400,
  rest_comment_closed: 'denied',
  rest_comment_content_invalid: 400,
  rest_comment_draft_post: 'denied',
  rest_comment_exists: 400,
  rest_comment_invalid_author: ['denied', 400],
  rest_comment_invalid_id: 404,
  rest_comment_invalid_parent: 400,
  rest_comment_invalid_post_id: ['denied', 403],
  rest_comment_invalid_status: 'denied',
  rest_comment_login_required: 401,
  rest_comment_trash_post: 'denied',
  rest_forbidden_context: 'denied',
  rest_forbidden_orderby: 'denied',
  rest_forbidden_param: 'denied',
  rest_forbidden_who: 'denied',
  rest_icon_collection_not_found: 404,
  rest_icon_not_found: 404,
  rest_image_not_edited: 400,
  rest_invalid_author: 400,
  rest_invalid_field: 400,
  rest_invalid_type: 400,
  rest_invalid_url: 400,
  rest_no_authenticated_app_password: 404,
  rest_no_featured_media: 400,
  rest_no_search_term_defined: 400,
  rest_orderby_include_missing_include: 400,
  rest_post_exists: 400,
  rest_post_incorrect_password: 403,
  rest_post_invalid_id: [404, 400],
  rest_post_invalid_page_number: 400,
  rest_post_invalid_parent: 404,
  rest_post_no_autosave: 404,
  rest_revision_invalid_offset_number: 400,
  rest_revision_invalid_page_number: 400,
  rest_revision_parent_id_mismatch: 404,
  rest_search_invalid_page_number: 400,
  rest_status_invalid: 404,
  rest_taxonomy_invalid: 404,
  rest_term_invalid: [404, 400],
  rest_theme_not_found: 404,
  rest_trash_not_supported: 501,
  rest_type_invalid: 404,
  rest_unknown_attachment: 404,
  rest_upload_hash_mismatch: 412,
  rest_upload_image_too_large: 400,
  rest_upload_image_type_not_supported: 400,
  rest_upload_invalid_disposition: 400,
  rest_upload_no_content_disposition: 400,
  rest_upload_no_data: 400,
  rest_upload_sideload_error: [400, 500],
  rest_upload_unknown_error: [400, 500],
  rest_user_cannot_delete: 'denied',
  rest_user_cannot_view: 'denied',
  rest_user_exists: 400,
  rest_user_invalid_argument: 400,
  rest_user_invalid_email: 400,
  rest_user_invalid_id: 404,
  rest_user_invalid_password: 400,
  rest_user_invalid_reassign: 400,
  rest_user_invalid_role: 400,
  rest_user_invalid_slug: 400,
  rest_user_last_administrator: 409,
  term_exists: 400,
});
