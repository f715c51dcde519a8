import { errorPicker } from '../route.ts';
import errors from './errors.json' with { type: 'json' };

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

/** Picks error codes of `core/v2`. */
export const coreErrors = errorPicker({
  ...(errors as Record<keyof typeof errors, number | 'denied'>),
  http_404: [400, 500],
  http_request_failed: [400, 500],
  rest_comment_invalid_author: ['denied', 400],
  rest_comment_invalid_post_id: ['denied', 403],
  rest_post_invalid_id: [404, 400],
  rest_term_invalid: [404, 400],
  rest_upload_sideload_error: [400, 500],
  rest_upload_unknown_error: [400, 500],
});
