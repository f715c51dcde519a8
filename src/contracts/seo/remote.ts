import { z } from 'zod';
import { MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from '../core/field.ts';
import { type RouteDeclaration, writeRoute } from '../route.ts';
import { wireBoolean, wireInteger, wireText } from '../wire.ts';

const READ = { method: 'GET', access: 'user' } as const;
const WRITE = { method: 'POST', access: 'user' } as const;

const line = (description: string) => wireText(MAX_NAME_LENGTH).describe(description);
const editor = z.enum(['classic', 'elementor', 'gutenberg']).describe('Requesting editor');
/** A text with custom validation. Errors have no reason, because other servers check these parameters themselves. */
const checkedText = (fits: (text: string) => boolean, description: string) =>
  z
    .unknown()
    .refine((sent) => typeof sent === 'string' && sent.length <= MAX_NAME_LENGTH && fits(sent))
    .transform(String)
    .meta({ type: 'string', description });
const notBlank = (text: string) => text.trim() !== '';

export const setTextConsent = writeRoute('seo/v1/ai_generator/consent', {
  summary: 'Grants or revokes consent to a text service',
  body: z.object({ consent: wireBoolean.describe('Whether texts may be sent') }),
  response: z.string(),
});
export const setKeywordCountry = writeRoute('seo/v1/keyword_service/country_code', {
  summary: 'Sets the country for keyphrase data',
  body: z.object({
    country_code: checkedText((text) => /^[a-z]{2}$/.test(text), 'Country code, two lower-case letters'),
  }),
  response: z.object({ success: z.boolean(), status: z.int(), error: z.string().optional() }),
});

/** A route of a remote service, with its response while no service is connected. */
export interface RemoteRoute extends RouteDeclaration {
  /** Callers: the service itself, writers, writers of the type in `post_type`, or managers. */
  rights: 'service' | 'writers' | 'type' | 'keyphrases' | 'managers';
  status: number;
  answer: unknown;
}

export const NO_TEXT_SERVICE = 'No text generation service is connected to this site.';
const error = 'No keyword service is connected to this site.';
/** HTTP status "Not Implemented": clients should not retry. */
export const UNSUPPORTED = 501;
/** Failure of a text service, in the format of its clients. */
const failure = { errorIdentifier: z.string() };
const errorIdentifier = 'OAUTH_TOKEN_UNAVAILABLE';
const NO_TEXTS = {
  response: z.object({ ...failure, message: z.string() }),
  status: UNSUPPORTED,
  answer: { message: NO_TEXT_SERVICE, errorIdentifier },
};

/** Callbacks with tokens and the proof of the request. This server never requests any. */
const RECEIVE = {
  method: 'POST',
  access: 'public',
  rights: 'service',
  body: z.object({
    access_jwt: wireText(MAX_TEXT_LENGTH).describe('Access token'),
    refresh_jwt: wireText(MAX_TEXT_LENGTH).describe('Refresh token'),
    code_challenge: line('Digest of the code verifier'),
    user_id: wireInteger().describe('User who requested the tokens'),
  }),
  response: z.string(),
  status: 401,
  answer: 'These tokens were not requested.',
} as const;

const SUBJECTS = ['', 'product-', 'product-taxonomy-', 'taxonomy-'] as const;
const suggestion = z.enum(
  SUBJECTS.flatMap((subject) => [`${subject}seo-title`, `${subject}meta-description`] as const),
);
const ofType = { post_type: line('Type of content'), language: line('Language, such as de_DE'), editor };

/** Registration of the site at an identity provider. All results return 200; `error_code` identifies failures. */
const accountResponse = z.object({
  message_key: z.string().optional(),
  error_code: z.string().optional(),
  status: z.object({
    is_provisioned: z.boolean(),
    is_registered: z.boolean(),
    registered_at: z.int().nullable(),
    registered_at_iso: z.string().nullable(),
    redirect_uris: z.array(z.object({ uri: z.string(), origin: z.string(), is_verified: z.boolean() })),
    redirect_uris_match: z.boolean(),
  }),
});
const account = (method: RouteDeclaration['method'], path: string, summary: string, answer: object = {}) => {
  const unregistered = { is_provisioned: false, is_registered: false, registered_at: null, registered_at_iso: null };
  const status = { ...unregistered, redirect_uris: [], redirect_uris_match: true };
  const rights = { access: 'user', rights: 'managers' } as const;
  const response = { response: accountResponse, status: 200, answer: { ...answer, status } };
  return { method, path: `seo/v1/account/${path}`, summary, ...rights, ...response };
};

/** Routes of remote services for texts, keyphrases and accounts. */
export const REMOTE_ROUTES: readonly RemoteRoute[] = [
  { ...RECEIVE, path: 'seo/v1/ai_generator/callback', summary: 'Receives requested tokens from a text service' },
  { ...RECEIVE, path: 'seo/v1/ai_generator/refresh_callback', summary: 'Receives renewed tokens from a text service' },
  {
    ...WRITE,
    ...NO_TEXTS,
    path: 'seo/v1/ai_generator/get_suggestions',
    summary: 'Suggests titles or descriptions by a text service',
    body: z.object({
      type: suggestion.describe('Type of suggestion'),
      prompt_content: wireText(MAX_TEXT_LENGTH).describe('Text of the content'),
      focus_keyphrase: line('Keyphrase'),
      language: line('Language, such as de_DE'),
      platform: z.enum(['Google', 'Facebook', 'Twitter']).describe('Target platform'),
      editor,
    }),
    rights: 'writers',
  },
  {
    ...WRITE,
    path: 'seo/v1/ai_generator/get_usage',
    summary: 'Usage of a text service in this month',
    body: z.object({
      is_woo_product_entity: wireBoolean.default(false).describe('Whether the usage is for products'),
    }),
    rights: 'writers',
    response: z.object({ ...failure, errorMessage: z.string(), errorCode: z.int() }),
    status: UNSUPPORTED,
    answer: { errorMessage: NO_TEXT_SERVICE, errorIdentifier, errorCode: UNSUPPORTED },
  },
  {
    ...WRITE,
    path: 'seo/v1/ai_generator/bust_subscription_cache',
    summary: 'Clears the cached subscription to a text service',
    rights: 'writers',
    response: z.string(),
    status: 200,
    answer: 'No subscription was stored.',
  },
  {
    ...WRITE,
    path: 'seo/v1/ai/free_sparks',
    summary: 'Starts the free trial of a text service',
    rights: 'writers',
    response: z.string(),
    status: UNSUPPORTED,
    answer: NO_TEXT_SERVICE,
  },
  {
    ...READ,
    ...NO_TEXTS,
    path: 'seo/v1/ai_content_planner/get_suggestions',
    summary: 'Content suggestions of a text service',
    query: z.object(ofType),
    rights: 'type',
  },
  {
    ...WRITE,
    ...NO_TEXTS,
    path: 'seo/v1/ai_content_planner/get_outline',
    summary: 'Outlines a content suggestion by a text service',
    body: z.object({
      ...ofType,
      title: line('Title'),
      intent: line('Search intent'),
      explanation: wireText(MAX_TEXT_LENGTH).describe('Reason of the suggestion'),
      keyphrase: line('Keyphrase'),
      meta_description: line('Description'),
      category: z.object({ name: wireText(MAX_NAME_LENGTH), id: wireInteger() }).describe('Category'),
      recent_content: z
        .array(z.strictObject({ title: z.string().max(500), description: z.string().max(1000) }))
        .max(100)
        .describe('Recent content'),
    }),
    rights: 'type',
  },
  {
    ...WRITE,
    path: 'seo/v1/keyword_service/authenticate',
    summary: 'Exchanges the code of a keyword service for its tokens',
    body: z.object({ code: checkedText(notBlank, 'Authorization code of the service') }),
    rights: 'keyphrases',
    response: z.object({ tokens: z.array(z.never()), error: z.string(), status: z.int() }),
    status: 401,
    answer: { tokens: [], error, status: 401 },
  },
  {
    ...READ,
    path: 'seo/v1/keyword_service/related_keyphrases',
    summary: 'Related keyphrases of a keyword service',
    query: z.object({ keyphrase: checkedText(notBlank, 'Keyphrase'), country_code: line('Country') }),
    rights: 'keyphrases',
    response: z.object({ error: z.string(), status: z.int() }),
    status: UNSUPPORTED,
    answer: { error, status: UNSUPPORTED },
  },
  account('GET', 'status', 'Registration of the site at an identity provider'),
  account('POST', 'refresh-status', 'Refreshes the registration from the identity provider'),
  account('POST', 'register', 'Registers the site with an identity provider', { error_code: 'not_provisioned' }),
  account('PUT', 'registration', 'Updates the registration of the site', { error_code: 'not_provisioned' }),
  account('DELETE', 'registration', 'Removes the registration of the site', { message_key: 'disconnect_success' }),
  {
    ...account('POST', 'authorize', 'URL at the identity provider for connecting an account', {
      error_code: 'registration_gone',
    }),
    body: z.object({ return_url: wireText(MAX_NAME_LENGTH).optional().describe('Return URL') }),
  },
];
