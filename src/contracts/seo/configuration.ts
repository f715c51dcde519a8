import { z } from 'zod';
import { MAX_NAME_LENGTH } from '../core/field.ts';
import { route } from '../route.ts';
import { wireBoolean, wireInteger, wireList, wireText } from '../wire.ts';
import { statusResponse, stepName } from './state.ts';

const READ = { method: 'GET', access: 'user' } as const;
const WRITE = { method: 'POST', access: 'user' } as const;

const text = (description: string) => wireText(MAX_NAME_LENGTH).optional().meta({ description });
const id = (description: string) => wireInteger({ minimum: 0 }).optional().meta({ description });

export const setSiteRepresentation = route({
  ...WRITE,
  path: 'seo/v1/configuration/site_representation',
  summary: 'Sets the company or person that the site represents',
  body: z.object({
    company_or_person: z
      .enum(['company', 'person'])
      .meta({ description: 'Whether the site represents a company or a person' }),
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

export const setSocialProfiles = route({
  ...WRITE,
  path: 'seo/v1/configuration/social_profiles',
  summary: 'Sets the social profiles of the site; changes nothing if one is invalid',
  body: z.object({
    facebook_site: text('URL of the Facebook page; an empty text clears it'),
    twitter_site: text('X handle without @, or profile URL; an empty text clears it'),
    other_social_urls: wireList(wireText(MAX_NAME_LENGTH), { most: 50 })
      .optional()
      .meta({ description: 'URLs of other profiles; empty ones are ignored' }),
  }),
  // Failures also return 200; the body reports them.
  response: z.object({ json: statusResponse.extend({ failures: z.array(z.string()).optional() }) }),
});

export const checkCapability = route({
  ...READ,
  path: 'seo/v1/configuration/check_capability',
  summary: 'Checks whether the current user can edit a user; the body has the result',
  query: z.object({ user_id: wireInteger().meta({ description: 'Id of the user' }) }),
  response: z.object({ success: z.boolean(), status: z.int() }),
});

export const enableTracking = route({
  ...WRITE,
  path: 'seo/v1/configuration/enable_tracking',
  summary: 'Enables or disables usage tracking; data stays on the server',
  body: z.object({ tracking: wireBoolean.meta({ description: 'Whether to track usage' }) }),
  response: statusResponse,
});

/** Number of finished steps that completes the first configuration. */
export const FIRST_CONFIGURATION_STEPS = 3;
/** Number of finished steps that completes the task "complete the configuration". */
export const CONFIGURATION_STEPS = 4;

export const saveConfigurationState = route({
  ...WRITE,
  path: 'seo/v1/configuration/save_configuration_state',
  summary: 'Saves the finished configuration steps',
  body: z.object({
    finishedSteps: z
      .preprocess(
        (sent) => (typeof sent === 'string' ? [sent] : sent),
        z.array(z.union([stepName, z.number().transform(String)])).max(100),
      )
      .meta({ description: 'Names of the steps' }),
  }),
  response: statusResponse,
});
export const getConfigurationState = route({
  ...READ,
  path: 'seo/v1/configuration/get_configuration_state',
  summary: 'Finished configuration steps',
  response: statusResponse.extend({ data: z.array(z.string()).optional() }),
});
