import path from 'node:path';
import { existsSync } from 'node:fs';
import { z } from 'zod';
import {
  type NamespaceMap,
  SortimentError,
  trimTrailing,
  parseValue,
  formatProblems,
  STOCK_NAMESPACES,
} from '#contracts/index.ts';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';
import { hooks } from './hook-options.ts';
import type { Options } from './options.ts';
import { webAddress } from './web-address.ts';

const CORE_NAMES: NamespaceMap = { stock: STOCK_NAMESPACES['core/v2'], neutral: 'core/v2' };

/** Names of the namespaces of a site: pairs, `stock` and `neutral`. Unnamed namespaces are detected. */
export const namespaceNames = z.string().transform((text, ctx): NamespaceMap => {
  const pairs = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((item) => (CORE_NAMES[item] === undefined ? item.split('=') : ['core/v2', CORE_NAMES[item]]));
  if (pairs.length > 0 && pairs.every((pair) => pair.length === 2 && pair.every(Boolean)))
    return Object.fromEntries(pairs) as NamespaceMap;
  ctx.addIssue({
    code: 'custom',
    message: 'is not a list of pairs such as "seo/v1=acme/v1", "stock" or "neutral"',
  });
  return z.NEVER;
});

/** User name. HTTP Basic separates it from the password by a colon. */
const user = z.string().regex(/^[^:\p{Cc}]+$/u, { error: 'contains a colon or a control character' });
const password = z.string().regex(/^\P{Cc}+$/u, { error: 'contains a control character' });

const flag = z
  .enum(['0', '1', 'true', 'false'], { error: 'must be 1 or 0' })
  .transform((value) => value === '1' || value === 'true');

const environment = z.object({
  PRODUCT_API_URL: webAddress('set PRODUCT_API_USER and PRODUCT_API_PASSWORD instead').optional(),
  PRODUCT_API_TOKEN: z.string().min(1).optional(),
  PRODUCT_API_USER: user.optional(),
  PRODUCT_API_PASSWORD: password.optional(),
  PUBLISHING_URL: webAddress('set PUBLISHING_USER and PUBLISHING_PASSWORD instead').optional(),
  PUBLISHING_USER: user.optional(),
  PUBLISHING_PASSWORD: password.optional(),
  PUBLISHING_REST_ROOT: z.string().min(1).optional(),
  PUBLISHING_NAMESPACES: namespaceNames.optional(),
  SITE_URL: webAddress().optional(),
  SORTIMENT_DRAFTS: flag.optional(),
  SORTIMENT_OFFLINE: flag.optional(),
  SORTIMENT_HOME: z.string().min(1).optional(),
  SORTIMENT_HOOK_URL: z.string().min(1).optional(),
  DATABASE_URL: z.string().min(1).optional(),
  PORT: z.coerce.number({ error: 'is not a port' }).int({ error: 'is not a port' }).min(0).max(65_535).optional(),
});

/** HTTP Basic credentials: for a server in front of the upstream, or an application password. */
export interface Account {
  user: string;
  password: string;
}

export interface ProductUpstream {
  /** Root URL of the interface, with a trailing slash: `https://host/api/partner/v1/`. */
  root: string;
  /** Uses the `Authorization` header of requests to the interface. */
  token?: string | undefined;
  /** Used for the interface and the files on its origin; with a token, only for the files. */
  account?: Account | undefined;
  /** Origin to connect to if it differs from the public one (embedded origin): `http://127.0.0.1:40001`. */
  connectTo?: string;
}

export interface PublishingUpstream {
  /** URL of the site, without a trailing slash. */
  siteUrl: string;
  /** Path segment of the REST root, such as `rest` or `wp-json`; `detect` tries the common ones. */
  restRoot: string;
  /** Neutral name -> name on the site, for configured namespaces; the others are detected. */
  namespaces: NamespaceMap;
  /** Used for the interface and the files on its origin. */
  account?: Account | undefined;
  connectTo?: string;
}

export interface Upstreams {
  product?: ProductUpstream;
  publishing?: PublishingUpstream;
}

/** Options and environment, resolved to absolute paths. Every command uses them. */
export interface Settings {
  /** Root folder of the project. */
  root: string;
  /** State of runs: `.sortiment/`, disposable except for `origin/`. */
  home: string;
  snapshotPath: string;
  /** Fetched images and documents, by digest. */
  assetsFolder: string;
  /** Resized images, by digest and parameters. */
  imagesFolder: string;
  /** Database and files of the embedded origin. */
  originFolder: string;
  /** Output folder of the static site. */
  distFolder: string;
  /** Public URL of the site, including its base path, without a trailing slash. */
  siteUrl: string;
  /** Base path of the site: `/` or `/project/`. Astro's `base`. */
  base: string;
  /** Base path from Astro's configuration, if it differs from that of SITE_URL. */
  ownBase?: string | undefined;
  offline: boolean;
  /** True if the development server shows drafts. */
  drafts: boolean;
  /** Account of the publishing site, also of the embedded one. */
  publishingAccount: Account | undefined;
  /** `embedded` if the environment names no upstream: the bundled origin. */
  upstreams: Upstreams | 'embedded';
  databaseUrl: string | undefined;
  options: Options;
}

/**
 * Resolves options and environment.
 * @throws SortimentError TOKEN_MISSING if PRODUCT_API_URL is set without PRODUCT_API_TOKEN or an account; CONFIG_INVALID
 * for an unusable address of the site.
 */
