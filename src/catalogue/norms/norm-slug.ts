import { normBase } from './norm-base.ts';
import { shortSlug } from '../addresses/short-slug.ts';

const slugs = new Map<string, string>();

/** Returns the URL segment of a norm: `DIN EN 12311-2:2013` -> `en-12311-2`. Empty if the text names no norm. */
export function normSlug(norm: string): string {
  // Cached, because products share few norms.
  const slug = slugs.get(norm) ?? toSlug(norm);
  slugs.set(norm, slug);
  return slug;
}

function toSlug(norm: string): string {
  const slug = normBase(norm)
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return shortSlug(slug);
}
