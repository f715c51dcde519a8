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

const address = z.url({ protocol: /^https?$/, error: 'is not an http(s) address' });

/** What a site calls its namespaces: `stock`, `neutral`, or pairs. */
export const namespaceNames = z.string().transform((text, ctx): NamespaceMap | 'detect' => {
  if (text === 'stock') return STOCK_NAMESPACES;
  if (text === 'neutral') return {};
  const pairs = text.split(/[\s,]+/).map((pair) => pair.split('='));
  if (pairs.every((pair) => pair.length === 2 && pair.every(Boolean))) return Object.fromEntries(pairs) as NamespaceMap;
  ctx.addIssue({ code: 'custom', message: 'is neither "stock", "neutral" nor a list such as "core/v2=wp/v2"' });
  return z.NEVER;
});

const flag = z
  .enum(['0', '1', 'true', 'false'], { error: 'must be 1 or 0' })
  .transform((word) => word === '1' || word === 'true');

const environment = z.object({
  PRODUCT_API_URL: address.optional(),
  PRODUCT_API_TOKEN: z.string().min(1).optional(),
  PUBLISHING_URL: address.optional(),
  PUBLISHING_REST_ROOT: z.string().min(1).optional(),
  PUBLISHING_NAMESPACES: namespaceNames.optional(),
  SITE_URL: address.optional(),
  SORTIMENT_OFFLINE: flag.optional(),
  SORTIMENT_HOME: z.string().min(1).optional(),
  SORTIMENT_HOOK_URL: z.string().min(1).optional(),
  DATABASE_URL: z.string().min(1).optional(),
  PORT: z.coerce.number({ error: 'is not a port' }).int({ error: 'is not a port' }).min(0).max(65_535).optional(),
});

export interface ProductUpstream {
  /** Root of the interface, with a slash at the end: `https://host/api/partner/v1/`. */
  root: string;
  token: string;
  /** Where to connect when that isn't the address in links (an embedded origin): `http://127.0.0.1:40001`. */
  connectTo?: string;
}

export interface PublishingUpstream {
  /** The site's address, without a slash at the end. */
  siteUrl: string;
  /** Path segment of the REST root, such as `rest` or `wp-json`; `detect` tries the usual ones. */
  restRoot: string;
  namespaces: NamespaceMap | 'detect';
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
  if (productUrl && !token) {
    throw new SortimentError(
      'TOKEN_MISSING',
      `PRODUCT_API_URL is set to ${productUrl}, but PRODUCT_API_TOKEN is not set.`,
      {
        hint: "Set PRODUCT_API_TOKEN to the token that the interface's docs/ page shows you.",
      },
    );
  }
  return {
    ...(productUrl && token && { product: { root: productRoot(productUrl), token } }),
    ...(publishingUrl && {
      publishing: {
        siteUrl: trimEndOf(publishingUrl, '/'),
        restRoot: environment.PUBLISHING_REST_ROOT ?? 'detect',
        namespaces: environment.PUBLISHING_NAMESPACES ?? 'detect',
      },
    }),
  };
}

/** Accepts the base address as well as the full root. */
function productRoot(address: string): string {
  const base = `${trimEndOf(address, '/')}/`;
  return base.endsWith(`/${PRODUCT_ROOT}`) ? base : `${base}${PRODUCT_ROOT}`;
}

export type Environment = z.output<typeof environment>;

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
  const reading = readValue(environment, given);
  if (reading.ok) return reading.value;
  throw new SortimentError(
    'ENVIRONMENT_INVALID',
    `The environment has a problem:\n${formatProblems(reading.problems)}`,
    {
      hint: 'Correct it in .env or in the shell; .env.example explains each variable.',
    },
  );
}
