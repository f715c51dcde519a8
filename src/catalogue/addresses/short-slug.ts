import { hash } from 'node:crypto';

/** Keeps folder names below the limits of file systems. */
const MAX_CHARACTERS = 100;
const DIGEST_CHARACTERS = 10;

/** Shortens a slug that is too long and appends a digest, so that shortened slugs stay unique. */
export function shortSlug(slug: string): string {
  if (slug.length <= MAX_CHARACTERS) return slug;
  const digest = hash('sha1', slug, 'hex').slice(0, DIGEST_CHARACTERS);
  return `${slug.slice(0, MAX_CHARACTERS - DIGEST_CHARACTERS - 1)}-${digest}`;
}
