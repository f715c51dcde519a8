import { z } from 'zod';
import { MAX_NAME_LENGTH } from '../core/field.ts';
import { readRoute, writeRoute } from '../route.ts';
import { MAX_LIST_ITEMS, wireBoolean, wireInteger, wireText, wireList } from '../wire.ts';

/** Reminders that users can dismiss. */
export const ALERTS = ['indexing', 'site-representation', 'descriptions'] as const;
/** Hints that are shown once. */
export const INTRODUCTIONS = ['welcome', 'analysis', 'bulk-editor', 'thumbnails'] as const;
/** First uses of features, stored with the version. The data stays on the server. */
export const TRACKED_ACTIONS = [
  'task_list_first_opened_on',
  'task_first_actioned_on',
  'frontend_inspector_first_actioned_on',
] as const;
/** Integrations that can be enabled. */
export const INTEGRATIONS = ['keyword_service', 'rank_tracker', 'site_search'] as const;

const success = z.object({ success: z.boolean() });
const wrappedSuccess = z.object({ json: success });
/** Result; `error` is the reason of a failure. */
export const statusResponse = z.object({ success: z.boolean(), status: z.int(), error: z.string().optional() });

export const dismissAlert = writeRoute('seo/v1/alerts/dismiss', {
  summary: 'Dismisses a reminder for the current user',
  body: z.object({
    key: z
      .unknown()
      .refine((key) => key !== undefined && key !== null)
      .meta({ type: 'string', description: 'Name of the reminder' }),
  }),
  response: z.object({ success: z.literal(true), status: z.int() }),
});

export const markIntroduction = writeRoute('seo/v1/introductions/<introduction_id>/seen', {
  summary: 'Records whether the current user has seen a hint',
  params: z.object({ introduction_id: z.string().describe('Name of the hint') }),
  body: z.object({ is_seen: wireBoolean.default(true).describe('Whether the hint was seen') }),
  // An unknown hint returns 400 with an empty list.
  response: z.union([wrappedSuccess, z.tuple([])]),
});

export const getVideoPermission = readRoute('seo/v1/video_embed_permission', 'user', {
  summary: 'Whether the current user allows embedded videos',
  response: z.object({ json: z.object({ value: z.boolean() }) }),
});
export const setVideoPermission = writeRoute('seo/v1/video_embed_permission', {
  summary: 'Sets whether the current user allows embedded videos',
  body: z.object({ value: wireBoolean.default(true).describe('Whether to show them') }),
  response: wrappedSuccess,
});

const dismissal = z.object({ is_dismissed: wireBoolean.describe('Whether to hide it permanently') });
export const dismissPlannerBanner = writeRoute('seo/v1/ai_content_planner/banner_permanent_dismissal', {
  summary: 'Hides the banner of the content planner for the current user',
  body: dismissal,
  response: success,
});
export const dismissSiteKit = writeRoute('seo/v1/site_kit_configuration_permanent_dismissal', {
  summary: 'Hides the setup of the site kit for the whole site',
  body: dismissal,
  response: success,
});

/** Setup steps of the site kit, under their declared name -> the name that clients send. */
export const SETUP_STEPS = {
  setup_widget_loaded: 'setupWidgetLoaded',
  setup_widget_temporarily_dismissed: 'setupWidgetTemporarilyDismissed',
  setup_widget_permanently_dismissed: 'setupWidgetPermanentlyDismissed',
  first_interaction_stage: 'firstInteractionStage',
  last_interaction_stage: 'lastInteractionStage',
} as const;
export type SetupStep = keyof typeof SETUP_STEPS;

const yesOrNo = z.enum(['yes', 'no']).optional().describe('Whether the step happened');
const stage = z
  .enum(['install', 'activate', 'setup', 'grantConsent', 'successfullyConnected'])
  .optional()
  .describe('Stage of the setup');

export const trackSetupSteps = writeRoute('seo/v1/setup_steps_tracking', {
  summary: 'Records the progress of the site kit setup; data stays on the server',
  body: z.object({
    setup_widget_loaded: yesOrNo,
    setup_widget_temporarily_dismissed: yesOrNo,
    setup_widget_permanently_dismissed: yesOrNo,
    first_interaction_stage: stage,
    last_interaction_stage: stage,
    setupWidgetLoaded: yesOrNo,
    setupWidgetTemporarilyDismissed: yesOrNo,
    setupWidgetPermanentlyDismissed: yesOrNo,
    firstInteractionStage: stage,
    lastInteractionStage: stage,
  }),
  response: success,
  errors: { seo_set_site_kit_usage_tracking: 400 },
});

const dismissed = z.object({ message: z.string(), success: z.boolean(), status: z.int() });
/** The value is only validated against the kinds of the site. */
const kindName = (what: string) =>
  z
    .unknown()
    .optional()
    .meta({ type: 'string', description: `Name of the ${what}` });

