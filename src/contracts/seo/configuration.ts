import { z } from 'zod';
import { MAX_NAME_LENGTH } from '../core/index.ts';
import { route } from '../route.ts';
import { wireBoolean, wireInteger, wireList, wireText } from '../wire.ts';
import { statusAnswer, stepName } from './state.ts';

const READ = { method: 'GET', access: 'user' } as const;
const WRITE = { method: 'POST', access: 'user' } as const;

const text = (description: string) => wireText(MAX_NAME_LENGTH).optional().meta({ description });
const id = (description: string) => wireInteger({ minimum: 0 }).optional().meta({ description });

export const setSiteRepresentation = route({
  ...WRITE,
  path: 'seo/v1/configuration/site_representation',
  summary: 'Sets who the site speaks for',
  body: z.object({
    company_or_person: z
      .enum(['company', 'person'])
      .meta({ description: 'Whether the site is of a company or a person' }),
    company_name: text('Name of the company'),
    website_name: text('Name of the site'),
    company_logo: text('Address of the logo'),
    company_logo_id: id('Media item of the logo'),
    person_logo: text('Address of the picture'),
    person_logo_id: id('Media item of the picture'),
    company_or_person_user_id: id('User that the site is of'),
    description: text('Tagline of the site'),
  }),
  response: statusAnswer.extend({ failures: z.array(z.string()).optional() }),
});

/** What a profile is named by: 1 to 25 letters, without @. */
const HANDLE = /^[A-Za-z0-9_]{1,25}$/;
const PROFILE = /^https?:\/\/(?:www\.)?(?:twitter|x)\.com\/([A-Za-z0-9_]{1,25})\/?$/;

/** The handle of a profile that is given by its handle or its address. */
export function readHandle(sent: string): string | undefined {
  return HANDLE.test(sent) ? sent : PROFILE.exec(sent)?.[1];
}

export const setSocialProfiles = route({
  ...WRITE,
  path: 'seo/v1/configuration/social_profiles',
  summary: 'Sets the profiles of the site in social networks: all of them, or none when one is wrong',
  body: z.object({
    facebook_site: text('Address of the page at Facebook; the empty text clears it'),
    twitter_site: text('Handle at X, without @, or address of the profile; the empty text clears it'),
    other_social_urls: wireList(wireText(MAX_NAME_LENGTH), { most: 50 })
      .optional()
      .meta({ description: 'Addresses of other profiles; empty ones are left out' }),
  }),
  // Failures are answered with 200 as well; only the body tells.
  response: z.object({ json: statusAnswer.extend({ failures: z.array(z.string()).optional() }) }),
});

export const checkCapability = route({
  ...READ,
  path: 'seo/v1/configuration/check_capability',
  summary: 'Whether the caller may edit a user; only the body tells',
  query: z.object({ user_id: wireInteger().meta({ description: 'Id of the user' }) }),
  response: z.object({ success: z.boolean(), status: z.int() }),
});

export const enableTracking = route({
  ...WRITE,
  path: 'seo/v1/configuration/enable_tracking',
  summary: 'Sets whether use is recorded; records stay on the server',
  body: z.object({ tracking: wireBoolean.meta({ description: 'Whether use is recorded' }) }),
  response: statusAnswer,
});

/** Steps of the configuration that are finished. With this many, the first configuration is over. */
export const FIRST_CONFIGURATION_STEPS = 3;
/** With this many, the task "complete the configuration" is done. */
export const CONFIGURATION_STEPS = 4;

export const saveConfigurationState = route({
  ...WRITE,
  path: 'seo/v1/configuration/save_configuration_state',
  summary: 'Stores which steps of the configuration are finished',
  body: z.object({
    finishedSteps: z
      .preprocess(
        (sent) => (typeof sent === 'string' ? [sent] : sent),
        z.array(z.union([stepName, z.number().transform(String)])).max(100),
      )
      .meta({ description: 'Names of the steps' }),
  }),
  response: statusAnswer,
});
export const getConfigurationState = route({
  ...READ,
  path: 'seo/v1/configuration/get_configuration_state',
  summary: 'Which steps of the configuration are finished',
  response: statusAnswer.extend({ data: z.array(z.string()).optional() }),
});
