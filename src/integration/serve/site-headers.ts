/** File names that hold a digest of their content: what is at such an address never changes. */
const HASHED = [
  /^\/_astro\//,
  /^\/_images\/[0-9a-f]{16}-/,
  /^\/documents\/[0-9a-f]{8}-/,
  /^\/pagefind\/(fragment|index)\//,
];

/**
 * Headers of every answer of the static site. The policy for scripts and styles is in the pages themselves
 * (Astro writes their hashes); `frame-ancestors` counts only as a header.
 */
export function siteHeaders(pathname: string): Record<string, string> {
  return {
    'Cache-Control': HASHED.some((pattern) => pattern.test(pathname))
      ? 'public, max-age=31536000, immutable'
      : 'public, max-age=0, must-revalidate',
    'Content-Security-Policy': "frame-ancestors 'none'",
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Content-Type-Options': 'nosniff',
  };
}