export const dismissNewPostType = writeRoute('seo/v1/new-content-type-visibility/dismiss-post-type', {
  summary: 'Dismisses the notice about a new content type',
  body: z.object({ postTypeName: kindName('type'), post_type_name: kindName('type') }),
  response: dismissed,
});
export const dismissNewTaxonomy = writeRoute('seo/v1/new-content-type-visibility/dismiss-taxonomy', {
  summary: 'Dismisses the notice about a new taxonomy',
  body: z.object({ taxonomyName: kindName('taxonomy'), taxonomy_name: kindName('taxonomy') }),
  response: dismissed,
});

export const trackAction = writeRoute('seo/v1/action_tracking', {
  summary: 'Records the version of the first use of a feature; data stays on the server',
  body: z.object({
    action: z
      .union([z.string(), z.number().transform(String)])
      .meta({ type: 'string', enum: TRACKED_ACTIONS, description: 'Name of the action' }),
  }),
  response: z.union([
    z.object({ success: z.literal(true), action: z.string() }),
    z.object({ success: z.literal(false), error: z.string() }),
  ]),
});

export const setIntegration = writeRoute('seo/v1/integrations/set_active', {
  summary: 'Enables or disables an integration',
  body: z.object({
    active: wireBoolean.describe('Whether the integration is enabled'),
    integration: wireText(MAX_NAME_LENGTH).describe('Name of the integration'),
  }),
  response: z.object({ json: statusResponse }),
});

export const stepName = wireText(200);
const finishedSteps = z.array(stepName).max(100).default([]);
/** An item: its id, or an object with it. Only the id is stored. */
const workoutItem = z.union([z.int(), z.object({ id: z.int() }).transform(({ id }) => id)]);
const workoutItems = z
  .record(stepName, z.array(workoutItem).max(MAX_LIST_ITEMS))
  .refine((steps) => Object.keys(steps).length <= 20);

/** A guided workflow: finished steps, and the items chosen in each step. */
export const workout = z.object({ finishedSteps, indexablesByStep: workoutItems.default({}) });
export const workouts = z.object({
  configuration: z.object({ finishedSteps }).default({ finishedSteps: [] }),
  cornerstone: workout.optional(),
  orphaned: workout.optional(),
});

const WORKOUT = 'State of the workout';
/** Content with its number of incoming links. */
export const linkedItem = z.object({
  id: z.int(),
  type: z.string(),
  title: z.string(),
  url: z.string(),
  incoming_link_count: z.int(),
});
export type LinkedItem = z.output<typeof linkedItem>;

export const getWorkouts = readRoute('seo/v1/workouts', 'user', {
  summary: 'State of the workouts; with `items`, also their content',
  query: z.object({
    items: wireBoolean.default(false).describe('Whether to include cornerstone and orphaned content'),
  }),
  response: z.object({
    json: workouts.extend({
      items: z.object({ cornerstone: z.array(linkedItem), orphaned: z.array(linkedItem) }).optional(),
    }),
  }),
});
export const saveWorkouts = writeRoute('seo/v1/workouts', {
  summary: 'Saves the state of workouts',
  body: z.object({
    configuration: z.object({ finishedSteps }).optional().describe(WORKOUT),
    cornerstone: workout.optional().describe(WORKOUT),
    orphaned: workout.optional().describe(WORKOUT),
  }),
  response: z.object({ json: z.literal(true) }),
});

const word = (description: string) => z.string().describe(description);
export const importSettings = writeRoute('seo/v1/import/<plugin>/<type>', {
  summary: 'Imports a batch of stored settings of another plugin',
  params: z.object({ plugin: word('Source plugin'), type: word('Type of the settings') }),
  response: z.object({
    objects: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown()), z.literal(false)]),
    next_url: z.union([z.string(), z.literal(false)]),
  }),
});

export const listAvailablePosts = readRoute('seo/v1/available_posts', 'user', {
  summary: 'Up to 100 published items of a content type, last changed first',
  query: z.object({
    search: wireText(MAX_NAME_LENGTH).default('').describe('Limit to titles that contain this text'),
    postType: wireText(MAX_NAME_LENGTH).default('page').describe('Type of content'),
  }),
  response: z.union([
    z.array(z.object({ id: z.int(), title: z.string(), slug: z.string() })),
    z.object({ error: z.string() }),
  ]),
});

export const getFileSize = readRoute('seo/v1/file_size', 'user', {
  summary: 'Size of a file of the site in bytes',
  query: z.object({ url: wireText(MAX_NAME_LENGTH).describe('URL of the file') }),
  response: z.union([
    z.object({ type: z.literal('success'), size_in_bytes: z.int() }),
    z.object({ type: z.literal('failure'), response: z.string() }),
  ]),
});

