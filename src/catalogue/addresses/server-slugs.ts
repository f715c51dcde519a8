import { createRequire } from 'node:module';
import { transliterate } from '../languages/fold-text.ts';
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

const OTHER_SCRIPT = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;
const require = createRequire(import.meta.url);

/**
 * Converts a name in another script to Latin letters: `Μεμβράνη 75` -> `memvrani 75`. Latin names are returned
 * unchanged. Not for browsers: its tables are larger than all scripts of the site.
 */
export function romanise(name: string): string {
  if (!OTHER_SCRIPT.test(name)) return name;
  // Loaded lazily, because loading takes longer than a small sync.
  const library = require('transliteration') as typeof import('transliteration');
  return library.transliterate(transliterate(name));
}
