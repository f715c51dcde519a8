import path from 'node:path';
import { sitePath } from '#catalogue/addresses/site-paths.ts';
import { DIGITAL_LINK_QUALIFIERS } from '#catalogue/addresses/paths.ts';
import type { Settings, Host } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import { encodeTarget, type Redirect } from '../redirects/index.ts';
import {
  headerRules,
  DEFAULT_CACHE_CONTROL,
  type HeaderRule,
  isGlobalRule,
  hasSegments,
  splitPattern,
} from './header-rules.ts';
import { writeCaddyFiles } from './write-caddy-files.ts';
import { writeNginxFiles } from './write-nginx-files.ts';

const MAX_REDIRECTS = 2048;

const MAX_BYTES = 20 * 1024;

/** Limits of hosts: rules without patterns, characters per rule, total bytes. */
const LIMITS: Partial<Record<Host, { rules: number; ruleCharacters?: number; bytes?: number }>> = {
  cloudflare: { rules: 2000, ruleCharacters: 1000 },
  netlify: { rules: 10_000 },
  gitlab: { rules: 1000, bytes: 64 * 1024 },
};

/** Rewrites requests for the links of a product by query parameter. Only Netlify supports it here. */
const digitalLinkRules = (): string[] =>
  ['linkset', 'all'].map(
    (type) => `${sitePath('/01/')}:gtin/ linkType=${type} ${sitePath('/01/')}:gtin/linkset.json 200!`,
  );

/**
 * Redirects links with a variant, lot or serial number to their GTIN (GS1 Digital Link, walk-up). There are no pages
 * below it.
 */
const walkUpRules = (): string[] =>
  DIGITAL_LINK_QUALIFIERS.map((key) => `${sitePath('/01/')}:gtin/${key}/* ${sitePath('/01/')}:gtin/ 302`);

/** Limits of Cloudflare. Netlify documents none. */
const MAX_RULES = 100;

const MAX_LINE_CHARACTERS = 2000;

export interface HostFiles {
  /** Files in the site that its host reads but doesn't publish, by name. */
  inSite: Record<string, string>;
  /** Files for a self-hosted server outside the site, by name. */
  besideSite: Record<string, string>;
  /** Symbolic links to folders next to those files, by name. */
  links?: Record<string, string>;
}

/** Document root with the site below its base path. */
const ROOT_NAME = 'root';

/** Returns the folder of files for self-hosted servers. */
export function hostsFolder({ home }: Pick<Settings, 'home'>): string {
  return path.join(home, 'hosts');
}

/**
 * Creates the configuration of the chosen host: headers and redirects.
 * @throws SortimentError HOST_LIMIT if the host would ignore a part of it.
 */
export function hostFiles(
  settings: Pick<Settings, 'home' | 'distFolder' | 'siteUrl' | 'base' | 'options'>,
  redirects: readonly Redirect[],
): HostFiles {
  const { siteUrl, distFolder } = settings;
  const { host } = settings.options;
  const rules = headerRules(siteUrl);
  const folder = hostsFolder(settings);
  const { base } = settings;
  // With a base path, the site is a folder below the document root.
  const root = path.join(folder, ROOT_NAME);
  const serverPaths = { siteUrl, rootFolder: base === '/' ? distFolder : root, hostsFolder: folder };
  const links = base === '/' ? {} : { [path.join(ROOT_NAME, base.slice(1, -1))]: distFolder };
  switch (host) {
    case 'cloudflare':
    case 'netlify':
      return {
        inSite: { _headers: writeHeadersFile(host, rules), _redirects: writeRedirectsFile(host, redirects) },
        besideSite: {},
      };
    case 'gitlab':
      return { inSite: { _redirects: writeRedirectsFile(host, redirects) }, besideSite: {} };
    case 'vercel':
      return { inSite: { 'vercel.json': writeVercelFile(rules, redirects) }, besideSite: {} };
    case 'azure':
      return { inSite: { 'staticwebapp.config.json': writeAzureFile(rules, redirects) }, besideSite: {} };
    case 'nginx':
      return { inSite: {}, besideSite: writeNginxFiles(rules, redirects, serverPaths), links };
    case 'caddy':
      return { inSite: {}, besideSite: writeCaddyFiles(rules, redirects, serverPaths), links };
    case 'none':
      return { inSite: {}, besideSite: {} };
  }
}

/**
 * Creates the file `_headers` of Cloudflare and Netlify. Both join the values of several matching rules, so their
 * default caching header is omitted. Cloudflare needs an explicit removal of headers that apply to all pages.
 * @throws SortimentError HOST_LIMIT
 */
function writeHeadersFile(host: Host, rules: readonly HeaderRule[]): string {
  const everywhere = new Set(Object.keys(rules.find(isGlobalRule)?.headers ?? {}));
  const blocks = rules.map((rule) => {
    const { path, headers } = rule;
    const sent = Object.entries(headers).filter(([, value]) => value !== DEFAULT_CACHE_CONTROL);
    const lines = sent.flatMap(([name, value]) => {
      const replaces = host === 'cloudflare' && !isGlobalRule(rule) && name !== 'Cache-Control' && everywhere.has(name);
      return [...(replaces ? [`  ! ${name}`] : []), `  ${name}: ${value}`];
    });
    return [path, ...lines];
  });
  if (blocks.length > MAX_RULES) throw hostLimit(host, `${blocks.length} header rules (maximum ${MAX_RULES})`);
  const long = blocks.flat().find((line) => line.length > MAX_LINE_CHARACTERS);
  if (long !== undefined)
    throw hostLimit(
      host,
      `a header has ${long.length} characters (maximum ${MAX_LINE_CHARACTERS}): ${long.slice(0, 60)}…`,
    );
  return blocks.map((lines) => `${lines.join('\n')}\n`).join('\n');
}

