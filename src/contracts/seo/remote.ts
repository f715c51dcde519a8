import { z } from 'zod';
import { MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from '../core/index.ts';
import { route } from '../route.ts';
import { wireBoolean, wireInteger, wireText } from '../wire.ts';

const READ = { method: 'GET', access: 'user' } as const;
const WRITE = { method: 'POST', access: 'user' } as const;

const line = (description: string) => wireText(MAX_NAME_LENGTH).meta({ description });
const editor = z.enum(['classic', 'elementor', 'gutenberg']).meta({ description: 'Editor that asks' });

/** A service that writes texts hands over its tokens here, with proof that it was asked to. */
const tokens = z.object({
  access_jwt: wireText(MAX_TEXT_LENGTH).meta({ description: 'Token for access' }),
  refresh_jwt: wireText(MAX_TEXT_LENGTH).meta({ description: 'Token to renew it with' }),
  code_challenge: line('Digest of the code that the service was given'),
  user_id: wireInteger().meta({ description: 'User who asked for the tokens' }),
});
const tokenAnswer = z.union([z.object({ message: z.string(), code_verifier: z.string() }), z.string()]);
const RECEIVE = { method: 'POST', access: 'public', body: tokens, response: tokenAnswer } as const;

export const receiveTextTokens = route({
  ...RECEIVE,
  path: 'seo/v1/ai_generator/callback',
  summary: 'Takes the tokens of a text service that a user has asked for',
});
export const receiveRenewedTextTokens = route({
  ...RECEIVE,
  path: 'seo/v1/ai_generator/refresh_callback',
  summary: 'Takes the renewed tokens of a text service',
});
export const setTextConsent = route({
  ...WRITE,
  path: 'seo/v1/ai_generator/consent',
  summary: 'Grants or revokes that texts are sent to a text service',
  body: z.object({ consent: wireBoolean.meta({ description: 'Whether they may be sent' }) }),
  response: z.string(),
});

/** A failure of a text service, in the words of its clients. */
const textFailure = z.object({ message: z.string(), errorIdentifier: z.string() });

export const suggestTexts = route({
  ...WRITE,
  path: 'seo/v1/ai_generator/get_suggestions',
  summary: 'Titles or descriptions that a text service suggests',
  body: z.object({
    type: z
      .enum([
        'seo-title',
        'meta-description',
        'product-seo-title',
        'product-meta-description',
        'product-taxonomy-seo-title',
        'product-taxonomy-meta-description',
        'taxonomy-seo-title',
        'taxonomy-meta-description',
      ])
      .meta({ description: 'What is wanted' }),
    prompt_content: wireText(MAX_TEXT_LENGTH).meta({ description: 'Text that it is about' }),
    focus_keyphrase: line('Keyphrase'),
    language: line('Language, such as de_DE'),
    platform: z.enum(['Google', 'Facebook', 'Twitter']).meta({ description: 'Where it will be shown' }),
    editor,
  }),
  response: z.union([z.array(z.string()), textFailure]),
});
export const getTextUsage = route({
  ...WRITE,
  path: 'seo/v1/ai_generator/get_usage',
  summary: 'How much of a text service was used this month',
  body: z.object({
    is_woo_product_entity: wireBoolean.default(false).meta({ description: 'Whether products are meant' }),
  }),
  response: z.union([
    z.object({ totalUsed: z.object({ license: z.int(), limit: z.int() }) }),
    z.object({ errorMessage: z.string(), errorIdentifier: z.string(), errorCode: z.int() }),
  ]),
});
export const forgetTextSubscription = route({
  ...WRITE,
  path: 'seo/v1/ai_generator/bust_subscription_cache',
  summary: 'Forgets what is known of the subscription to a text service',
  response: z.string(),
});
export const startFreeTexts = route({
  ...WRITE,
  path: 'seo/v1/ai/free_sparks',
  summary: 'Starts the free trial of a text service',
  response: z.string(),
});

const ofType = { post_type: line('Type of content'), language: line('Language, such as de_DE'), editor };

export const suggestContent = route({
  ...READ,
  path: 'seo/v1/ai_content_planner/get_suggestions',
  summary: 'Content that a text service suggests to write',
  query: z.object(ofType),
  response: z.union([
    z.object({
      suggestions: z.array(
        z.object({
          title: z.string(),
          intent: z.string(),
          explanation: z.string(),
          keyphrase: z.string(),
          meta_description: z.string(),
          category: z.object({ name: z.string(), id: z.int() }),
        }),
      ),
      recent_content: z.array(z.object({ title: z.string(), description: z.string() })),
    }),
    textFailure,
  ]),
});
export const outlineContent = route({
  ...WRITE,
  path: 'seo/v1/ai_content_planner/get_outline',
  summary: 'Outline that a text service makes of a suggestion',
  body: z.object({
    ...ofType,
    title: line('Title'),
    intent: line('What readers look for'),
    explanation: wireText(MAX_TEXT_LENGTH).meta({ description: 'Why it was suggested' }),
    keyphrase: line('Keyphrase'),
    meta_description: line('Description'),
    category: z.object({ name: wireText(MAX_NAME_LENGTH), id: wireInteger() }).meta({ description: 'Category' }),
    recent_content: z
      .array(z.strictObject({ title: z.string().max(500), description: z.string().max(1000) }))
      .max(100)
      .meta({ description: 'Content that is there already' }),
  }),
  response: z.union([
    z.object({
      outline: z.array(z.object({ subheading_text: z.string().nullable(), content_notes: z.array(z.string()) })),
    }),
    textFailure,
  ]),
});

/** A text that is refused without a reason, whatever its type, as servers do that check it themselves. */
const checkedText = (fits: (text: string) => boolean, description: string) =>
  z
    .unknown()
    .refine((sent) => typeof sent === 'string' && sent.length <= MAX_NAME_LENGTH && fits(sent))
    .transform(String)
    .meta({ type: 'string', description });
const notBlank = (text: string) => text.trim() !== '';

export const connectKeywordService = route({
  ...WRITE,
  path: 'seo/v1/keyword_service/authenticate',
  summary: 'Exchanges the code of a keyword service for its tokens',
  body: z.object({ code: checkedText(notBlank, 'Code that the service has given') }),
  response: z.union([
    z.object({ tokens: z.record(z.string(), z.unknown()), status: z.int() }),
    z.object({ tokens: z.array(z.never()), error: z.string(), status: z.int() }),
  ]),
});
export const setKeywordCountry = route({
  ...WRITE,
  path: 'seo/v1/keyword_service/country_code',
  summary: 'Sets the country whose searches keyphrases are measured by',
  body: z.object({ country_code: checkedText((text) => /^[a-z]{2}$/.test(text), 'Country, in two small letters') }),
  response: z.object({ success: z.boolean(), status: z.int(), error: z.string().optional() }),
});
export const listRelatedKeyphrases = route({
  ...READ,
  path: 'seo/v1/keyword_service/related_keyphrases',
  summary: 'Keyphrases that a keyword service finds related',
  query: z.object({
    keyphrase: checkedText(notBlank, 'Keyphrase'),
    country_code: line('Country'),
  }),
  response: z.union([
    z.object({
      results: z.object({ columnNames: z.array(z.string()), rows: z.array(z.array(z.string())) }),
      status: z.int(),
    }),
    z.object({ error: z.string(), status: z.int() }),
  ]),
});

/** How the site is registered with an identity provider. */
const accountStatus = z.object({
  is_provisioned: z.boolean(),
  is_registered: z.boolean(),
  registered_at: z.int().nullable(),
  registered_at_iso: z.string().nullable(),
  redirect_uris: z.array(z.object({ uri: z.string(), origin: z.string(), is_verified: z.boolean() })),
  redirect_uris_match: z.boolean(),
});
export type AccountStatus = z.output<typeof accountStatus>;

/** Every outcome is answered with 200; `error_code` tells failures apart. */
const accountAnswer = z.union([
  z.object({ status: accountStatus, message_key: z.string().optional() }),
  z.object({ error_code: z.string(), status: accountStatus }),
]);

export const getAccountStatus = route({
  ...READ,
  path: 'seo/v1/account/status',
  summary: 'How the site is registered with an identity provider',
  response: accountAnswer,
});
export const refreshAccountStatus = route({
  ...WRITE,
  path: 'seo/v1/account/refresh-status',
  summary: 'Asks the identity provider how the site is registered',
  response: accountAnswer,
});
export const registerAccount = route({
  ...WRITE,
  path: 'seo/v1/account/register',
  summary: 'Registers the site with an identity provider',
  response: accountAnswer,
});
export const updateAccount = route({
  ...WRITE,
  method: 'PUT',
  path: 'seo/v1/account/registration',
  summary: 'Updates the registration of the site',
  response: accountAnswer,
});
export const deleteAccount = route({
  ...WRITE,
  method: 'DELETE',
  path: 'seo/v1/account/registration',
  summary: 'Removes the registration of the site',
  response: accountAnswer,
});
export const authorizeAccount = route({
  ...WRITE,
  path: 'seo/v1/account/authorize',
  summary: 'Address at the identity provider where the caller connects an account',
  body: z.object({ return_url: wireText(MAX_NAME_LENGTH).optional().meta({ description: 'Page to come back to' }) }),
  response: z.union([z.object({ authorize_url: z.string(), status: accountStatus }), accountAnswer]),
});
