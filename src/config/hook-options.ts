import { z } from 'zod';
import { SYNCED_NAMES } from '#contracts/synced/synced-kind.ts';
import { languageCode } from '#contracts/product/index.ts';
import { webAddress } from './web-address.ts';

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

/** Kinds of changed records, as named in the sync report. */
const CHANGE_KINDS = ['product', 'asset', 'language', 'family', 'assortment', 'site', ...SYNCED_NAMES];

/** Variables of templates, written in braces. */
export const PLACEHOLDERS = ['id', 'type', 'runId', 'previousDigest', 'digest', 'gtins', 'classes'] as const;

/** Name of an environment variable. Other values are rejected, because they may be the secret itself. */
const variable = (fallback: string) =>
  z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, { error: 'is not the name of an environment variable' })
    .default(fallback);

/** Name of the variable with the URL of the hook. The URL is a secret: it can start a build. */
const urlEnv = variable('SORTIMENT_HOOK_URL');
/** Name of the variable with the token. */
const tokenEnv = variable('SORTIMENT_HOOK_TOKEN');

const apiUrl = (fallback: string) => webAddress('set the token by `tokenEnv`').default(fallback);

const repository = z.string().regex(/^[\w.-]+\/[\w.-]+$/, { error: 'is not of the form "owner/name"' });

/** Text with placeholders such as `{digest}` and `{gtins}`. */
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
  /** Report only changes in these languages, and changes without a language, such as those of an image. */
  languages: z.array(languageCode).min(1).optional(),
  /** Report only changes of these kinds of records. */
  kinds: z.array(z.enum(CHANGE_KINDS)).min(1).optional(),
  /** Combines changes in quick succession into one message. */
  debounce: z
    .strictObject({
      /** Time without changes before a message is sent. @default 0 */
      quietSeconds: z.number().min(0).max(86_400).default(0),
      /** Maximum delay after the first change. @default 600 */
      maxWaitSeconds: z.number().min(0).max(86_400).default(600),
    })
    .refine(({ quietSeconds, maxWaitSeconds }) => quietSeconds <= maxWaitSeconds, {
      error: 'has a maxWaitSeconds that is less than its quietSeconds',
    })
    .prefault({}),
  /**
   * Checks the site's `build.json` first, and skips changes that are already live.
   * @default true for targets that only build the site; false for `generic` and `command`, whose receivers may need
   *   each change; always false for a site on this machine.
   */
  skipIfLive: z.boolean().optional(),
};

/** A receiver of change notifications. Secrets are in the environment; the options name the variables. */
export const hook = z.discriminatedUnion('type', [
  /** A receiver of Standard Webhooks. */
  z.strictObject({
    ...shared,
    type: z.literal('generic').optional().default('generic'),
    urlEnv,
    /**
     * Name of the variable with the signing secret, `whsec_<base64>`. Several secrets, separated by spaces, all sign,
     * so that the receiver can rotate them.
     */
    secretEnv: variable('SORTIMENT_HOOK_SECRET'),
  }),
  /** A build hook. */
  z.strictObject({
    ...shared,
    type: z.literal('netlify'),
    urlEnv,
    /** Branch to build; the branch of the hook by default. */
    branch: z.string().min(1).optional(),
    /** Builds without the cache of Netlify. @default false */
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
  /** A deploy hook of Pages. Each call starts a build; `debounce` reduces their number. */
  z.strictObject({ ...shared, type: z.literal('cloudflare-pages'), urlEnv }),
  /** A deploy hook of Workers Builds. */
  z.strictObject({ ...shared, type: z.literal('cloudflare-workers'), urlEnv }),
  /** Starts the workflows of the default branch that listen to this `repository_dispatch`. */
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
    /** File name, such as `deploy.yml`, or number. */
    workflow: z.string().regex(/^[\w.-]+$/, { error: 'is not the name of a workflow file' }),
    /** Branch or tag. @default 'main' */
    ref: z.string().min(1).default('main'),
    /** Inputs declared by the workflow; GitHub rejects others. */
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
    /** Variables of the pipeline. None by default, because projects may forbid them. */
    variables: z.record(z.string().regex(/^\w+$/, { error: 'is not the name of a variable' }), template).default({}),
    /** Inputs declared by the pipeline. */
    inputs: z.record(z.string().min(1), template).default({}),
    /** @default 'https://gitlab.com/api/v4' */
    apiUrl: apiUrl('https://gitlab.com/api/v4'),
  }),
  /**
   * Runs a program on this machine, without a shell. The program reads the message from standard input; exit code 0
   * confirms the delivery.
   */
  z.strictObject({
    ...shared,
    type: z.literal('command'),
    /** The program and its arguments, run in the project's folder. */
    command: z.tuple([z.string().min(1)], z.string(), { error: 'is not a list of a program and its arguments' }),
    /** Time limit, after which the program is killed and the delivery has failed. @default 900 */
    timeoutSeconds: z.number().positive().max(86_400).default(900),
  }),
]);

export type HookOptions = z.output<typeof hook>;

/** All hooks of a site. Their names are unique, because the outbox identifies them by name. */
export const hooks = z.array(hook).superRefine((all, context) => {
  for (const [index, { name }] of all.entries()) {
    if (all.findIndex((other) => other.name === name) === index) continue;
    context.addIssue({ code: 'custom', path: [index, 'name'], message: 'is already the name of another hook' });
  }
});
