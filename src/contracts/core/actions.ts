/** What a caller may do to a row: listed in its `_links` in the edit context, and in the schema of its kind. */
export interface ResourceAction {
  /** Behind `wp:action-`. */
  name: string;
  title: string;
  /** The fields that it is about, as JSON schemas. */
  fields: Readonly<Record<string, unknown>>;
}

const termIds = { type: 'array', items: { type: 'integer' } };

const PUBLISH: ResourceAction = {
  name: 'publish',
  title: 'Publishing it is allowed',
  fields: { status: { type: 'string', enum: ['publish', 'future'] } },
};
const UNFILTERED_HTML: ResourceAction = {
  name: 'unfiltered-html',
  title: 'Any HTML is kept as it is written, scripts too',
  fields: { content: { raw: { type: 'string' } } },
};
const STICKY: ResourceAction = {
  name: 'sticky',
  title: 'Putting it on top of lists is allowed',
  fields: { sticky: { type: 'boolean' } },
};
const ASSIGN_AUTHOR: ResourceAction = {
  name: 'assign-author',
  title: 'Naming another author is allowed',
  fields: { author: { type: 'integer' } },
};
const termActions = (field: string): ResourceAction[] => [
  { name: `assign-${field}`, title: `Choosing its ${field} is allowed`, fields: { [field]: termIds } },
  { name: `create-${field}`, title: `Making new ${field} is allowed`, fields: { [field]: termIds } },
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