/**
 * Creates the file `_redirects` of Cloudflare, Netlify and GitLab.
 * @throws SortimentError HOST_LIMIT
 */
function writeRedirectsFile(host: Host, redirects: readonly Redirect[]): string {
  const lines = [
    ...(host === 'netlify' ? digitalLinkRules() : []),
    ...redirects.map(({ from, to }) => `${encodeURI(from)} ${encodeTarget(to)} 301`),
    // GitLab counts rules with patterns too, and has a low limit.
    ...(host === 'gitlab' ? [] : walkUpRules()),
  ];
  const text = lines.map((line) => `${line}\n`).join('');
  const { rules = Infinity, ruleCharacters = Infinity, bytes = Infinity } = LIMITS[host] ?? {};
  // Cloudflare counts rules with patterns separately.
  const counted = host === 'cloudflare' ? redirects.length : lines.length;
  if (counted > rules) throw hostLimit(host, `${counted} redirects (maximum ${rules})`);
  const long = lines.find((line) => line.length > ruleCharacters);
  if (long !== undefined)
    throw hostLimit(
      host,
      `a redirect has ${long.length} characters (maximum ${ruleCharacters}): ${long.slice(0, 60)}…`,
    );
  const size = Buffer.byteLength(text);
  if (size > bytes) throw hostLimit(host, `${size} bytes of redirects (maximum ${bytes})`);
  return text;
}

/**
 * Creates `staticwebapp.config.json`. Patterns end in `*` or `*.{json}`. Rules that need another pattern are omitted,
 * and their files lack these headers.
 * @throws SortimentError HOST_LIMIT
 */
function writeAzureFile(rules: readonly HeaderRule[], redirects: readonly Redirect[]): string {
  const all = rules.find(isGlobalRule)?.headers ?? {};
  const file = {
    // Only the first match applies.
    routes: [
      ...redirects.map(({ from, to }) => ({ route: encodeURI(from), redirect: encodeTarget(to), statusCode: 301 })),
      ...rules.flatMap((rule) => {
        const route = routeOf(rule);
        return route === undefined ? [] : [{ route, headers: rule.headers }];
      }),
    ],
    responseOverrides: { 404: { rewrite: sitePath('/404.html') } },
    globalHeaders: all,
    mimeTypes: {
      '.ndjson': 'application/x-ndjson',
      '.md': 'text/markdown; charset=utf-8',
      '.opus': 'audio/ogg',
      '.srt': 'application/x-subrip',
      '.vtt': 'text/vtt; charset=utf-8',
    },
    trailingSlash: 'always',
  };
  const text = `${JSON.stringify(file)}\n`;
  const size = Buffer.byteLength(text);
  if (size > MAX_BYTES)
    throw hostLimit('azure', `${size} bytes of rules with ${redirects.length} redirects (maximum ${MAX_BYTES})`);
  return text;
}

/** Returns the route of a rule. Undefined for global headers and unsupported patterns. */
function routeOf(rule: HeaderRule): string | undefined {
  if (hasSegments(rule.path)) return undefined;
  const [start, end] = splitPattern(rule.path);
  if (end === '') return isGlobalRule(rule) ? undefined : rule.path;
  return end.startsWith('.') && !end.includes('/') ? `${start}*.{${end.slice(1)}}` : undefined;
}

/**
 * Creates `vercel.json`. Vercel reads it from the published folder, or else from the project, to which it has to be
 * copied.
 * @throws SortimentError HOST_LIMIT
 */
function writeVercelFile(rules: readonly HeaderRule[], redirects: readonly Redirect[]): string {
  if (redirects.length > MAX_REDIRECTS)
    throw hostLimit('vercel', `${redirects.length} redirects (maximum ${MAX_REDIRECTS})`);
  const file = {
    $schema: 'https://openapi.vercel.sh/vercel.json',
    trailingSlash: true,
    redirects: [
      {
        source: `${sitePath('/01/')}:gtin(\\d{14})/(${DIGITAL_LINK_QUALIFIERS.join('|')})/(.*)`,
        destination: `${sitePath('/01/')}:gtin/`,
        statusCode: 302,
      },
      ...redirects.map(({ from, to }) => ({
        source: escapePattern(encodeURI(from)),
        destination: encodeTarget(to),
        statusCode: 301,
      })),
    ],
    rewrites: [
      // Requests for the linkset of a product.
      {
        source: `${sitePath('/01/')}:gtin(\\d{14})/`,
        has: [{ type: 'query', key: 'linkType', value: '(linkset|all)' }],
        destination: `${sitePath('/01/')}:gtin/linkset.json`,
      },
    ],
    headers: rules.flatMap(({ path, headers }) => {
      const sent = Object.entries(headers).filter(([, value]) => value !== DEFAULT_CACHE_CONTROL);
      return {
        source: escapePattern(path)
          .replace('\\*', '(.*)')
          .replaceAll(/\\(:\w)/g, '$1'),
        headers: sent.map(([key, value]) => ({ key, value })),
      };
    }),
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** Escapes characters with a meaning in Vercel's patterns. */
function escapePattern(path: string): string {
  return path.replace(/[.:*+?(){}[\]|^$]/g, String.raw`\$&`);
}

/** Creates the error for a configuration that the host would reject or truncate. */
function hostLimit(host: Host, problem: string): SortimentError {
  return new SortimentError('HOST_LIMIT', `The site exceeds a limit of the host "${host}": ${problem}.`, {
    hint: "Choose a host without this limit, or set `host` in src/sortiment.config.ts to 'none', which generates redirect pages.",
  });
}
