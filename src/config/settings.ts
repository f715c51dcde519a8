import path from 'node:path';
import { existsSync } from 'node:fs';
import { z } from 'zod';
import {
  type NamespaceMap,
  SortimentError,
  trimEndOf,
  readValue,
  formatProblems,
  STOCK_NAMESPACES,
} from '#contracts/index.ts';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';
import { hooks } from './hook-options.ts';
import type { Options } from './options.ts';
import { webAddress } from './web-address.ts';

/** Words for the name of the core namespace; the other namespaces are detected, unless a pair names them. */
const CORE_NAMES: NamespaceMap = { stock: STOCK_NAMESPACES['core/v2'], neutral: 'core/v2' };

/** Names that a site gives its namespaces: pairs, `stock` and `neutral`. */
export const namespaceNames = z.string().transform((text, ctx): NamespaceMap => {
  const pairs = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map((word) => (CORE_NAMES[word] === undefined ? word.split('=') : ['core/v2', CORE_NAMES[word]]));
  if (pairs.length > 0 && pairs.every((pair) => pair.length === 2 && pair.every(Boolean)))
    return Object.fromEntries(pairs) as NamespaceMap;
  ctx.addIssue({
    code: 'custom',
    message: 'is no list of pairs such as "seo/v1=acme/v1", in which "stock" or "neutral" may stand too',
  });
  return z.NEVER;
});

/** Name of an account. HTTP Basic separates it from the password by a colon. */
const user = z.string().regex(/^[^:\p{Cc}]+$/u, { error: 'holds a colon or a control character' });
const password = z.string().regex(/^\P{Cc}+$/u, { error: 'holds a control character' });

const flag = z
  .enum(['0', '1', 'true', 'false'], { error: 'must be 1 or 0' })
  .transform((word) => word === '1' || word === 'true');

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
  SORTIMENT_OFFLINE: flag.optional(),
  SORTIMENT_HOME: z.string().min(1).optional(),
  SORTIMENT_HOOK_URL: z.string().min(1).optional(),
  DATABASE_URL: z.string().min(1).optional(),
  PORT: z.coerce.number({ error: 'is not a port' }).int({ error: 'is not a port' }).min(0).max(65_535).optional(),
});

/** A user who signs in by HTTP Basic: at a server in front of the upstream, or by an application password. */
export interface Account {
  user: string;
  password: string;
}

export interface ProductUpstream {
  /** Root of the interface, with a slash at the end: `https://host/api/partner/v1/`. */
  root: string;
  /** Takes the `Authorization` header of requests to the interface. */
  token?: string | undefined;
  /** Without a token, for the interface and the files on its origin; with one, for these files only. */
  account?: Account | undefined;
  /** Where to connect when that isn't the address in links (an embedded origin): `http://127.0.0.1:40001`. */
  connectTo?: string;
}

export interface PublishingUpstream {
  /** The site's address, without a slash at the end. */
  siteUrl: string;
  /** Path segment of the REST root, such as `rest` or `wp-json`; `detect` tries the usual ones. */
  restRoot: string;
  /** Neutral name -> name on the wire of single namespaces; the others are detected. */
  namespaces: NamespaceMap;
  /** For the interface and the files on its origin. */
  account?: Account | undefined;
  connectTo?: string;
}

export interface Upstreams {
  product?: ProductUpstream;
  publishing?: PublishingUpstream;
}

/** Choices and environment in one, resolved to absolute paths: what every command works with. */
export interface Settings {
  /** The project's folder. */
  root: string;
  /** Everything a run keeps: `.sortiment/`, disposable but for `origin/`. */
  home: string;
  snapshotPath: string;
  /** Fetched images and documents by digest. */
  assetsFolder: string;
  /** Derived images by digest and parameters. */
  imagesFolder: string;
  /** The embedded origin's store and files. */
  originFolder: string;
  /** The static site. */
  distFolder: string;
  /** The public address of the site, the folder that it lies in included, without a slash at the end. */
  siteUrl: string;
  /** That folder: `/`, or `/project/`. Astro's `base`. */
  base: string;
  /** The same where Astro's configuration names another folder than SITE_URL does. */
  ownBase?: string | undefined;
  offline: boolean;
  /** `embedded` when no upstream is named in the environment: the shipped origin, with what was put into it. */
  upstreams: Upstreams | 'embedded';
  databaseUrl: string | undefined;
  options: Options;
}

