import { and, eq, exists, inArray, ne, sql, type Placeholder, type SQL } from 'drizzle-orm';
import { stripTags } from '#contracts/index.ts';
import type { ContentRow, ContentType } from '#origin/platform/registry/content-kind.ts';
import type { Follower } from '#origin/platform/registry/follow-changes.ts';
import { prepareOnce } from '#origin/platform/store/prepare-once.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { content } from '#origin/platform/store/schema.ts';

export const MAX_SLUG_BYTES = 200;

export interface SlugOwner {
  /** Undefined for a row that is still to be written. */
  id: number | undefined;
  type: ContentType;
  parentId: number;
  /** The slug it has. */
  slug: string | undefined;
}

/** Last segments of addresses that lead elsewhere. */
const RESERVED = new Set(['feed', 'rdf', 'rss', 'rss2', 'atom', 'embed']);

/**
 * The slug, or the first of `-2`, `-3`, … that nothing else has: pages among the
 * pages and media below the same parent, media among everything. Call it under `writeContent`.
 */
export async function findFreeSlug(tx: Transaction, slug: string, owner: SlugOwner): Promise<string> {
  if (!isReserved(slug, owner) && (await findTaken(tx, [slug], owner)).size === 0) return slug;
  for (let first = 2, many = 10; ; first += many, many *= 4) {
    const candidates = Array.from({ length: many }, (_, i) => withNumber(slug, first + i));
    const taken = await findTaken(tx, candidates, owner);
    const free = candidates.find((candidate) => !taken.has(candidate));
    if (free !== undefined) return free;
  }
}

export interface TakenId {
  id: number;
  /** Whether another row has the slug, or it is reserved. */
  isTaken: boolean;
  /** Whether all followers know the author. */
  isAuthorKnown: boolean;
}

/**
 * The id of a row that is added, and whether the slug that it wants may be taken: one statement. Call it under
 * `writeContent`, and look for another slug where it is.
 */
export async function takeId(
  tx: Transaction,
  { type, parentId, slug, authorId }: Pick<ContentRow, 'type' | 'parentId' | 'slug' | 'authorId'>,
  followers: readonly Follower[],
): Promise<TakenId> {
  const [taken] = await idStatement(tx, { parentId, slug, authorId }, type, followers);
  if (!taken) throw new Error('The store has no more ids.');
  return { ...taken, isTaken: taken.isTaken || isReserved(slug, { type, slug: undefined }) };
}

const idStatement = prepareOnce(
  (db, type: ContentRow['type'], followers: readonly Follower[]) => {
    const [parentId, slug] = [sql.placeholder('parentId'), sql.placeholder('slug')];
    const rival = db
      .select({ one: sql`1` })
      .from(content)
      .where(and(eq(content.slug, slug), rivals({ type, parentId })));
    const known = followers.flatMap(({ knowsAuthor }) => knowsAuthor?.(sql.placeholder('authorId')) ?? []);
    return db
      .select({
        id: sql`id`.mapWith(Number),
        isTaken: exists(rival).mapWith(Boolean),
        isAuthorKnown: sql`${and(sql`true`, ...known)}`.mapWith(Boolean),
      })
      .from(sql`nextval(pg_get_serial_sequence('content', 'id')) as id`)
      .prepare('');
  },
  // A site has one list of followers.
  (type, followers) => [type, followers.length],
);

/** What an address with dates or pages could mean too. Who has such a slug keeps it. */
function isReserved(slug: string, { type, slug: present }: Pick<SlugOwner, 'type' | 'slug'>): boolean {
  if (RESERVED.has(slug)) return true;
  if (type === 'page') return /^(page)?\d+$/.test(slug);
  return type === 'post' && slug !== present && /^0*[1-9]\d*$/.test(slug);
}

function withNumber(slug: string, number: number): string {
  const suffix = `-${number}`;
  return cutSlug(slug, MAX_SLUG_BYTES - suffix.length) + suffix;
}

async function findTaken(tx: Transaction, slugs: readonly string[], owner: SlugOwner): Promise<Set<string>> {
  const found = await tx
    .select({ slug: content.slug })
    .from(content)
    .where(
      and(
        inArray(content.slug, [...slugs]),
        owner.id === undefined ? undefined : ne(content.id, owner.id),
        rivals(owner),
      ),
    );
  return new Set(found.map(({ slug }) => slug));
}

function rivals({ type, parentId }: { type: string; parentId: number | Placeholder }): SQL | undefined {
  if (type === 'attachment') return ne(content.type, 'revision');
  if (type !== 'page') return eq(content.type, type);
  return and(inArray(content.type, ['page', 'attachment']), eq(content.parentId, parentId));
}

/**
 * A text as a slug: tags and accents gone, lower case, spaces, dots, slashes and dashes as single dashes, other
 * punctuation dropped, and everything beyond ASCII percent-encoded in lower case.
 */
export function normaliseSlug(text: string): string {
  const plain = decodeOctets(stripTags(text))
    .replaceAll('ß', 's')
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036F]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/&[a-z\d#]+;/g, '')
    .replaceAll(/[\s./\u2010-\u2015\u00A0]+/g, '-')
    .replaceAll(/[\u0021-\u002C\u003A-\u0040\u005B-\u005E\u0060\u007B-\u00BF\u00D7\u2018-\u203A]/g, '');
  const encoded = [...plain].map(encodeLetter).join('');
  return cutSlug(encoded.replaceAll(/-+/g, '-').replaceAll(/^-|-$/g, '')).replace(/-$/, '');
}

/** Octets that are already encoded stay what they stand for. */
function decodeOctets(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (octets) => {
    try {
      return decodeURIComponent(octets);
    } catch {
      return '';
    }
  });
}

function encodeLetter(letter: string): string {
  return /^[\w-]$/.test(letter) ? letter : encodeURIComponent(letter.toWellFormed()).toLowerCase();
}

/** The beginning of a slug; never cuts through the octets of a letter. */
export function cutSlug(slug: string, maxBytes: number = MAX_SLUG_BYTES): string {
  if (slug.length <= maxBytes) return slug;
  let kept = slug.slice(0, maxBytes).replace(/%[\da-f]?$/, '');
  for (;;) {
    try {
      decodeURIComponent(kept);
      return kept;
    } catch {
      const shorter = kept.replace(/%[\da-f]{2}$/, '');
      // What can't be decoded stands further in front: it was there before the cut.
      if (shorter === kept) return kept;
      kept = shorter;
    }
  }
}
