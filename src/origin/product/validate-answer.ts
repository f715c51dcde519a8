import { createHash } from 'node:crypto';

/**
 * The strong ETag of a body (MD5, as servers of this kind make it: it tells versions apart and protects nothing),
 * and whether the caller has that version. Weak comparison, RFC 9110 section 13.1.2.
 */
export function validateAnswer(body: string, ifNoneMatch: string | undefined): { etag: string; isKnown: boolean } {
  const etag = `"${createHash('md5').update(body).digest('hex')}"`;
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return { etag, isKnown: known.includes(etag) || known.includes('*') };
}