/**
 * @throws SortimentError TOKEN_MISSING when PRODUCT_API_URL is set without PRODUCT_API_TOKEN.
 */
export function resolveSettings(
  root: string,
  options: Options,
  environment: Environment = readEnvironment(root),
): Settings {
  const siteUrl = trimEndOf(environment.SITE_URL ?? options.site.url, '/');
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
    upstreams: resolveUpstreams(environment),
    databaseUrl: environment.DATABASE_URL,
    options: withDefaultHook(options, environment),
  };
}

/** Adds a generic hook where SORTIMENT_HOOK_URL is set and no hook is configured. */
function withDefaultHook(options: Options, { SORTIMENT_HOOK_URL: url }: Environment): Options {
  return url === undefined || options.hooks.length > 0 ? options : { ...options, hooks: DEFAULT_HOOKS };
}

const DEFAULT_HOOKS = hooks.parse([{ name: 'default', type: 'generic' }]);

/** The same for a site that Astro's configuration puts into another folder of its host. @param ownBase Astro's `base`. */
export function settingsAt(settings: Settings, ownBase: string | undefined): Settings {
  if (ownBase === undefined) return settings;
  const bare = trimEndOf(ownBase, '/').replace(/^\/+/, '');
  const siteUrl = `${new URL(settings.siteUrl).origin}${bare === '' ? '' : `/${bare}`}`;
  const base = baseOf(siteUrl);
  return base === settings.base ? settings : { ...settings, siteUrl, base, ownBase: base };
}

function baseOf(siteUrl: string): string {
  return new URL(`${siteUrl}/`).pathname;
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
          'PRODUCT_API_PASSWORD where it asks for a user and a password.',
      },
    );
  }
  return {
    ...(productUrl && {
      product: {
        root: productRoot(productUrl),
        ...(token && { token }),
        ...(productAccount && { account: productAccount }),
      },
    }),
    ...(publishingUrl && {
      publishing: {
        siteUrl: trimEndOf(publishingUrl, '/'),
        restRoot: environment.PUBLISHING_REST_ROOT ?? 'detect',
        namespaces: environment.PUBLISHING_NAMESPACES ?? {},
        ...(account && { account }),
      },
    }),
  };
}

function accountOf(name: string | undefined, secret: string | undefined): Account | undefined {
  return name === undefined || secret === undefined ? undefined : { user: name, password: secret };
}

/** Accepts the base address as well as the full root. */
function productRoot(address: string): string {
  const base = `${trimEndOf(address, '/')}/`;
  return base.endsWith(`/${PRODUCT_ROOT}`) ? base : `${base}${PRODUCT_ROOT}`;
}

export type Environment = z.output<typeof environment>;

const ACCOUNTS = [
  ['PRODUCT_API_USER', 'PRODUCT_API_PASSWORD'],
  ['PUBLISHING_USER', 'PUBLISHING_PASSWORD'],
] as const;

/** A user needs a password, and a password a user. */
const environmentWithAccounts = environment.superRefine((variables, context) => {
  for (const [name, secret] of ACCOUNTS) {
    if ((variables[name] === undefined) === (variables[secret] === undefined)) continue;
    const [missing, present] = variables[name] === undefined ? [name, secret] : [secret, name];
    context.addIssue({ code: 'custom', path: [missing], message: `is not set, but ${present} is` });
  }
});

/**
 * Reads addresses and secrets from the environment and from `.env` in the project's folder (which never
 * overrides what is already set). Empty values count as not set.
 * @throws SortimentError ENVIRONMENT_INVALID with every problem at once; values are never printed.
 */
export function readEnvironment(root: string, variables: NodeJS.ProcessEnv = process.env): Environment {
  const file = path.join(root, '.env');
  if (variables === process.env && existsSync(file)) process.loadEnvFile(file);
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== undefined && value !== ''),
  );
  const reading = readValue(environmentWithAccounts, given);
  if (reading.ok) return reading.value;
  throw new SortimentError(
    'ENVIRONMENT_INVALID',
    `The environment has a problem:\n${formatProblems(reading.problems)}`,
    {
      hint: 'Correct it in .env or in the shell; .env.example explains each variable.',
    },
  );
}
