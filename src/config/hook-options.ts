import { z } from 'zod';
import { SYNCED_NAMES } from '#contracts/synced/synced-kind.ts';
import { languageCode } from '#contracts/product/index.ts';
import { webAddress } from './web-address.ts';

/** What kinds of change there are, as messages name them. */
export const CHANGE_CLASSES = [
  'price',
  'text',
  'availability',
  'media',
  'documents',
  'attributes',
  'content',
  'added',
  'removed',
] as const;

/** What changes are about, as the sync's report names it. */
const CHANGE_KINDS = ['product', 'asset', 'language', 'family', 'assortment', 'site', ...SYNCED_NAMES];

/** What a template may ask for, in braces. */
export const PLACEHOLDERS = ['id', 'type', 'runId', 'previousDigest', 'digest', 'gtins', 'classes'] as const;

/** Refuses what can't be one: somebody may have put the secret itself here. */
const variable = (fallback: string) =>
  z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, { error: 'is not the name of an environment variable' })
    .default(fallback);

/** Name of the variable with the address to call. It is a secret: whoever knows it can start a build. */
const urlEnv = variable('SORTIMENT_HOOK_URL');
/** Name of the variable with the token. */
const tokenEnv = variable('SORTIMENT_HOOK_TOKEN');

const apiUrl = (fallback: string) => webAddress('set the token by `tokenEnv`').default(fallback);

const repository = z.string().regex(/^[\w.-]+\/[\w.-]+$/, { error: 'is not of the form "owner/name"' });

/** A text in which `{digest}`, `{gtins}` and the like stand for what the message says. */
const template = z
  .string()
  .refine(
    (text) => [...text.matchAll(/\{(\w+)\}/g)].every(([, name]) => PLACEHOLDERS.some((known) => known === name)),
    { error: `may hold only ${PLACEHOLDERS.map((name) => `{${name}}`).join(', ')}` },
  );

const shared = {
  /** Name in reports, the outbox and `npm run hooks`; must not hold a secret. */
  name: z.string().min(1),
  /** Report only changes of these classes. @default all */
  classes: z.array(z.enum(CHANGE_CLASSES)).min(1).optional(),
  /** Only changes in these languages, and those that have no language of their own, such as a picture's. */
  languages: z.array(languageCode).min(1).optional(),
  /** Only changes of these kinds of records. */
  kinds: z.array(z.enum(CHANGE_KINDS)).min(1).optional(),
  /** Reports changes in quick succession as one. */
  debounce: z
    .strictObject({
      /** A message goes once nothing has changed for so long. @default 0 */
      quietSeconds: z.number().min(0).max(86_400).default(0),
      /** But no later than so long after its first change. @default 600 */
      maxWaitSeconds: z.number().min(0).max(86_400).default(600),
    })
    .refine(({ quietSeconds, maxWaitSeconds }) => quietSeconds <= maxWaitSeconds, {
      error: 'has a maxWaitSeconds that is less than its quietSeconds',
    })
    .prefault({}),
  /**
   * Checks the site's `build.json` first, and skips changes that are already live.
   * @default true where the target does nothing but build the site; false for `generic` and `command`, which may stand
   * for anybody who wants to hear of each change; never asked for by default of a site on this machine.
   */
  skipIfLive: z.boolean().optional(),
};

/** Whom to notify of changes. Secrets are in the environment; the options name the variables. */
export const hook = z.discriminatedUnion('type', [
  /** Anything that understands Standard Webhooks. */
  z.strictObject({
    ...shared,
    type: z.literal('generic').optional().default('generic'),
    urlEnv,
    /**
     * Name of the variable with the signing secret, `whsec_<base64>`. Several with spaces between them all sign, so
     * that the receiver can change from one to the other.
     */
    secretEnv: variable('SORTIMENT_HOOK_SECRET'),
  }),
  /** A build hook. */
  z.strictObject({
    ...shared,
    type: z.literal('netlify'),
    urlEnv,
    /** Branch to build, if not the hook's own. */
    branch: z.string().min(1).optional(),
    /** Builds without the cache. @default false */
    clearCache: z.boolean().default(false),
  }),
  /** A deploy hook. */
  z.strictObject({
    ...shared,
    type: z.literal('vercel'),
    urlEnv,
    /** @default true */
    buildCache: z.boolean().default(true),
  }),
  /** A deploy hook of Pages. Each call starts a build: a `debounce` saves some. */
  z.strictObject({ ...shared, type: z.literal('cloudflare-pages'), urlEnv }),
  /** A deploy hook of Workers Builds. */
  z.strictObject({ ...shared, type: z.literal('cloudflare-workers'), urlEnv }),
  /** Starts the workflows on the default branch that listen to this `repository_dispatch`. */
  z.strictObject({
    ...shared,
    type: z.literal('github-repository-dispatch'),
    tokenEnv,
    repository,
    /** @default 'catalogue-changed' */
    eventType: z.string().min(1).max(100).default('catalogue-changed'),
    /** @default 'https://api.github.com' */
    apiUrl: apiUrl('https://api.github.com'),
  }),
  /** Starts one workflow. */
  z.strictObject({
    ...shared,
    type: z.literal('github-workflow-dispatch'),
    tokenEnv,
    repository,
    /** Name of its file, such as `deploy.yml`, or its number. */
    workflow: z.string().regex(/^[\w.-]+$/, { error: 'is not the name of a workflow file' }),
    /** Branch or tag. @default 'main' */
    ref: z.string().min(1).default('main'),
    /** Inputs that the workflow declares; others are refused there. */
    inputs: z.record(z.string().min(1), template).default({}),
    /** @default 'https://api.github.com' */
    apiUrl: apiUrl('https://api.github.com'),
  }),
  /** Starts a pipeline by a trigger token. */
  z.strictObject({
    ...shared,
    type: z.literal('gitlab'),
    tokenEnv,
    /** Number or path, such as `group/site`. */
    project: z.string().min(1),
    /** Branch or tag. @default 'main' */
    ref: z.string().min(1).default('main'),
    /** Variables of the pipeline. None by default: projects may refuse them. */
    variables: z.record(z.string().regex(/^\w+$/, { error: 'is not the name of a variable' }), template).default({}),
    /** Inputs that the pipeline declares. */
    inputs: z.record(z.string().min(1), template).default({}),
    /** @default 'https://gitlab.com/api/v4' */
    apiUrl: apiUrl('https://gitlab.com/api/v4'),
  }),
  /** Runs a program on this machine, without a shell. The message is on its standard input; exit code 0 is a delivery. */
  z.strictObject({
    ...shared,
    type: z.literal('command'),
    /** The program and its arguments, run in the project's folder. */
    command: z.tuple([z.string().min(1)], z.string(), { error: 'is not a list of a program and its arguments' }),
    /** It is ended then, and the delivery has failed. @default 900 */
    timeoutSeconds: z.number().positive().max(86_400).default(900),
  }),
]);

export type HookOptions = z.output<typeof hook>;

/** All hooks of a site. Their names are unique: the outbox knows them by name. */
export const hooks = z.array(hook).superRefine((all, context) => {
  for (const [index, { name }] of all.entries()) {
    if (all.findIndex((other) => other.name === name) === index) continue;
    context.addIssue({ code: 'custom', path: [index, 'name'], message: 'is the name of an earlier hook too' });
  }
});
