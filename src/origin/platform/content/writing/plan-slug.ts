import { cutSlug, MAX_SLUG_BYTES, normaliseSlug } from '../normalise-slug.ts';

const TRASHED = '__trashed';

/** Statuses whose rows may go without a slug. */
const SLUGLESS = new Set(['draft', 'pending', 'auto-draft']);

export interface SlugPlan {
  /** As it was sent. */
  sent: string | undefined;
  before: { status: string; slug: string; slugBeforeTrash: string } | undefined;
  status: string;
  title: string;
  mayPublish: boolean;
}

/**
 * The slug a row should have, before others that have it are looked at: the one that was sent, the one it has, the
 * one it had before the trash, or one made from its title. Empty where it needs none, and where nothing can be made.
 */
export function planSlug({ sent, before, status, title, mayPublish }: SlugPlan): string {
  if (status === 'trash') return trashedSlug(normaliseSlug(sent ?? before?.slugBeforeTrash ?? ''));
  // What waits for review gets its name from who publishes it.
  if (status === 'pending' && !mayPublish) return '';
  const present = before?.status === 'trash' ? before.slugBeforeTrash : (before?.slug ?? '');
  const wanted = sent === undefined ? present : normaliseSlug(sent);
  return wanted === '' && !SLUGLESS.has(status) ? normaliseSlug(title) : wanted;
}

/** The slug of a row in the trash, which leaves its own to others. */
export function trashedSlug(slug: string): string {
  return slug.endsWith(TRASHED) ? slug : cutSlug(slug, MAX_SLUG_BYTES - TRASHED.length) + TRASHED;
}
