import { hostPath, sitePath } from '#catalogue/addresses/site-paths.ts';

/** Headers for paths that match a pattern. A pattern may have one `*` for any characters, or `:name` for segments. */
export interface HeaderRule {
  path: string;
  headers: Readonly<Record<string, string>>;
}

const VITE_FILES = '/_astro/*';

/** Files with a content digest in their name, which never change. */
const HASHED = [VITE_FILES, '/_images/*', '/documents/*'];

/** Default caching of static hosts, which rules omit. */
export const DEFAULT_CACHE_CONTROL = 'public, max-age=0, must-revalidate';

const YEAR_S = 31_536_000;

/**
 * Returns the headers of the site for its host. If several rules match, all headers are sent, and the last rule wins
 * per name. Astro writes the policy for scripts and styles with their hashes into pages. `frame-ancestors` only works
 * as a header.
 * @param siteUrl Public URL. HSTS requires HTTPS.
 */
export function headerRules(siteUrl: string): HeaderRule[] {
  return rulesOfSite(siteUrl).map(({ path, headers }) => ({
    path: path === VITE_FILES ? hostPath(path) : sitePath(path),
    headers,
  }));
}

export function isGlobalRule({ path }: HeaderRule): boolean {
  return path === sitePath('/*');
}

function rulesOfSite(siteUrl: string): HeaderRule[] {
  return [
    {
      path: '/*',
      headers: {
        'Cache-Control': DEFAULT_CACHE_CONTROL,
        'Content-Security-Policy': "frame-ancestors 'none'",
        'Cross-Origin-Opener-Policy': 'same-origin',
        'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
        'Referrer-Policy': 'strict-origin-when-cross-origin',
        ...(siteUrl.startsWith('https:') && { 'Strict-Transport-Security': `max-age=${YEAR_S}` }),
        'X-Content-Type-Options': 'nosniff',
      },
    },
    ...HASHED.map((path) => ({
      path,
      headers: { 'Cache-Control': `public, max-age=${YEAR_S}, immutable` },
    })),
    // Readable by scripts of other sites.
    { path: '/*.json', headers: { 'Access-Control-Allow-Origin': '*' } },
    { path: '/*.csv', headers: { 'Access-Control-Allow-Origin': '*' } },
    { path: '/*.ndjson', headers: { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'application/x-ndjson' } },
    { path: '/*.vtt', headers: { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'text/vtt; charset=utf-8' } },
    { path: '/*.srt', headers: { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'application/x-subrip' } },
    // Hosts send another type, or none.
    { path: '/*.opus', headers: { 'Content-Type': 'audio/ogg' } },
    // The embeddable player of an episode may be framed by any site.
    { path: '/:language/podcast/:slug/embed/', headers: { 'Content-Security-Policy': 'frame-ancestors *' } },
    { path: '/01/*/linkset.json', headers: { 'Content-Type': 'application/linkset+json' } },
    // Markdown copy of a page, for programs.
    { path: '/*.md', headers: { 'Content-Type': 'text/markdown; charset=utf-8', 'X-Robots-Tag': 'noindex' } },
  ];
}

export function matchHeaders(rules: readonly HeaderRule[], pathname: string): Record<string, string> {
  const matching = rules.filter(({ path }) => new RegExp(patternToRegExp(path), 's').test(pathname));
  return Object.assign({}, ...matching.map(({ headers }) => headers));
}

/** Converts a pattern to a regular expression for JavaScript, nginx and Caddy. */
export function patternToRegExp(pattern: string): string {
  const literal = pattern.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
  return `^${literal.replace('*', '.*').replace(/\.\*$/, '').replaceAll(/:\w+/g, '[^/]+')}${pattern.endsWith('*') ? '' : '$'}`;
}

/** True if a pattern names segments, which not every host supports. */
export function hasSegments(pattern: string): boolean {
  return /:\w/.test(pattern);
}

/** Splits a pattern at its `*`. */
export function splitPattern(pattern: string): [start: string, end: string] {
  const at = pattern.indexOf('*');
  return [pattern.slice(0, at), pattern.slice(at + 1)];
}