export const searchMeta = readRoute('seo/v1/meta/search', 'user', {
  summary: 'Up to 25 custom fields of a post or page',
  query: z.object({
    post_id: wireInteger().optional().describe('Id of the post or page'),
    query: wireText(MAX_NAME_LENGTH)
      .default('')
      .describe('Limit to names with this prefix; hidden fields start with _'),
  }),
  response: z.object({ meta: z.array(z.object({ key: z.string(), value: z.string() })) }),
  errors: { rest_post_invalid_id: 404 },
});

const response = z.object({
  objects: z.array(z.record(z.string(), z.unknown())).describe('Records that were missing'),
  next_url: z.union([z.string(), z.literal(false)]).describe('URL of the next call, or false at the end'),
});

/** Routes that build missing records, in call order. */
export const INDEXING = (
  [
    ['indexing/prepare', 'Starts to build missing records'],
    ['indexing/terms', 'Builds missing records of terms'],
    ['indexing/posts', 'Builds missing records of content'],
    ['indexing/post-type-archives', 'Builds missing records of archives'],
    ['indexing/general', 'Builds missing records of general pages'],
    ['indexing/indexables-complete', 'Marks all records as built'],
    ['link-indexing/posts', 'Counts links in unprocessed content'],
    ['link-indexing/terms', 'Counts links in unprocessed terms'],
    ['indexing/complete', 'Marks records and links as built'],
  ] as const
).map(([name, summary]) => writeRoute(`seo/v1/${name}`, { summary, errors: { seo_error_indexing: 500 }, response }));

const text = (description: string) => wireText(MAX_NAME_LENGTH).optional().describe(description);
const id = (description: string) => wireInteger({ minimum: 0 }).optional().describe(description);

export const setSiteRepresentation = writeRoute('seo/v1/configuration/site_representation', {
  summary: 'Sets the company or person that the site represents',
  body: z.object({
    company_or_person: z.enum(['company', 'person']).describe('Whether the site represents a company or a person'),
    company_name: text('Name of the company'),
    website_name: text('Name of the site'),
    company_logo: text('URL of the logo'),
    company_logo_id: id('Media item of the logo'),
    person_logo: text('URL of the image'),
    person_logo_id: id('Media item of the image'),
    company_or_person_user_id: id('User that the site represents'),
    description: text('Tagline of the site'),
  }),
  response: statusResponse.extend({ failures: z.array(z.string()).optional() }),
});

/** Handle of a profile: 1 to 25 letters, without @. */
const HANDLE = /^[A-Za-z0-9_]{1,25}$/;
const PROFILE = /^https?:\/\/(?:www\.)?(?:twitter|x)\.com\/([A-Za-z0-9_]{1,25})\/?$/;

/** Extracts the handle from a handle or a profile URL. */
export function parseHandle(sent: string): string | undefined {
  return HANDLE.test(sent) ? sent : PROFILE.exec(sent)?.[1];
}

export const setSocialProfiles = writeRoute('seo/v1/configuration/social_profiles', {
  summary: 'Sets the social profiles of the site; changes nothing if one is invalid',
  body: z.object({
    facebook_site: text('URL of the Facebook page; an empty text clears it'),
    twitter_site: text('X handle without @, or profile URL; an empty text clears it'),
    other_social_urls: wireList(wireText(MAX_NAME_LENGTH), { most: 50 })
      .optional()
      .describe('URLs of other profiles; empty ones are ignored'),
  }),
  // Failures also return 200; the body reports them.
  response: z.object({ json: statusResponse.extend({ failures: z.array(z.string()).optional() }) }),
});

export const checkCapability = readRoute('seo/v1/configuration/check_capability', 'user', {
  summary: 'Checks whether the current user can edit a user; the body has the result',
  query: z.object({ user_id: wireInteger().describe('Id of the user') }),
  response: z.object({ success: z.boolean(), status: z.int() }),
});

export const enableTracking = writeRoute('seo/v1/configuration/enable_tracking', {
  summary: 'Enables or disables usage tracking; data stays on the server',
  body: z.object({ tracking: wireBoolean.describe('Whether to track usage') }),
  response: statusResponse,
});

/** Number of finished steps that completes the first configuration. */
export const FIRST_CONFIGURATION_STEPS = 3;
/** Number of finished steps that completes the task "complete the configuration". */
export const CONFIGURATION_STEPS = 4;

export const saveConfigurationState = writeRoute('seo/v1/configuration/save_configuration_state', {
  summary: 'Saves the finished configuration steps',
  body: z.object({
    finishedSteps: z
      .preprocess(
        (sent) => (typeof sent === 'string' ? [sent] : sent),
        z.array(z.union([stepName, z.number().transform(String)])).max(100),
      )
      .describe('Names of the steps'),
  }),
  response: statusResponse,
});
export const getConfigurationState = readRoute('seo/v1/configuration/get_configuration_state', 'user', {
  summary: 'Finished configuration steps',
  response: statusResponse.extend({ data: z.array(z.string()).optional() }),
});
