import path from 'node:path';
import { sitePath } from '#catalogue/addresses/base.ts';
import { DIGITAL_LINK_QUALIFIERS } from '#catalogue/addresses/paths.ts';
import type { Settings, Host } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import { encodeTarget, type Redirect } from '../redirects/index.ts';
import { headerRules, REVALIDATED, type HeaderRule, isAboutAll } from './header-rules.ts';
import { hasSegments, splitPattern } from './headers-for.ts';
import { writeCaddyFiles } from './write-caddy-files.ts';
import { writeNginxFiles } from './write-nginx-files.ts';

const MAX_REDIRECTS = 2048;

const MAX_BYTES = 20 * 1024;

/** What these hosts read of the file: rules that name no pattern, characters of one, bytes of all. */
const LIMITS: Partial<Record<Host, { rules: number; ruleCharacters?: number; bytes?: number }>> = {
  cloudflare: { rules: 2000, ruleCharacters: 1000 },
  netlify: { rules: 10_000 },
  gitlab: { rules: 1000, bytes: 64 * 1024 },
};

/** Netlify can tell who asks for the links of a product by the query; the others can't. */
const digitalLinkRules = (): string[] =>
  ['linkset', 'all'].map(
    (type) => `${sitePath('/01/')}:gtin/ linkType=${type} ${sitePath('/01/')}:gtin/linkset.json 200!`,
  );

/** Redirects links with a variant, lot or serial number to their GTIN: no pages lie below it (GS1 Digital Link, walk-up). */
const walkUpRules = (): string[] =>
  DIGITAL_LINK_QUALIFIERS.map((key) => `${sitePath('/01/')}:gtin/${key}/* ${sitePath('/01/')}:gtin/ 302`);

/** What Cloudflare reads of the file; Netlify says of no limit. */
const MAX_RULES = 100;

const MAX_LINE_CHARACTERS = 2000;

export interface HostFiles {
  /** Text by name: files of the site itself, which its host reads and doesn't show. */
  inSite: Record<string, string>;
  /** Files for the owner's own server, which don't belong into what it serves. */
  besideSite: Record<string, string>;
  /** Links to folders, by name, beside those. */
  links?: Record<string, string>;
}

/** Holds the site in the folder that its address names. */
const ROOT_NAME = 'root';

/** Where files for the owner's server are put. */
export function hostsFolder({ home }: Pick<Settings, 'home'>): string {
  return path.join(home, 'hosts');
}

/**
 * What the chosen host has to be told: headers of the files, and pages that have moved.
 * @throws SortimentError HOST_LIMIT when the host would take only a part of it.
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
  // In a folder of its host, the site is a folder of what the server serves.
  const root = path.join(folder, ROOT_NAME);
  const places = { siteUrl, rootFolder: base === '/' ? distFolder : root, hostsFolder: folder };
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
      return { inSite: {}, besideSite: writeNginxFiles(rules, redirects, places), links };
    case 'caddy':
      return { inSite: {}, besideSite: writeCaddyFiles(rules, redirects, places), links };
    case 'none':
      return { inSite: {}, besideSite: {} };
  }
}

/**
 * The file `_headers` of Cloudflare and Netlify. Both join the values where several rules give the same header, so the
 * one for caching, which they send by themselves, is left out where it isn't another. Cloudflare has to be told to take
 * back what all pages get.
 * @throws SortimentError HOST_LIMIT
 */
function writeHeadersFile(host: Host, rules: readonly HeaderRule[]): string {
  const everywhere = new Set(Object.keys(rules.find(isAboutAll)?.headers ?? {}));
  const blocks = rules.map((rule) => {
    const { path, headers } = rule;
    const sent = Object.entries(headers).filter(([, value]) => value !== REVALIDATED);
    const lines = sent.flatMap(([name, value]) => {
      const replaces = host === 'cloudflare' && !isAboutAll(rule) && name !== 'Cache-Control' && everywhere.has(name);
      return [...(replaces ? [`  ! ${name}`] : []), `  ${name}: ${value}`];
    });
    return [path, ...lines];
  });
  if (blocks.length > MAX_RULES) throw hostLimit(host, `${blocks.length} rules for headers, of ${MAX_RULES}`);
  const long = blocks.flat().find((line) => line.length > MAX_LINE_CHARACTERS);
  if (long !== undefined)
    throw hostLimit(host, `a header of ${long.length} characters, of ${MAX_LINE_CHARACTERS}: ${long.slice(0, 60)}…`);
  return blocks.map((lines) => `${lines.join('\n')}\n`).join('\n');
}

