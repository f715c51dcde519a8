import { z } from 'zod';
import { route } from '../route.ts';
import { wireBoolean, wireInteger } from '../wire.ts';
import { done, NOT_FOUND, shortText } from './answers.ts';

const UPDATE = { method: 'POST', also: ['PUT', 'PATCH'], access: 'user' } as const;
const READ = { method: 'GET', access: 'user' } as const;

export const clearCaches = route({
  method: 'DELETE',
  path: 'podcast/v2/tools/clear-caches',
  summary: 'Clears caches made from episodes: entries of feeds and sizes of pictures',
  access: 'user',
  response: done,
});

/** State of onboarding. */
export const onboarding = z.object({
  banner_hide: z.boolean(),
  type: z.enum(['start', 'import']).nullable(),
});
export const getOnboarding = route({
  ...READ,
  path: 'podcast/v2/admin/onboarding',
  summary: 'State of onboarding',
  response: onboarding,
});
export const updateOnboarding = route({
  ...UPDATE,
  path: 'podcast/v2/admin/onboarding',
  summary: 'Records the state of onboarding',
  body: z.object({
    banner_hide: wireBoolean.optional().meta({ description: 'Whether the reminder is hidden' }),
    type: z.string().optional().meta({ description: '`start` or `import`; any other word forgets it' }),
  }),
  response: done,
});
export const setUpPodcast = route({
  ...UPDATE,
  path: 'podcast/v2/onboarding/setup',
  summary: 'Has files uploaded to the folder of the podcast',
  body: z.object({
    contributor: wireBoolean.optional().meta({ description: 'Whether episodes have contributors' }),
    transcript: wireBoolean.optional().meta({ description: 'Whether episodes have transcripts' }),
  }),
  response: done,
});

/** Services of a podcast host: it stores files, and answers feeds in place of the site. */
export const hostedFeature = z.enum(['fileStorage', 'feedProxy']);

/** No host is connected without its token. */
const TOKEN_MISSING = { podcast_plus_token_missing: 400 } as const;

export const getHostedFeatures = route({
  ...READ,
  path: 'podcast/v2/admin/plus/features',
  summary: 'Which services of a host are used; null while undecided',
  response: z.object({ file_storage: z.boolean().nullable(), feed_proxy: z.boolean().nullable() }),
});
export const setHostedFeature = route({
  ...UPDATE,
  path: 'podcast/v2/admin/plus/set_feature',
  summary: 'Turns a service of a host on or off',
  body: z.object({
    feature: z.string().optional().meta({ enum: hostedFeature.options, description: 'Service' }),
    value: wireBoolean.optional().meta({ description: 'Whether it is used' }),
  }),
  response: z.null(),
  // An unknown service is refused with the code for forbidden, as other servers do.
  errors: { rest_forbidden: ['denied', 400] },
});
export const getHostToken = route({
  ...READ,
  path: 'podcast/v2/admin/plus/token',
  summary: 'The token of a host',
  response: z.object({ token: z.string() }),
});
export const saveHostToken = route({
  ...UPDATE,
  path: 'podcast/v2/admin/plus/save_token',
  summary: 'Stores the token of a host; the empty text deletes it',
  body: z.object({ token: shortText.trim().optional().meta({ description: 'Token' }) }),
  response: z.object({ success: z.literal(true) }),
});
export const validateHostToken = route({
  ...READ,
  path: 'podcast/v2/admin/plus/validate_token',
  summary: 'Account of the host that the token belongs to; null when it is missing or refused',
  response: z.object({ user: z.object({ email: z.string() }).nullable() }),
});
export const listEpisodesToMove = route({
  ...READ,
  path: 'podcast/v2/admin/plus/episodes_for_migration',
  summary: 'Files of all episodes, with their addresses here and at a host',
  response: z.object({
    episodes: z.array(
      z.object({
        episode_title: z.string(),
        files: z.array(z.object({ local_url: z.string(), plus_url: z.string(), filename: z.string() })),
      }),
    ),
  }),
});

const episode_id = wireInteger().meta({ description: 'Id of the episode' });
const filename = shortText.min(1).meta({ description: 'Name of the file' });
const ofFile = {
  method: 'POST',
  access: 'user',
  body: z.object({ filename, episode_id }),
  errors: { ...NOT_FOUND, ...TOKEN_MISSING },
} as const;
/** What the host answers about a file; false when it can not be reached. */
const hostedFile = z.union([z.record(z.string(), z.unknown()), z.literal(false)]);

export const createHostedUpload = route({
  ...ofFile,
  path: 'podcast/v2/plus/create_file_upload',
  summary: 'The address at a host to which a file may be sent',
  response: z.union([z.string(), z.literal(false)]),
});
export const findHostedFile = route({
  ...ofFile,
  path: 'podcast/v2/plus/check_file_exists',
  summary: 'Whether a host has a file of this name',
  response: z.boolean(),
});
export const completeHostedUpload = route({
  ...ofFile,
  path: 'podcast/v2/plus/complete_file_upload',
  summary: 'Tells a host that a file is complete',
  response: hostedFile,
});
export const generateMediaName = route({
  method: 'POST',
  path: 'podcast/v2/plus/generate_filename',
  summary: 'The name that a file of an episode has to have',
  access: 'user',
  body: z.object({ original_filename: shortText.min(1).meta({ description: 'Name that the file has' }), episode_id }),
  response: z.object({ original_filename: z.string(), generated_filename: z.string(), episode_id: z.int() }),
  errors: NOT_FOUND,
});
export const moveHostedFile = route({
  method: 'POST',
  path: 'podcast/v2/plus/migrate_file',
  summary: 'Sends a file of the site to a host',
  access: 'user',
  body: z.object({
    filename: filename.optional(),
    file_url: shortText.optional().meta({ description: 'Where the file is; only addresses of the site' }),
  }),
  response: z.union([z.literal(true), hostedFile]),
  errors: TOKEN_MISSING,
});
export const completeMove = route({
  method: 'POST',
  path: 'podcast/v2/plus/set_migration_complete',
  summary: 'Records that all files are at a host; this can not be undone',
  access: 'user',
  response: z.object({ success: z.literal(true) }),
});
export const getMoveStatus = route({
  ...READ,
  path: 'podcast/v2/plus/get_migration_status',
  summary: 'Whether all files are at a host',
  response: z.object({ is_complete: z.boolean() }),
});
