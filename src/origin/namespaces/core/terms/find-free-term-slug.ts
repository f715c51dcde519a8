import { and, eq, inArray, ne } from 'drizzle-orm';
import type { Transaction } from '#origin/platform/store/index.ts';
import { term } from '#origin/platform/store/schema.ts';
import { cutSlug, MAX_SLUG_BYTES } from '#origin/platform/content/normalise-slug.ts';
import type { TermRow } from '#origin/platform/content/load-terms.ts';

/**
 * The slug, or what comes nearest to it and is free among the terms of its kind: with the slugs of the categories
 * above it, else with `-2`, `-3`, …. Call it under `writeContent`.
 *
 * @param above the categories above the term, the nearest first
 */
export async function findFreeTermSlug(
  tx: Transaction,
  slug: string,
  owner: { id?: number | undefined; taxonomy: string },
  above: readonly Pick<TermRow, 'slug'>[],
): Promise<string> {
  const withParents = above.map((_, depth) => [slug, ...above.slice(0, depth + 1).map((row) => row.slug)].join('-'));
  const longest = withParents.at(-1) ?? slug;
  for (let first = 2, many = 10; ; first += many, many *= 4) {
    const numbered = Array.from({ length: many }, (_, i) => {
      const suffix = `-${first + i}`;
      return cutSlug(longest, MAX_SLUG_BYTES - suffix.length) + suffix;
    });
    const candidates = [slug, ...withParents.filter(({ length }) => length <= MAX_SLUG_BYTES), ...numbered];
    const taken = await findTaken(tx, candidates, owner);
    const free = candidates.find((candidate) => !taken.has(candidate));
    if (free !== undefined) return free;
  }
}

async function findTaken(
  tx: Transaction,
  slugs: readonly string[],
  { id, taxonomy }: { id?: number | undefined; taxonomy: string },
): Promise<Set<string>> {
  const found = await tx
    .select({ slug: term.slug })
    .from(term)
    .where(
      and(eq(term.taxonomy, taxonomy), inArray(term.slug, [...slugs]), id === undefined ? undefined : ne(term.id, id)),
    );
  return new Set(found.map((row) => row.slug));
}
