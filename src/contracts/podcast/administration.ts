import { z } from 'zod';
import { route, readRoute, updateRoute, writeRoute } from '../route.ts';
import { wireBoolean, wireInteger } from '../wire.ts';
import { okResponse, NOT_FOUND, shortText } from './shared-schemas.ts';

export const clearCaches = route({
  method: 'DELETE',
  path: 'podcast/v2/tools/clear-caches',
  summary: 'Clears caches of feed entries and image sizes',
  access: 'user',
  response: okResponse,
});

export const onboarding = z.object({
  banner_hide: z.boolean(),
  type: z.enum(['start', 'import']).nullable(),
});
export const getOnboarding = readRoute('podcast/v2/admin/onboarding', 'user', {
  summary: 'State of onboarding',
  response: onboarding,
});
export const updateOnboarding = updateRoute('podcast/v2/admin/onboarding', {
  summary: 'Records the state of onboarding',
  body: z.object({
    banner_hide: wireBoolean.optional().describe('Whether the reminder is hidden'),
    type: z.string().optional().describe('`start` or `import`; any other value clears it'),
  }),
  response: okResponse,
});
export const setUpPodcast = updateRoute('podcast/v2/onboarding/setup', {
  summary: 'Enables uploads to the folder of the podcast',
  body: z.object({
    contributor: wireBoolean.optional().describe('Whether episodes have contributors'),
    transcript: wireBoolean.optional().describe('Whether episodes have transcripts'),
  }),
  response: okResponse,
});

/** Services of a podcast host: file storage, and feeds in place of the site's. */
export const hostedFeature = z.enum(['fileStorage', 'feedProxy']);

/** Error without a token of the host. */
const TOKEN_MISSING = { podcast_plus_token_missing: 400 } as const;

export const getHostedFeatures = readRoute('podcast/v2/admin/plus/features', 'user', {
  summary: 'Enabled services of a host; null while undecided',
  response: z.object({ file_storage: z.boolean().nullable(), feed_proxy: z.boolean().nullable() }),
});
export const setHostedFeature = updateRoute('podcast/v2/admin/plus/set_feature', {
  summary: 'Turns a service of a host on or off',
  body: z.object({
    feature: z.string().optional().meta({ enum: hostedFeature.options, description: 'Service' }),
    value: wireBoolean.optional().describe('Whether the service is enabled'),
  }),
  response: z.null(),
  // Unknown services return the code for forbidden, as on other servers.
  errors: { rest_forbidden: ['denied', 400] },
});
export const getHostToken = readRoute('podcast/v2/admin/plus/token', 'user', {
  summary: 'The token of a host',
  response: z.object({ token: z.string() }),
});
export const saveHostToken = updateRoute('podcast/v2/admin/plus/save_token', {
  summary: 'Stores the token of a host; the empty text deletes it',
  body: z.object({ token: shortText.trim().optional().describe('Token') }),
  response: z.object({ success: z.literal(true) }),
});
export const validateHostToken = readRoute('podcast/v2/admin/plus/validate_token', 'user', {
  summary: 'Account of the token at the host; null if the token is missing or rejected',
  response: z.object({ user: z.object({ email: z.string() }).nullable() }),
});
export const listEpisodesToMove = readRoute('podcast/v2/admin/plus/episodes_for_migration', 'user', {
  summary: 'Files of all episodes, with their URLs on the site and at the host',
  response: z.object({
    episodes: z.array(
      z.object({
        episode_title: z.string(),
        files: z.array(z.object({ local_url: z.string(), plus_url: z.string(), filename: z.string() })),
      }),
    ),
  }),
});

const episode_id = wireInteger().describe('Id of the episode');
const filename = shortText.min(1).describe('Name of the file');
const fileRoute = { body: z.object({ filename, episode_id }), errors: { ...NOT_FOUND, ...TOKEN_MISSING } };
/** Response of the host about a file; false if the host is unreachable. */
const hostedFile = z.union([z.record(z.string(), z.unknown()), z.literal(false)]);

export const createHostedUpload = writeRoute('podcast/v2/plus/create_file_upload', {
  ...fileRoute,
  summary: 'Upload URL at the host',
  response: z.union([z.string(), z.literal(false)]),
});
export const findHostedFile = writeRoute('podcast/v2/plus/check_file_exists', {
  ...fileRoute,
  summary: 'Checks whether the host has a file of this name',
  response: z.boolean(),
});
export const completeHostedUpload = writeRoute('podcast/v2/plus/complete_file_upload', {
  ...fileRoute,
  summary: 'Notifies the host that an upload is complete',
  response: hostedFile,
});
export const generateMediaName = writeRoute('podcast/v2/plus/generate_filename', {
  summary: 'Generates the name of an episode file',
  body: z.object({
    original_filename: shortText.min(1).describe('Original name of the file'),
    episode_id,
  }),
  response: z.object({ original_filename: z.string(), generated_filename: z.string(), episode_id: z.int() }),
  errors: NOT_FOUND,
});
export const moveHostedFile = writeRoute('podcast/v2/plus/migrate_file', {
  summary: 'Transfers a file of the site to the host',
  body: z.object({
    filename: filename.optional(),
    file_url: shortText.optional().describe('URL of the file on the site'),
  }),
  response: z.union([z.literal(true), hostedFile]),
  errors: TOKEN_MISSING,
});
export const completeMove = writeRoute('podcast/v2/plus/set_migration_complete', {
  summary: 'Marks the migration to the host as complete; irreversible',
  response: z.object({ success: z.literal(true) }),
});
export const getMoveStatus = readRoute('podcast/v2/plus/get_migration_status', 'user', {
  summary: 'Status of the migration to the host',
  response: z.object({ is_complete: z.boolean() }),
});
