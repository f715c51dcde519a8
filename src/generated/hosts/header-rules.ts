import { sitePath } from '#catalogue/addresses/base.ts';

/** Headers for the paths that a pattern matches: a path in which one `*` stands for anything, or `:name` for a segment. */
export interface HeaderRule {
  path: string;
  headers: Readonly<Record<string, string>>;
}

/** Files that have a digest of their content in their names: what is at such an address never changes. */
const HASHED = ['/_astro/*', '/_images/*', '/documents/*', '/_search/*.pf_fragment', '/_search/*.pf_index'];

/** What hosts for static sites send by themselves, and so what they are not told. */
export const REVALIDATED = 'public, max-age=0, must-revalidate';

const YEAR_S = 31_536_000;

/**
 * The headers of the site, for whatever serves it. Where several rules match, all of their headers are sent, and of one
 * name that of the last rule. The policy for scripts and styles is in the pages themselves (Astro writes their hashes);
 * `frame-ancestors` counts only as a header.
 * @param siteUrl The public address: only what is reached through TLS promises to stay so.
 */
export function headerRules(siteUrl: string): HeaderRule[] {
  return rulesOfPlaces(siteUrl).map(({ path, headers }) => ({ path: sitePath(path), headers }));
}

/** Whether a rule is about the whole site. */
export function isAboutAll({ path }: HeaderRule): boolean {
  return path === sitePath('/*');
}

function rulesOfPlaces(siteUrl: string): HeaderRule[] {
  return [
    {
      path: '/*',
      headers: {
        'Cache-Control': REVALIDATED,
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
    // What scripts of other sites read.
    { path: '/*.json', headers: { 'Access-Control-Allow-Origin': '*' } },
    { path: '/*.csv', headers: { 'Access-Control-Allow-Origin': '*' } },
    { path: '/*.ndjson', headers: { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'application/x-ndjson' } },
    { path: '/*.vtt', headers: { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'text/vtt; charset=utf-8' } },
    { path: '/*.srt', headers: { 'Access-Control-Allow-Origin': '*', 'Content-Type': 'application/x-subrip' } },
    // Hosts know it as something else, or not at all.
    { path: '/*.opus', headers: { 'Content-Type': 'audio/ogg' } },
    // The embeddable player of an episode may be framed by any site.
    { path: '/:language/podcast/:slug/embed/', headers: { 'Content-Security-Policy': 'frame-ancestors *' } },
    { path: '/01/*/linkset.json', headers: { 'Content-Type': 'application/linkset+json' } },
    // The same text as the page beside it, for machines that ask for it.
    { path: '/*.md', headers: { 'Content-Type': 'text/markdown; charset=utf-8', 'X-Robots-Tag': 'noindex' } },
  ];
}
