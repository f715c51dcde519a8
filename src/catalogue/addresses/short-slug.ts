import { hash } from 'node:crypto';

/** A folder is named by it. */
const MAX_CHARACTERS = 100;
const DIGEST_CHARACTERS = 10;

/** A part of an address, cut when it is absurdly long: slugs that differ only at the end stay different. */
export function shortSlug(slug: string): string {
  if (slug.length <= MAX_CHARACTERS) return slug;
  const digest = hash('sha1', slug, 'hex').slice(0, DIGEST_CHARACTERS);
  return `${slug.slice(0, MAX_CHARACTERS - DIGEST_CHARACTERS - 1)}-${digest}`;
}
