import { and, eq, inArray, ne, type SQL } from 'drizzle-orm';
import { stripTags } from '#contracts/index.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content } from '#origin/platform/store/schema.ts';
import { tryDecode } from '#contracts/scan-text.ts';

export const MAX_SLUG_BYTES = 200;

/** A row with its current slug. A new one may have neither ID nor slug. */
interface SlugOwner extends Pick<ContentRow, 'type' | 'parentId'> {
  id: number | undefined;
  slug: string | undefined;
}

/** Slugs that are part of other addresses. */
const RESERVED = new Set(['feed', 'rdf', 'rss', 'rss2', 'atom', 'embed']);

/**
 * Returns the slug, or the first free one with `-2`, `-3`, …
 *
 * Pages must be unique among pages and media of the same parent, media among everything. Call it within
 * `writeContent`.
 */
export function findFreeSlug(tx: Transaction, slug: string, owner: SlugOwner): Promise<string> {
  const { id, type, parentId } = owner;
  let isRival: SQL | undefined = eq(content.type, type);
  if (type === 'attachment') isRival = ne(content.type, 'revision');
  if (type === 'page') isRival = and(inArray(content.type, ['page', 'attachment']), eq(content.parentId, parentId));
  return firstFreeSlug(isReserved(slug, owner) ? [] : [slug], slug, async (slugs) => {
    const isOther = id === undefined ? undefined : ne(content.id, id);
    const found = await tx
      .select({ slug: content.slug })
      .from(content)
      .where(and(inArray(content.slug, [...slugs]), isOther, isRival));
    return new Set(found.map((row) => row.slug));
  });
}

/** Returns the first slug that is free: one of the candidates, or the base with `-2`, `-3`, … */
export async function firstFreeSlug(
  candidates: readonly string[],
  base: string,
  findTaken: (slugs: readonly string[]) => Promise<ReadonlySet<string>>,
): Promise<string> {
  for (let first = 2, many = 10; ; first += many, many *= 4) {
    const numbered = Array.from({ length: many }, (_, i) => {
      const suffix = `-${first + i}`;
      return cutSlug(base, MAX_SLUG_BYTES - suffix.length) + suffix;
    });
    const slugs = first === 2 ? [...candidates, ...numbered] : numbered;
    const taken = await findTaken(slugs);
    const free = slugs.find((slug) => !taken.has(slug));
    if (free !== undefined) return free;
  }
}

/** Slugs that could be mistaken for dates or page numbers. Existing ones are preserved. */
function isReserved(slug: string, { type, slug: present }: Pick<SlugOwner, 'type' | 'slug'>): boolean {
  if (RESERVED.has(slug)) return true;
  if (type === 'page') return /^(page)?\d+$/.test(slug);
  return type === 'post' && slug !== present && /^0*[1-9]\d*$/.test(slug);
}

/**
 * Converts text into a slug: removes tags and accents, lower case, dashes for spaces, dots, slashes and dashes. Drops
 * other punctuation and percent-encodes the rest beyond ASCII in lower case.
 */
export function normaliseSlug(text: string): string {
  const plain = stripTags(text)
    // Octets that are already encoded.
    .replaceAll(/(?:%[\da-f]{2})+/gi, (octets) => tryDecode(octets) ?? '')
    .replaceAll('ß', 's')
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/&[a-z\d#]+;/g, '')
    .replaceAll(/[\s./\u2010-\u2015\u00A0]+/g, '-')
    .replaceAll(/[\u0021-\u002C\u003A-\u0040\u005B-\u005E\u0060\u007B-\u00BF\u00D7\u2018-\u203A]/g, '')
    .replaceAll(/[^\w-]/gu, (letter) => encodeURIComponent(letter.toWellFormed()).toLowerCase());
  return cutSlug(plain.replaceAll(/-+/g, '-').replaceAll(/^-|-$/g, '')).replace(/-$/, '');
}

/** Truncates a slug without cutting an encoded character. */
export function cutSlug(slug: string, maxBytes: number = MAX_SLUG_BYTES): string {
  if (slug.length <= maxBytes) return slug;
  let truncated = slug.slice(0, maxBytes).replace(/%[\da-f]?$/, '');
  while (tryDecode(truncated) === undefined) {
    const shorter = truncated.replace(/%[\da-f]{2}$/, '');
    // Invalid octets before the cut are preserved.
    if (shorter === truncated) break;
    truncated = shorter;
  }
  return truncated;
}