/**
 * The file `_redirects` of Cloudflare, Netlify and GitLab.
 * @throws SortimentError HOST_LIMIT
 */
function writeRedirectsFile(host: Host, redirects: readonly Redirect[]): string {
  const lines = [
    ...(host === 'netlify' ? digitalLinkRules() : []),
    ...redirects.map(({ from, to }) => `${encodeURI(from)} ${encodeTarget(to)} 301`),
    // GitLab counts rules with patterns like all others, and reads few.
    ...(host === 'gitlab' ? [] : walkUpRules()),
  ];
  const text = lines.map((line) => `${line}\n`).join('');
  const { rules = Infinity, ruleCharacters = Infinity, bytes = Infinity } = LIMITS[host] ?? {};
  // Cloudflare counts rules with patterns apart.
  const counted = host === 'cloudflare' ? redirects.length : lines.length;
  if (counted > rules) throw hostLimit(host, `${counted} redirects, of ${rules}`);
  const long = lines.find((line) => line.length > ruleCharacters);
  if (long !== undefined)
    throw hostLimit(host, `a redirect of ${long.length} characters, of ${ruleCharacters}: ${long.slice(0, 60)}…`);
  const size = Buffer.byteLength(text);
  if (size > bytes) throw hostLimit(host, `${size} bytes of redirects, of ${bytes}`);
  return text;
}

/**
 * `staticwebapp.config.json`. Its patterns end in `*`, or in `*.{json}`: rules that need another one are left out, and
 * the files they are about come without these headers.
 * @throws SortimentError HOST_LIMIT
 */
function writeAzureFile(rules: readonly HeaderRule[], redirects: readonly Redirect[]): string {
  const all = rules.find(isAboutAll)?.headers ?? {};
  const file = {
    // The first that matches is the only one that counts.
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
    throw hostLimit('azure', `${size} bytes of rules, of ${MAX_BYTES}, with ${redirects.length} redirects`);
  return text;
}

/** Undefined for what holds everywhere, which stands elsewhere, and for what can't be said. */
function routeOf(rule: HeaderRule): string | undefined {
  if (hasSegments(rule.path)) return undefined;
  const [start, end] = splitPattern(rule.path);
  if (end === '') return isAboutAll(rule) ? undefined : rule.path;
  return end.startsWith('.') && !end.includes('/') ? `${start}*.{${end.slice(1)}}` : undefined;
}

/**
 * `vercel.json`. It is read from the folder that is published, or else from the project's, where it has to be copied to.
 * @throws SortimentError HOST_LIMIT
 */
function writeVercelFile(rules: readonly HeaderRule[], redirects: readonly Redirect[]): string {
  if (redirects.length > MAX_REDIRECTS) throw hostLimit('vercel', `${redirects.length} redirects, of ${MAX_REDIRECTS}`);
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
      // The whole list of links of a product, for who asks for it.
      {
        source: `${sitePath('/01/')}:gtin(\\d{14})/`,
        has: [{ type: 'query', key: 'linkType', value: '(linkset|all)' }],
        destination: `${sitePath('/01/')}:gtin/linkset.json`,
      },
    ],
    headers: rules.flatMap(({ path, headers }) => {
      const sent = Object.entries(headers).filter(([, value]) => value !== REVALIDATED);
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

/** Their paths are patterns: what means something in one stands for itself. */
function escapePattern(path: string): string {
  return path.replace(/[.:*+?(){}[\]|^$]/g, String.raw`\$&`);
}

/** Thrown before anything is published that the host would refuse, or read only a part of. */
function hostLimit(host: Host, problem: string): SortimentError {
  return new SortimentError('HOST_LIMIT', `The site exceeds a limit of the host "${host}": ${problem}.`, {
    hint: "Set `host` in src/sortiment.config.ts to 'none', where moved pages become small redirect pages, or choose a host without this limit.",
  });
}