export function resolveSettings(
  root: string,
  options: Options,
  environment: Environment = readEnvironment(root),
): Settings {
  const siteUrl = trimTrailing(environment.SITE_URL ?? options.site.url, '/');
  const home = path.resolve(root, environment.SORTIMENT_HOME ?? '.sortiment');
  return {
    root,
    home,
    snapshotPath: path.join(home, 'snapshot.sqlite'),
    assetsFolder: path.join(home, 'assets'),
    imagesFolder: path.join(home, 'images'),
    originFolder: path.join(home, 'origin'),
    distFolder: path.join(root, 'dist'),
    siteUrl,
    base: baseOf(siteUrl),
    offline: environment.SORTIMENT_OFFLINE ?? false,
    drafts: environment.SORTIMENT_DRAFTS ?? false,
    publishingAccount: accountOf(environment.PUBLISHING_USER, environment.PUBLISHING_PASSWORD),
    upstreams: resolveUpstreams(environment),
    databaseUrl: environment.DATABASE_URL,
    options: withDefaultHook(options, environment),
  };
}

/** Adds a generic hook if SORTIMENT_HOOK_URL is set and no hook is configured. */
function withDefaultHook(options: Options, { SORTIMENT_HOOK_URL: url }: Environment): Options {
  return url === undefined || options.hooks.length > 0 ? options : { ...options, hooks: DEFAULT_HOOKS };
}

const DEFAULT_HOOKS = hooks.parse([{ name: 'default', type: 'generic' }]);

/** Returns the settings with another base path of the site. @param astroBase Astro's `base`. */
export function withBasePath(settings: Settings, astroBase: string | undefined): Settings {
  if (astroBase === undefined) return settings;
  const bare = trimTrailing(astroBase, '/').replace(/^\/+/, '');
  const siteUrl = `${new URL(settings.siteUrl).origin}${bare === '' ? '' : `/${bare}`}`;
  const base = baseOf(siteUrl);
  return base === settings.base ? settings : { ...settings, siteUrl, base, ownBase: base };
}

/** @throws SortimentError CONFIG_INVALID for addresses below which Astro finds no page. */
function baseOf(siteUrl: string): string {
  const { pathname, search, hash } = new URL(`${siteUrl}/`);
  if (/^\/(?:[^/%]+\/)*$/.test(pathname) && search + hash === '') return pathname;
  throw new SortimentError('CONFIG_INVALID', `The site can't be at ${siteUrl}: Astro finds no pages there.`, {
    hint: 'Use letters, digits and hyphens in SITE_URL, in `site.url` of src/sortiment.config.ts or in `base` of Astro.',
  });
}

function resolveUpstreams(environment: Environment): Upstreams | 'embedded' {
  const { PRODUCT_API_URL: productUrl, PRODUCT_API_TOKEN: token, PUBLISHING_URL: publishingUrl } = environment;
  if (!productUrl && !publishingUrl) return 'embedded';
  const productAccount = accountOf(environment.PRODUCT_API_USER, environment.PRODUCT_API_PASSWORD);
  const account = accountOf(environment.PUBLISHING_USER, environment.PUBLISHING_PASSWORD);
  if (productUrl && !token && !productAccount) {
    throw new SortimentError(
      'TOKEN_MISSING',
      `PRODUCT_API_URL is set to ${productUrl}, but PRODUCT_API_TOKEN is not set.`,
      {
        hint:
          "Set PRODUCT_API_TOKEN to the token that the interface's docs/ page shows you, or PRODUCT_API_USER and " +
          'PRODUCT_API_PASSWORD if it requires a user and a password.',
      },
    );
  }
  return {
    ...(productUrl && {
      product: { root: productRoot(productUrl), token, account: productAccount },
    }),
    ...(publishingUrl && {
      publishing: {
        siteUrl: trimTrailing(publishingUrl, '/'),
        restRoot: environment.PUBLISHING_REST_ROOT ?? 'detect',
        namespaces: environment.PUBLISHING_NAMESPACES ?? {},
        account,
      },
    }),
  };
}

function accountOf(name: string | undefined, secret: string | undefined): Account | undefined {
  return name === undefined || secret === undefined ? undefined : { user: name, password: secret };
}

/** Accepts the base URL as well as the full root. */
function productRoot(address: string): string {
  const base = `${trimTrailing(address, '/')}/`;
  return base.endsWith(`/${PRODUCT_ROOT}`) ? base : `${base}${PRODUCT_ROOT}`;
}

export type Environment = z.output<typeof environment>;

const ACCOUNTS = [
  ['PRODUCT_API_USER', 'PRODUCT_API_PASSWORD'],
  ['PUBLISHING_USER', 'PUBLISHING_PASSWORD'],
] as const;

/** Requires a password with each user name, and vice versa. */
const environmentWithAccounts = environment.superRefine((variables, context) => {
  for (const [name, secret] of ACCOUNTS) {
    if ((variables[name] === undefined) === (variables[secret] === undefined)) continue;
    const [missing, other] = variables[name] === undefined ? [name, secret] : [secret, name];
    context.addIssue({ code: 'custom', path: [missing], message: `is not set, but ${other} is` });
  }
});

/**
 * Reads URLs and secrets from the environment and from `.env` in the project folder, which never overrides existing
 * variables. Empty values count as unset.
 * @throws SortimentError ENVIRONMENT_INVALID that lists every problem; values are never printed.
 */
export function readEnvironment(root: string, variables: NodeJS.ProcessEnv = process.env): Environment {
  const file = path.join(root, '.env');
  if (variables === process.env && existsSync(file)) process.loadEnvFile(file);
  const present = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const parsed = parseValue(environmentWithAccounts, present);
  if (parsed.ok) return parsed.value;
  throw new SortimentError(
    'ENVIRONMENT_INVALID',
    `The environment has a problem:\n${formatProblems(parsed.problems)}`,
    {
      hint: 'Correct it in .env or in the shell; .env.example explains each variable.',
    },
  );
}
