import { z } from 'zod';
import { MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from '../core/write-body.ts';
import { route } from '../route.ts';
import { wireBoolean, wireInteger, wireText } from '../wire.ts';

const READ = { method: 'GET', access: 'user' } as const;
const WRITE = { method: 'POST', access: 'user' } as const;

const line = (description: string) => wireText(MAX_NAME_LENGTH).meta({ description });
const editor = z.enum(['classic', 'elementor', 'gutenberg']).meta({ description: 'Requesting editor' });

/** Callback of a text service with its tokens and the proof of the request. */
const tokens = z.object({
  access_jwt: wireText(MAX_TEXT_LENGTH).meta({ description: 'Access token' }),
  refresh_jwt: wireText(MAX_TEXT_LENGTH).meta({ description: 'Refresh token' }),
  code_challenge: line('Digest of the code verifier'),
  user_id: wireInteger().meta({ description: 'User who requested the tokens' }),
});
const tokenAnswer = z.union([z.object({ message: z.string(), code_verifier: z.string() }), z.string()]);
const RECEIVE = { method: 'POST', access: 'public', body: tokens, response: tokenAnswer } as const;

export const receiveTextTokens = route({
  ...RECEIVE,
  path: 'seo/v1/ai_generator/callback',
  summary: 'Receives requested tokens from a text service',
});
export const receiveRenewedTextTokens = route({
  ...RECEIVE,
  path: 'seo/v1/ai_generator/refresh_callback',
  summary: 'Receives renewed tokens from a text service',
});
export const setTextConsent = route({
  ...WRITE,
  path: 'seo/v1/ai_generator/consent',
  summary: 'Grants or revokes consent to a text service',
  body: z.object({ consent: wireBoolean.meta({ description: 'Whether texts may be sent' }) }),
  response: z.string(),
});

/** Failure of a text service, in the format of its clients. */
const textFailure = z.object({ message: z.string(), errorIdentifier: z.string() });

export const suggestTexts = route({
  ...WRITE,
  path: 'seo/v1/ai_generator/get_suggestions',
  summary: 'Suggests titles or descriptions by a text service',
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
      .meta({ description: 'Type of suggestion' }),
    prompt_content: wireText(MAX_TEXT_LENGTH).meta({ description: 'Text of the content' }),
    focus_keyphrase: line('Keyphrase'),
    language: line('Language, such as de_DE'),
    platform: z.enum(['Google', 'Facebook', 'Twitter']).meta({ description: 'Target platform' }),
    editor,
  }),
  response: z.union([z.array(z.string()), textFailure]),
});
export const getTextUsage = route({
  ...WRITE,
  path: 'seo/v1/ai_generator/get_usage',
  summary: 'Usage of a text service in this month',
  body: z.object({
    is_woo_product_entity: wireBoolean.default(false).meta({ description: 'Whether the usage is for products' }),
  }),
  response: z.union([
    z.object({ totalUsed: z.object({ license: z.int(), limit: z.int() }) }),
    z.object({ errorMessage: z.string(), errorIdentifier: z.string(), errorCode: z.int() }),
  ]),
});
export const clearTextSubscription = route({
  ...WRITE,
  path: 'seo/v1/ai_generator/bust_subscription_cache',
  summary: 'Clears the cached subscription to a text service',
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
  summary: 'Content suggestions of a text service',
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
  summary: 'Outlines a content suggestion by a text service',
  body: z.object({
    ...ofType,
    title: line('Title'),
    intent: line('Search intent'),
    explanation: wireText(MAX_TEXT_LENGTH).meta({ description: 'Reason of the suggestion' }),
    keyphrase: line('Keyphrase'),
    meta_description: line('Description'),
    category: z.object({ name: wireText(MAX_NAME_LENGTH), id: wireInteger() }).meta({ description: 'Category' }),
    recent_content: z
      .array(z.strictObject({ title: z.string().max(500), description: z.string().max(1000) }))
      .max(100)
      .meta({ description: 'Recent content' }),
  }),
  response: z.union([
    z.object({
      outline: z.array(z.object({ subheading_text: z.string().nullable(), content_notes: z.array(z.string()) })),
    }),
    textFailure,
  ]),
});

/** A text with custom validation. Errors have no reason, because other servers check these parameters themselves. */
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
  body: z.object({ code: checkedText(notBlank, 'Authorization code of the service') }),
  response: z.union([
    z.object({ tokens: z.record(z.string(), z.unknown()), status: z.int() }),
    z.object({ tokens: z.array(z.never()), error: z.string(), status: z.int() }),
  ]),
});
export const setKeywordCountry = route({
  ...WRITE,
  path: 'seo/v1/keyword_service/country_code',
  summary: 'Sets the country for keyphrase data',
  body: z.object({
    country_code: checkedText((text) => /^[a-z]{2}$/.test(text), 'Country code, two lower-case letters'),
  }),
  response: z.object({ success: z.boolean(), status: z.int(), error: z.string().optional() }),
});
export const listRelatedKeyphrases = route({
  ...READ,
  path: 'seo/v1/keyword_service/related_keyphrases',
  summary: 'Related keyphrases of a keyword service',
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

/** Registration of the site at an identity provider. */
const accountStatus = z.object({
  is_provisioned: z.boolean(),
  is_registered: z.boolean(),
  registered_at: z.int().nullable(),
  registered_at_iso: z.string().nullable(),
  redirect_uris: z.array(z.object({ uri: z.string(), origin: z.string(), is_verified: z.boolean() })),
  redirect_uris_match: z.boolean(),
});
export type AccountStatus = z.output<typeof accountStatus>;

/** All results return 200; `error_code` identifies failures. */
const accountAnswer = z.union([
  z.object({ status: accountStatus, message_key: z.string().optional() }),
  z.object({ error_code: z.string(), status: accountStatus }),
]);

export const getAccountStatus = route({
  ...READ,
  path: 'seo/v1/account/status',
  summary: 'Registration of the site at an identity provider',
  response: accountAnswer,
});
export const refreshAccountStatus = route({
  ...WRITE,
  path: 'seo/v1/account/refresh-status',
  summary: 'Refreshes the registration from the identity provider',
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
  summary: 'URL at the identity provider for connecting an account',
  body: z.object({ return_url: wireText(MAX_NAME_LENGTH).optional().meta({ description: 'Return URL' }) }),
  response: z.union([z.object({ authorize_url: z.string(), status: accountStatus }), accountAnswer]),
});
