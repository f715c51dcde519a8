import path from 'node:path';
import { ROOT } from './load-settings.ts';
import { JSON_ARG, parsePort, UsageError } from './index.ts';

export const ORIGIN_ARGS = {
  data: { type: 'string', valueHint: 'folder', description: 'Data folder (default: DATA_DIR, then .sortiment/origin)' },
  json: JSON_ARG,
} as const;

const DEFAULT_PORT = 4330;

export interface OriginArguments {
  data?: string | undefined;
  port?: string | undefined;
  'public-url'?: string | undefined;
  bootstrap?: string | undefined;
  'trusted-proxies'?: string | undefined;
  'cache-mb'?: string | undefined;
}

/**
 * Reads settings from the command line, the environment, and `.env`, in this order. Without a public URL, links contain
 * the address that the origin listens on.
 */
export async function readOriginSettings(args: OriginArguments) {
  const { readEnvironment } = await import('#config/index.ts');
  const environment = readEnvironment(ROOT);
  const { DATA_DIR, REST_ROOT, BOOTSTRAP, ORIGIN_JSONP, ORIGIN_CACHE_MB, TRUSTED_PROXIES } = process.env;
  const home = path.resolve(ROOT, environment.SORTIMENT_HOME ?? '.sortiment');
  return {
    dataFolder: path.resolve(args.data ?? (DATA_DIR || path.join(home, 'origin'))),
    databaseUrl: environment.DATABASE_URL,
    port: args.port === undefined ? (environment.PORT ?? DEFAULT_PORT) : parsePort(args.port),
    publicUrl: readAddress(args['public-url']) ?? environment.SITE_URL,
    restRoot: REST_ROOT ? readSegment(REST_ROOT) : undefined,
    bootstrap: args.bootstrap ?? (BOOTSTRAP || undefined),
    jsonp: readSwitch('ORIGIN_JSONP', ORIGIN_JSONP),
    trustedProxies: args['trusted-proxies'] ?? (TRUSTED_PROXIES || undefined),
    cacheBytes: readMegabytes(args['cache-mb'] ?? (ORIGIN_CACHE_MB || undefined)),
  };
}

function readMegabytes(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,6}$/.test(text)) return Number(text) * 1024 * 1024;
  throw new UsageError(
    `"${text}" is not a number of megabytes.`,
    'Give --cache-mb (or ORIGIN_CACHE_MB) a whole number such as 64; 0 disables the cache.',
  );
}

function readAddress(text: string | undefined): string | undefined {
  if (text === undefined || /^https?:\/\/[^/]/.test(text)) return text;
  throw new UsageError(`"${text}" is not an http(s) address.`, 'Write it as in --public-url https://data.example.com');
}

function readSwitch(name: string, text: string | undefined): boolean {
  if (text === undefined || text === '' || text === 'false') return false;
  if (text === 'true') return true;
  throw new UsageError(`${name} is "${text}", which is neither true nor false.`, `Set ${name} to true or false.`);
}

function readSegment(text: string): string {
  const segment = text.replaceAll(/^\/+|\/+$/g, '');
  if (/^[\w.-]+$/.test(segment)) return segment;
  throw new UsageError(`REST_ROOT is "${text}", which is not one segment of a path.`, 'Set it to a word such as rest.');
}

export async function readManagementOptions(args: OriginArguments) {
  const { dataFolder, databaseUrl, publicUrl, port } = await readOriginSettings(args);
  return { dataFolder, databaseUrl, publicUrl: publicUrl ?? `http://127.0.0.1:${port}` };
}
